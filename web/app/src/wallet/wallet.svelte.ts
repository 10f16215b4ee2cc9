import { asAnteError } from "@ante/client";
import { connectWallet, send, sign, toSend, use, type SignatureRequest } from "@ante/client/wallet";
import { Code } from "@connectrpc/connect";
import { daemon } from "../daemon.svelte";
import { token } from "../session";
import { find, type Found } from "./find";

const every = 1500; // milliseconds between two looks: requests come only when the player opens a channel
const handed = connectWallet({ token });

/** The player's wallet in the browser, where it and not the daemon holds the key. */
class BrowserWallet {
  /** Whether the daemon asks a wallet at all. */
  wanted = $state(false);
  account = $state("");
  requests = $state.raw<SignatureRequest[]>([]);
  /** What the wallet or the daemon said last against it. */
  trouble = $state("");
  busy = $state(false);

  #chain = 0n;
  #found: Found | undefined;

  /** follow asks what is to be signed until the signal, or ends where the key is elsewhere. */
  async follow(signal: AbortSignal) {
    while (!signal.aborted) {
      if (daemon.status && !(daemon.owner && daemon.status.browserWallet)) return;
      if (daemon.seen || daemon.trouble) try {
        const list = await handed.listSignatures({});
        this.wanted = true;
        this.account = list.account;
        this.#chain = list.chainId;
        this.requests = list.requests;
      } catch (thrown) {
        const { code } = asAnteError(thrown);
        if (code === Code.Unimplemented || code === Code.Unauthenticated || code === Code.PermissionDenied) return;
      }
      await new Promise((done) => setTimeout(done, every));
    }
  }

  /** sign has the wallet sign a request and hands the signature to the daemon. */
  sign(asked: SignatureRequest) {
    return this.#with(async ({ wallet }) => {
      const account = await use(wallet, this.account, this.#chain);
      await handed.giveSignature({ id: asked.id, signature: await sign(wallet, account, asked) });
      this.#answered(asked);
    });
  }

  refuse(asked: SignatureRequest) {
    return this.#try(async () => {
      await handed.refuseSignature({ id: asked.id });
      this.#answered(asked);
    });
  }

  /** sends makes a call, and has the wallet send its transaction where only the wallet may. */
  async sends(call: Promise<unknown>): Promise<void> {
    try {
      await call;
    } catch (thrown) {
      const todo = toSend(thrown);
      if (!todo) throw thrown;
      const chain = daemon.status?.chainId;
      if (!chain) throw new Error("The daemon has not said on which chain it plays: try again in a moment.");
      await this.#with(async ({ wallet }) => {
        await use(wallet, todo.account, chain);
        await send(wallet, todo, chain);
      });
      if (this.trouble) throw new Error(this.trouble);
    }
  }

  #answered(asked: SignatureRequest) {
    this.requests = this.requests.filter((r) => r.id !== asked.id);
  }

  #with(act: (found: Found) => Promise<void>) {
    return this.#try(async () => {
      this.#found ??= find()[0];
      if (!this.#found) throw new Error("There is no wallet in this browser: install one, choose your account in it, and load this page again.");
      await act(this.#found);
    });
  }

  async #try(act: () => Promise<void>) {
    this.busy = true;
    this.trouble = "";
    try {
      await act();
    } catch (thrown) {
      this.trouble = said(thrown);
    } finally {
      this.busy = false;
    }
  }
}

/** said is the text of an error; wallets throw plain objects. 4001 is the person's refusal (EIP-1193). */
function said(thrown: unknown): string {
  const { code, message } = thrown as { code?: unknown; message?: unknown };
  return code === 4001 ? "You refused in the wallet. Nothing was signed." : String(message ?? thrown);
}

export const wallet = new BrowserWallet();
