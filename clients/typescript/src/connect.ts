import { Code, createClient, type Client, type Interceptor, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { AnteError, asAnteError } from "./errors.js";
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

// Seconds for an answer: more than the daemon itself takes at most.
const readTime = 30;
const doTime = 90;

/**
 * connect returns the calls of a daemon. Nothing is sent before the first. A call that does
 * something is tried again where the connection is lost: its key lets the daemon do it once all the
 * same. A call that is not answered in time, half a minute or, where it does something, a minute
 * and a half, fails.
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
        if (request.stream) return await next(request);
        return await within(once ? doTime : readTime, request.signal, (signal) => next({ ...request, signal }), once);
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

/** within makes a call, and ends it where no answer comes. */
async function within<T>(seconds: number, signal: AbortSignal, call: (signal: AbortSignal) => Promise<T>, does: boolean): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), seconds * 1000);
  try {
    return await call(AbortSignal.any([signal, late.signal]));
  } catch (thrown) {
    if (!late.signal.aborted || signal.aborted) throw thrown;
    const advice = does ? "look whether it is done before you ask again" : "try again";
    throw new AnteError("", advice, Code.DeadlineExceeded, `the daemon has not answered for ${seconds} seconds`, thrown);
  } finally {
    clearTimeout(timer);
  }
}
