import { Code, createClient, type Client, type Interceptor, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { asAnteError } from "./errors.js";
import { sleep } from "./sleep.js";
import { NodeService } from "./gen/ante/v1/api_pb.js";

/** Ante is a daemon: its calls, typed. Each throws an AnteError. */
export type Ante = Client<typeof NodeService>;

export interface Options {
  /** Where the daemon is, such as "http://127.0.0.1:4180". Left out: where the page came from. */
  address?: string;
  /** What the daemon lets in; asked anew for each call where it is a function. */
  token: string | (() => string);
  /** For tests, and for programs that run elsewhere than in a page. */
  fetch?: typeof globalThis.fetch;
}

const keyHeader = "Idempotency-Key";
const reads = /^(Get|List|Browse|Verify)/;
const mostTries = 3;
const pause = 300; // milliseconds

/**
 * connect returns the calls of a daemon. Nothing is sent before the first. A call that does something
 * is tried again where the connection is lost: its key lets the daemon do it once all the same.
 */
export function connect(options: Options): Ante {
  return createClient(NodeService, transport(options));
}

/** transport shows the token with each call, and throws an AnteError. */
export function transport({ address, token, fetch }: Options): Transport {
  const baseUrl = address ?? globalThis.location.origin;
  const shows: Interceptor = (next) => async (request) => {
    request.header.set("Authorization", `Bearer ${typeof token === "string" ? token : token()}`);
    const once = !request.stream && !reads.test(request.method.name);
    if (once && !request.header.has(keyHeader)) request.header.set(keyHeader, crypto.randomUUID());
    for (let tries = 1; ; tries++) {
      try {
        return await next(request);
      } catch (thrown) {
        const error = asAnteError(thrown);
        const again = once && error.code === Code.Unavailable && tries < mostTries && !request.signal.aborted;
        if (!again) throw error;
        await sleep(tries * pause, request.signal);
      }
    }
  };
  return createConnectTransport({ baseUrl, interceptors: [shows], ...(fetch && { fetch }) });
}
