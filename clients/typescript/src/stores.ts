import type { Ante } from "./connect.js";
import { asAnteError, type AnteError } from "./errors.js";
import { events } from "./events.js";
import type { Event, GetBalanceResponse, GetMatchResponse, InviteInfo } from "./gen/ante/v1/api_pb.js";

/** What a store holds: never changed, but replaced by another. */
export interface Now<T> {
  /** The last answer; nothing: none came yet. */
  readonly value?: T;
  /** Why there is no newer one; nothing while all is well. */
  readonly error?: AnteError;
  /** When the value was so. */
  readonly at?: Date;
}

/**
 * Store keeps an answer of the daemon's current for as long as somebody subscribes. It is a store
 * of Svelte's, and what useSyncExternalStore of React wants: see "@ante/client/react".
 */
export interface Store<T> {
  /** Tells at once what there is, and then of each change, until what it returns is called. */
  subscribe(run: (now: Now<T>) => void): () => void;
  get(): Now<T>;
  /** Asks now, and is done once that is answered. */
  look(): Promise<void>;
}

export interface Pace {
  /** Whether to listen to the daemon's events, which a token may be refused. */
  hears?: () => boolean;
  /** Milliseconds between two looks while events come. */
  slowly?: number;
  /** Milliseconds where none do, or the last look failed. */
  quickly?: number;
}

const together = 60; // milliseconds in which events are answered with one look

/** Live has stores of one daemon, which share its events. */
export class Live {
  readonly #ante: Ante;
  readonly #pace: Required<Pace>;
  readonly #changed = new Set<() => void>();
  readonly #told = new Set<(event: Event) => void>();
  #after = 0n;
  #ends: AbortController | undefined;
  #soon: ReturnType<typeof setTimeout> | undefined;

  constructor(ante: Ante, pace: Pace = {}) {
    this.#ante = ante;
    this.#pace = { hears: () => true, slowly: 20_000, quickly: 2_000, ...pace };
  }

  /** A match with its position, as its player sees it. */
  match = (matchId: string): Store<GetMatchResponse> => this.store(() => this.#ante.getMatch({ matchId }));

  /** The invites of others that the player may join; of any game unless one is given. */
  lobby = (game = ""): Store<InviteInfo[]> => this.store(async () => (await this.#ante.browseInvites({ game, anyAsset: true })).invites);

  /** The player's money; ETH unless a token is given. */
  balance = (asset = ""): Store<GetBalanceResponse> => this.store(() => this.#ante.getBalance({ asset }));

  /** A store of anything else that can be asked: it asks anew after each event, and from time to time. */
  store<T>(ask: () => Promise<T>): Store<T> {
    let now: Now<T> = {};
    let asking: Promise<void> | undefined;
    let again = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let leave = () => {};
    const runs = new Set<{ run: (now: Now<T>) => void }>();

    const answer = async () => {
      try {
        now = { value: await ask(), at: new Date() };
      } catch (thrown) {
        now = { ...now, error: asAnteError(thrown) };
      }
      for (const { run } of runs) run(now);
    };
    // while it asks, a second call has it ask once more
    const look = () => {
      again = true;
      return (asking ??= (async () => {
        while (again) {
          again = false;
          await answer();
        }
        asking = undefined;
        clearTimeout(timer);
        if (runs.size) timer = setTimeout(look, this.#listens() && !now.error ? this.#pace.slowly : this.#pace.quickly);
      })());
    };
    return {
      get: () => now,
      look,
      subscribe: (run) => {
        const one = { run };
        runs.add(one);
        run(now);
        if (runs.size === 1) {
          leave = this.#join(() => void look());
          void look();
        }
        return () => {
          if (!runs.delete(one) || runs.size) return;
          leave();
          clearTimeout(timer);
        };
      },
    };
  }

  /** Calls back with what happens, for as long as any store has subscribers. */
  heard(tell: (event: Event) => void): () => void {
    this.#told.add(tell);
    return () => this.#told.delete(tell);
  }

  /** Has every store that has subscribers look: something was done. */
  look() {
    for (const changed of this.#changed) changed();
  }

  #join(changed: () => void): () => void {
    this.#changed.add(changed);
    return () => {
      this.#changed.delete(changed);
      if (!this.#changed.size) this.#ends?.abort();
    };
  }

  // whether events come, or are on their way to
  #listens(): boolean {
    if (!this.#pace.hears()) return false;
    if (!this.#ends || this.#ends.signal.aborted) void this.#listen((this.#ends = new AbortController()));
    return true;
  }

  async #listen(ends: AbortController) {
    const { signal } = ends;
    try {
      for await (const event of events(this.#ante, { signal, after: this.#after, onLost: () => this.look() })) {
        this.#after = event.cursor;
        for (const tell of this.#told) tell(event);
        this.#soon ??= setTimeout(() => {
          this.#soon = undefined;
          this.look();
        }, together);
      }
    } catch {
      // what ended it for good, every look meets too
      ends.abort();
    }
  }
}
