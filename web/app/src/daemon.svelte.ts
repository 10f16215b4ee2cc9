import { connect, Live, type AnteError, type Now } from "@ante/client";
import { AccessScope, type Game } from "@ante/client/api";
import { Code } from "@connectrpc/connect";
import { SvelteMap } from "svelte/reactivity";
import { token } from "./session";

export const ante = connect({ token });

/** Stores of the daemon: a view that shows what the others don't makes one of its own. */
export const live: Live = new Live(ante, { hears: () => daemon.player });

const shown = 5; // of the matches that are over
const kept = 200; // round trips to a peer

interface Trip {
  at: Date;
  took: bigint;
}

/** What more than one view shows. A link that only looks may ask for no more than its part of it. */
async function everything() {
  const status = await ante.getStatus({});
  const player = status.scope >= AccessScope.PLAY;
  const [{ alarms }, { channels }, { matches }, more] = await Promise.all([
    ante.listAlarms({}), ante.listChannels({}), ante.listMatches({}), player ? mine() : undefined,
  ]);
  return { status, alarms, channels, matches, ...more };
}

async function mine() {
  const [balance, { peers }, { offers }, { invites }, { proposals }, { rounds }, { games }, over] = await Promise.all([
    ante.getBalance({}), ante.listPeers({}), ante.listOffers({}), ante.listMyInvites({}), ante.listProposals({ failed: true }), ante.listRounds({}),
    daemon.games.length ? { games: daemon.games } : ante.listGames({}), ante.listHistory({ limit: 2 * shown }),
  ]);
  return { balance, peers, offers, invites, proposals, rounds, games, over: over.matches.map((f) => f.match!) };
}

type All = Awaited<ReturnType<typeof everything>>;

const refuses = (error?: AnteError) => error?.code === Code.Unauthenticated || error?.code === Code.PermissionDenied;

/** What the page knows of the daemon. Components read it and never write. */
class Daemon {
  #now = $state.raw<Now<All>>({});
  readonly #all = live.store(everything);
  readonly #is = $derived(this.#now.value);

  /** What the link may do; nothing: not known yet. */
  readonly scope = $derived(this.#is?.status.scope ?? AccessScope.UNSPECIFIED);
  /** Why nothing comes; nothing while all is well. */
  readonly trouble = $derived(this.#now.error);
  readonly refused = $derived(refuses(this.#now.error));
  /** When what is shown was so. */
  readonly seen = $derived(this.#now.at);
  readonly status = $derived(this.#is?.status);
  readonly balance = $derived(this.#is?.balance);
  readonly alarms = $derived(this.#is?.alarms ?? []);
  readonly channels = $derived(this.#is?.channels ?? []);
  readonly matches = $derived(this.#is?.matches ?? []);
  /** Of the matches that are paid out the last few, newest first. */
  readonly over = $derived((this.#is?.over ?? []).filter((m) => !this.matches.some((running) => running.id === m.id)).slice(0, shown));
  readonly peers = $derived(this.#is?.peers ?? []);
  readonly offers = $derived(this.#is?.offers ?? []);
  readonly invites = $derived(this.#is?.invites ?? []);
  readonly proposals = $derived(this.#is?.proposals ?? []);
  readonly rounds = $derived(this.#is?.rounds ?? []);
  readonly games: Game[] = $derived(this.#is?.games ?? []);

  readonly player = $derived(this.scope >= AccessScope.PLAY);
  readonly plays = $derived(this.player && !this.trouble);
  /** Whether the link is one that moves money in and out, and goes to the chain. */
  readonly owner = $derived(this.scope === AccessScope.EVERYTHING);
  /** Whether that can be done now. */
  readonly spends = $derived(this.owner && !this.trouble);
  readonly standing = $derived(this.alarms.filter((a) => a.stands));

  /** Seconds that a unit of the chain's clock takes, by what this page saw of it; nothing: it saw too little. */
  readonly tick = $derived.by(() => {
    const [from, to] = [this.#first, this.#now];
    const units = Number((to.value?.status.clock ?? 0n) - (from?.value?.status.clock ?? 0n));
    return from && units > 0 ? (to.at!.getTime() - from.at!.getTime()) / 1000 / units : undefined;
  });
  #first = $state.raw<Now<All>>();

  /** Microseconds to each peer and back, as they were measured. */
  readonly trips = new SvelteMap<string, Trip[]>();

  /** follow keeps it current until what it returns is called. */
  follow = (): (() => void) =>
    this.#all.subscribe((now) => {
      const news = now.at !== this.#now.at;
      this.#now = now;
      if (!news || !now.value) return;
      this.#first ??= now;
      for (const { account, roundTripUs } of this.peers) {
        if (roundTripUs) this.trips.set(account, [...(this.trips.get(account) ?? []), { at: now.at!, took: roundTripUs }].slice(-kept));
      }
    });
}

export const daemon = new Daemon();
