import { Code } from "@connectrpc/connect";
import type { Ante } from "./connect.js";
import { asAnteError, type AnteError } from "./errors.js";
import { sleep } from "./sleep.js";
import type { Event } from "./gen/ante/v1/api_pb.js";

export interface Watch {
  /** Ends the events. */
  signal: AbortSignal;
  /** Cursor of the last event seen; left out: from the oldest that the daemon keeps. */
  after?: bigint;
  /** Only of this channel. */
  channelId?: string;
  /** Only of this match. */
  matchId?: string;
  /** Told when the daemon can't be reached, with how long it waits; and with nothing once it can. */
  onLost?: (lost?: { error: AnteError; again: number }) => void;
}

const firstPause = 250; // milliseconds
const lastPause = 10_000;

// What no second try mends: the token, and what was asked.
const lasting = new Set([Code.Unauthenticated, Code.PermissionDenied, Code.InvalidArgument, Code.NotFound, Code.Unimplemented]);

/**
 * events yields what happens, each event once and in order, whatever was restarted meanwhile: after
 * a lost connection it goes on behind the last event that it gave out. It ends with the signal, and
 * throws an AnteError only where trying again is of no use.
 */
export async function* events(ante: Ante, watch: Watch): AsyncGenerator<Event, void, undefined> {
  const { signal, onLost } = watch;
  let after = watch.after ?? 0n;
  let pause = firstPause;
  let lost = false;
  while (!signal.aborted) {
    try {
      const { channelId, matchId } = watch;
      for await (const { event } of ante.streamEvents({ after, channelId, matchId }, { signal, onHeader: found })) {
        if (!event) continue;
        after = event.cursor;
        yield event;
      }
      if (signal.aborted) return;
      await wait(new Error("the daemon ended the events"));
    } catch (thrown) {
      if (signal.aborted) return;
      await wait(thrown);
    }
  }

  function found() {
    pause = firstPause;
    if (lost) onLost?.();
    lost = false;
  }

  async function wait(thrown: unknown) {
    const error = asAnteError(thrown);
    if (lasting.has(error.code)) throw error;
    lost = true;
    onLost?.({ error, again: pause });
    await sleep(pause, signal);
    pause = Math.min(2 * pause, lastPause);
  }
}
