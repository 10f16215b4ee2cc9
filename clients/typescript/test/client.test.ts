import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { AnteError, connect, events } from "../dist/index.js";
import { AccessScope } from "../dist/gen/ante/v1/api_pb.js";
import { world, type Daemon } from "./daemon.js";

const ether = 10n ** 18n;
let w: Awaited<ReturnType<typeof world>>;
let alice: Daemon;
let bob: Daemon;

beforeAll(async () => {
  w = await world();
  alice = await w.daemon("alice", "127.0.0.1:0", "--api.origins", "https://example.org");
  bob = await w.daemon("bob", "127.0.0.1:0", "--play.accept", "true", "--play.approve", "true");
}, 60_000);
afterAll(() => w?.close());

/** next waits for an event of a kind. */
async function next(d: Daemon, kind: string, after = 0n) {
  const stop = new AbortController();
  for await (const event of events(d.ante, { after, signal: stop.signal })) if (event.kind === kind) return event;
  throw new Error("it never came");
}

async function refusal(call: Promise<unknown>): Promise<AnteError> {
  return call.then(() => Promise.reject(new Error("it was done")), (error: unknown) => {
    if (!(error instanceof AnteError)) throw error;
    return error;
  });
}

test("a match is opened and played by typed calls, and the events come again after kill -9", { timeout: 60_000 }, async () => {
  for (const d of [alice, bob]) {
    await d.ante.deposit({ amount: String(ether) });
    await next(d, "transaction");
  }
  const { addresses } = await bob.ante.getStatus({});
  await alice.ante.addPeer({ address: addresses[0]! });
  await alice.ante.openChannel({ peers: [bob.account], deposits: [String(ether), String(ether)], window: 100n });
  const { channelId } = await next(alice, "channel_opened");
  await alice.ante.proposeMatch({ channelId, game: "mastermind", stakes: [String(ether / 10n)] });
  const { cursor, matchId } = await next(alice, "match_started");
  const { match } = await alice.ante.getMatch({ matchId });
  expect(match?.stakes).toEqual([String(ether / 10n), String(ether / 10n)]);

  const stop = new AbortController();
  const seen: bigint[] = [];
  const changes: boolean[] = [];
  let read = () => {};
  const isRead = new Promise<void>((done) => (read = done));
  let lost = () => {};
  const isLost = new Promise<void>((done) => (lost = done));
  const watching = (async () => {
    const onLost = (l?: object) => {
      changes.push(l !== undefined);
      lost();
    };
    for await (const event of events(alice.ante, { signal: stop.signal, onLost })) {
      seen.push(event.cursor);
      if (event.cursor === cursor) read();
      if (event.cursor > cursor && event.kind === "transaction" && event.text.includes("deposit 7 wei")) stop.abort();
    }
  })();
  await isRead;
  await alice.kill();
  await isLost;
  await alice.run();
  await alice.ante.deposit({ amount: "7" });
  await watching;
  expect(changes[0]).toBe(true);
  expect(changes.at(-1)).toBe(false);
  expect(seen).toEqual([...new Set(seen)].sort((a, b) => (a < b ? -1 : 1)));
  expect(seen).toContain(cursor);
});

test("a call whose answer is lost is tried again, and done once", async () => {
  let lose = 1;
  const lossy: typeof fetch = async (...args) => {
    const answer = await fetch(...args);
    if (lose-- > 0) throw new TypeError("fetch failed");
    return answer;
  };
  const ante = connect({ address: bob.address, token: bob.token, fetch: lossy });
  const offers = async () => (await bob.ante.listOffers({})).offers.length;
  const before = await offers();
  await ante.openChannel({ peers: [alice.account], deposits: ["1000", "1000"], window: 100n });
  expect(lose).toBeLessThan(0);
  expect(await offers()).toBe(before + 1);
});

test("a token does what its scope says", async () => {
  const look = connect({ address: alice.address, token: alice.command("access", "new", "panel") });
  const play = connect({ address: alice.address, token: alice.command("access", "new", "bot", "--scope", "play", "--limit", "1000wei") });
  const scopes = await Promise.all([look, play, alice.ante].map(async (ante) => (await ante.getStatus({})).scope));
  expect(scopes).toEqual([AccessScope.LOOK, AccessScope.PLAY, AccessScope.EVERYTHING]);
  const open = { peers: [bob.account], deposits: ["1001", "1"], window: 100n };
  for (const refused of [await refusal(look.openChannel(open)), await refusal(play.openChannel(open)), await refusal(play.withdraw({}))])
    expect(refused.code).toBe(Code.PermissionDenied);
  await play.openChannel({ ...open, deposits: ["1000", "1"] });
  const over = await refusal(play.openChannel({ ...open, deposits: ["1", "1"] }));
  expect(over.message).toContain("0 is left");
  expect(over.number).toBe("ANTE-1004");
  const nobody = await refusal(connect({ address: alice.address, token: "wrong" }).getStatus({}));
  expect(nobody.code).toBe(Code.Unauthenticated);
  const ended = events(connect({ address: alice.address, token: "wrong" }), { signal: new AbortController().signal }).next();
  expect((await refusal(ended)).code).toBe(Code.Unauthenticated);
});

test("a daemon that does not answer is not waited for without end", async () => {
  vi.useFakeTimers();
  try {
    const mute: typeof fetch = (_, init) => new Promise((_, no) => init!.signal!.addEventListener("abort", () => no(init!.signal!.reason as Error)));
    const ante = connect({ address: "http://127.0.0.1:4", token: "any", fetch: mute });
    const [read, done] = [refusal(ante.getStatus({})), refusal(ante.deposit({ amount: "1" }))];
    await vi.advanceTimersByTimeAsync(90_000);
    expect((await read).code).toBe(Code.DeadlineExceeded);
    expect((await read).message).toContain("30 seconds");
    expect((await done).message).toContain("90 seconds");
    expect((await done).advice).toContain("look whether it is done");
  } finally {
    vi.useRealTimers();
  }
});

test("a daemon that is not there is told of, with what to do", async () => {
  const away = await refusal(connect({ address: "http://127.0.0.1:4", token: "any" }).getStatus({}));
  expect(away.code).toBe(Code.Unavailable);
  expect(away.advice).toContain("channeld run");
});
