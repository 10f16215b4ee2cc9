import { ConnectError, createClient, type Client } from "@connectrpc/connect";
import { transport, type Options } from "./connect.js";
import { AnteError } from "./errors.js";
import { SendFromWalletSchema, WalletService, type SendFromWallet, type SignatureRequest } from "./gen/ante/v1/wallet_pb.js";

/** What a wallet in the browser (EIP-1193) does for a daemon whose player's key it holds. */
export type { SendFromWallet, SignatureRequest };

/** Eip1193 is the part of a wallet that is used, as EIP-1193 has it. */
export interface Eip1193 {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>;
}

/** Wallets are the calls of a daemon that hand it signatures. They fail where it has another signer. */
export type Wallets = Client<typeof WalletService>;

export const connectWallet = (options: Options): Wallets => createClient(WalletService, transport(options));

/** toSend returns the transaction that only the player's own account may send, if that is why a call failed. */
export function toSend(thrown: unknown): SendFromWallet | undefined {
  const cause = thrown instanceof AnteError ? thrown.cause : thrown;
  return cause instanceof ConnectError ? cause.findDetails(SendFromWalletSchema)[0] : undefined;
}

const hex = (n: bigint) => `0x${n.toString(16)}`;

/**
 * use has the wallet be on the daemon's chain and hold the account, and returns the account as the
 * wallet writes it. A chain of 0 is not known yet: what is signed names its own.
 */
export async function use(wallet: Eip1193, account: string, chainId: bigint): Promise<string> {
  const held = (await wallet.request({ method: "eth_requestAccounts" })) as string[];
  const own = held.find((a) => a.toLowerCase() === account.toLowerCase());
  if (!own) throw new Error(`this daemon plays for ${account}: choose that account in the wallet`);
  const chain = hex(chainId);
  if (chainId && (await wallet.request({ method: "eth_chainId" })) !== chain) {
    await wallet.request({ method: "wallet_switchEthereumChain", params: [{ chainId: chain }] });
  }
  return own;
}

/** sign asks the wallet to sign a request; the person sees it there and may refuse. */
export const sign = async (wallet: Eip1193, account: string, asked: SignatureRequest): Promise<string> =>
  (await wallet.request({ method: "eth_signTypedData_v4", params: [account, asked.typedJson] })) as string;

/** send asks the wallet to send a transaction on the daemon's chain and no other, and returns its hash. */
export const send = async (wallet: Eip1193, todo: SendFromWallet, chainId: bigint): Promise<string> =>
  (await wallet.request({
    method: "eth_sendTransaction",
    params: [{ from: todo.account, to: todo.to, value: hex(BigInt(todo.value)), data: todo.data, chainId: hex(chainId) }],
  })) as string;
