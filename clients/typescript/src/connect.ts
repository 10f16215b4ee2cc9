import { createClient, type Client, type Interceptor, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { asAnteError } from "./errors.js";
import { NodeService } from "./gen/ante/v1/api_pb.js";

/** Ante is a daemon: its calls, typed. Each throws an AnteError. */
export type Ante = Client<typeof NodeService>;

export interface Options {
  /** Where the daemon is, such as "http://127.0.0.1:8645". Left out: where the page came from. */
  address?: string;
  /** What the daemon lets in; asked anew for each call where it is a function. */
  token: string | (() => string);
  /** For tests, and for programs that run elsewhere than in a page. */
  fetch?: typeof globalThis.fetch;
}

/** connect returns the calls of a daemon. Nothing is sent before the first. */
export function connect(options: Options): Ante {
  return createClient(NodeService, transport(options));
}

/** transport shows the token with each call, and throws an AnteError. */
export function transport({ address, token, fetch }: Options): Transport {
  const baseUrl = address ?? globalThis.location.origin;
  const shows: Interceptor = (next) => async (request) => {
    request.header.set("Authorization", `Bearer ${typeof token === "string" ? token : token()}`);
    try {
      return await next(request);
    } catch (thrown) {
      throw asAnteError(thrown);
    }
  };
  return createConnectTransport({ baseUrl, interceptors: [shows], ...(fetch && { fetch }) });
}
