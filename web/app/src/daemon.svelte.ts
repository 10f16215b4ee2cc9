import { asAnteError, connect, events, type AnteError } from "@ante/client";
import { Code } from "@connectrpc/connect";
import type {
  Alarm, Channel, Event, Game, GetBalanceResponse, GetStatusResponse, InviteInfo, Match, Offer, Peer, Proposal, RoundInfo,
} from "@ante/client/api";
import { token } from "./session";

const slowly = 20_000; // milliseconds between two looks while events come
const quickly = 2_000; // where none do
const together = 60; // milliseconds in which events are answered with one look

export const ante = connect({ token });

/** What the page knows of the daemon. Components read it and never write. */
class Daemon {
  /** What the link may do, each more than the one before; nothing: not asked yet. */
  power = $state<"" | "look" | "play" | "everything">("");
  /** Why nothing comes; nothing while all is well. */
  trouble = $state<AnteError>();
  refused = $state(false);
  /** When what is shown was so. */
  seen = $state<Date>();
  status = $state.raw<GetStatusResponse>();
  balance = $state.raw<GetBalanceResponse>();
  alarms = $state.raw<Alarm[]>([]);
  channels = $state.raw<Channel[]>([]);
  matches = $state.raw<Match[]>([]);
  peers = $state.raw<Peer[]>([]);
  offers = $state.raw<Offer[]>([]);
  invites = $state.raw<InviteInfo[]>([]);
  proposals = $state.raw<Proposal[]>([]);
  rounds = $state.raw<RoundInfo[]>([]);
  games = $state.raw<Game[]>([]);
  /** Of the newest event; views that show more than is kept here ask anew when it changes. */
  cursor = $state(0n);

  readonly player = $derived(this.power === "play" || this.power === "everything");
  readonly plays = $derived(this.player && !this.trouble);
  /** Whether it may move money in and out, and go to the chain. */
  readonly spends = $derived(this.power === "everything" && !this.trouble);
  readonly standing = $derived(this.alarms.filter((a) => a.stands));

  #told: ((event: Event) => void)[] = [];
  #soon: ReturnType<typeof setTimeout> | undefined;
  #asking: Promise<void> | undefined;
  #again = false;

  /** heard calls back with what happens from now on. */
  heard(tell: (event: Event) => void) {
    this.#told.push(tell);
  }

  /** follow asks and goes on asking until the signal. */
  async follow(signal: AbortSignal) {
    void this.#stream(signal);
    while (!signal.aborted) {
      await this.look();
      await new Promise((done) => setTimeout(done, this.plays ? slowly : quickly));
    }
  }

  /** look asks for everything that is shown; while it asks, a second call has it ask once more. */
  look(): Promise<void> {
    this.#again = true;
    this.#asking ??= (async () => {
      while (this.#again) {
        this.#again = false;
        await this.#look();
      }
      this.#asking = undefined;
    })();
    return this.#asking;
  }

  async #look() {
    try {
      const [status, alarms, channels, matches] = await Promise.all([
        ante.getStatus({}), ante.listAlarms({}), ante.listChannels({}), ante.listMatches({ booked: this.player }),
      ]);
      if (!this.power) this.power = await ask();
      if (this.player) await this.#lookMore();
      this.status = status;
      this.alarms = alarms.alarms;
      this.channels = channels.channels;
      this.matches = matches.matches;
      this.trouble = undefined;
      this.refused = false;
      this.seen = new Date();
    } catch (thrown) {
      this.fail(thrown);
    }
  }

  async #lookMore() {
    const [balance, peers, offers, invites, proposals, rounds, games] = await Promise.all([
      ante.getBalance({}), ante.listPeers({}), ante.listOffers({}), ante.listMyInvites({}), ante.listProposals({}),
      ante.listRounds({}), this.games.length ? { games: this.games } : ante.listGames({}),
    ]);
    this.balance = balance;
    this.peers = peers.peers;
    this.offers = offers.offers;
    this.invites = invites.invites;
    this.proposals = proposals.proposals;
    this.rounds = rounds.rounds;
    this.games = games.games;
  }

  fail(thrown: unknown) {
    this.trouble = asAnteError(thrown);
    this.refused = refuses(this.trouble);
  }

  async #stream(signal: AbortSignal) {
    try {
      let after = 0n;
      for await (const event of events(ante, { signal, after, onLost: (lost) => (lost ? this.fail(lost.error) : void this.look()) })) {
        this.cursor = event.cursor;
        if (Date.now() / 1000 - Number(event.time) < 30) for (const tell of this.#told) tell(event);
        clearTimeout(this.#soon);
        this.#soon = setTimeout(() => void this.look(), together);
      }
    } catch {
      // a link that only looks is told no events, and any other trouble shows by the next look
    }
  }
}

/** ask tries what each power allows, on nothing: who may do it is told that there is no such thing. */
async function ask(): Promise<"look" | "play" | "everything"> {
  if (await refused(ante.getMatch({}))) return "look";
  return (await refused(ante.startDispute({ dryRun: true }))) ? "play" : "everything";
}

async function refused(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return false;
  } catch (thrown) {
    const error = asAnteError(thrown);
    if (error.code === Code.Unavailable) throw error;
    return refuses(error);
  }
}

const refuses = (error: AnteError) => error.code === Code.Unauthenticated || error.code === Code.PermissionDenied;

export const daemon = new Daemon();
