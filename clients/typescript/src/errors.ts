import { Code, ConnectError } from "@connectrpc/connect";
import { FaultSchema } from "./gen/ante/v1/api_pb.js";

/** AnteError is what went wrong, with a number that programs can tell it by. */
export class AnteError extends ConnectError {
  constructor(
    /** Such as "ANTE-2001"; see docs/api.md. Empty: the daemon did not answer, or has no number for it. */
    readonly number: string,
    /** What a person can do next. Empty: the message says it. */
    readonly advice: string,
    code: Code,
    message: string,
    cause?: unknown,
  ) {
    super(message, code, undefined, undefined, cause);
    this.message = message; // as people read it, without the code
  }

  // that of ConnectError takes any error of its shape
  static override [Symbol.hasInstance](value: unknown): boolean {
    return Function.prototype[Symbol.hasInstance].call(this, value);
  }

  /** Whether the same request may succeed later, as it is. */
  get passes(): boolean {
    return passing.has(this.code);
  }
}

const passing = new Set([Code.Unavailable, Code.Aborted, Code.DeadlineExceeded, Code.ResourceExhausted]);

const unreached = "see that the daemon runs (channeld run), and that the address is right";

/** asAnteError reads what a call threw. */
export function asAnteError(thrown: unknown): AnteError {
  if (thrown instanceof AnteError) return thrown;
  const error = ConnectError.from(thrown);
  // Connect wraps what an interceptor throws
  if (error.cause instanceof AnteError) return error.cause;
  const { number, advice } = error.findDetails(FaultSchema)[0] ?? { number: "", advice: "" };
  if (!number && (thrown instanceof TypeError || error.cause instanceof TypeError)) {
    return new AnteError("", unreached, Code.Unavailable, error.rawMessage, thrown);
  }
  return new AnteError(number, advice, error.code, error.rawMessage, thrown);
}
