import { Window } from "happy-dom";
import { createElement } from "react";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { connect, Live, pages, type Now, type Store } from "../dist/index.js";
import { useBalance, useLobby, useMatch } from "../dist/react.js";
import type { GetBalanceResponse } from "../dist/gen/ante/v1/api_pb.js";
import { world, type Daemon } from "./daemon.js";

let w: Awaited<ReturnType<typeof world>>;
let alice: Daemon;
let asked = 0; // calls that were sent
let live: Live;

beforeAll(async () => {
  w = await world();
  alice = await w.daemon("alice", "127.0.0.1:0");
  const counted: typeof fetch = (...args) => (asked++, fetch(...args));
  live = new Live(connect({ address: alice.address, token: alice.token, fetch: counted }), { quickly: 50 });
}, 60_000);
afterAll(() => w?.close());

/** until waits for a store to hold what is wanted. */
async function until<T>(store: Store<T>, wanted: (now: Now<T>) => boolean): Promise<Now<T>> {
  let stop = () => {};
  const found = await new Promise<Now<T>>((done) => (stop = store.subscribe((now) => wanted(now) && done(now))));
  stop();
  return found;
}

test("a store tells at once what there is, then what changes, and asks nothing once nobody listens", { timeout: 60_000 }, async () => {
  const store = live.balance();
  const told: Now<GetBalanceResponse>[] = [];
  const stop = store.subscribe((now) => told.push(now));
  expect(told).toEqual([{}]);
  await until(store, ({ value }) => value?.bank === "0");
  await alice.ante.deposit({ amount: "1000" });
  expect((await until(store, ({ value }) => value?.bank === "1000")).at).toBeInstanceOf(Date);
  expect(store.get()).toBe(told.at(-1)); // React compares so

  await alice.kill();
  await store.look();
  expect(told.at(-1)?.error?.advice).toContain("channeld run");
  expect(told.at(-1)?.value?.bank).toBe("1000");
  await alice.run();
  await until(store, ({ error, value }) => !error && value?.bank === "1000");
  const events: string[] = [];
  const deaf = live.heard((event) => events.push(event.kind));
  await alice.ante.deposit({ amount: "1" });
  await until(store, ({ value }) => value?.bank === "1001");
  // the stream may come back after a look has shown the money
  await vi.waitFor(() => expect(events).toContain("transaction"), { timeout: 20_000 });
  deaf();

  stop();
  await store.look(); // what is under way ends
  const before = asked;
  await alice.ante.deposit({ amount: "1" });
  expect(asked).toBe(before);
});

test("a component of React shows what the hooks hold, and what changes", { timeout: 60_000 }, async () => {
  const window = new Window();
  Object.assign(globalThis, { window, document: window.document, navigator: window.navigator });
  const { createRoot } = await import("react-dom/client");
  const Shown = () => {
    const [balance, lobby, match] = [useBalance(live), useLobby(live), useMatch(live, `0x${"12".repeat(32)}`)];
    return createElement("p", {}, `${balance.value?.bank}, ${lobby.value?.length}, ${match.error?.message}`);
  };
  const root = createRoot(window.document.body as unknown as Element);
  root.render(createElement(Shown));
  const text = () => window.document.body.textContent;
  await vi.waitFor(() => expect(text()).toMatch(/^1002, 0, .*unknown match/), { timeout: 20_000 });
  await alice.ante.deposit({ amount: "1" });
  await vi.waitFor(() => expect(text()).toContain("1003, "), { timeout: 20_000 });
  root.unmount();
});

test("a list is asked for page by page, as far as it is wanted", { timeout: 60_000 }, async () => {
  const stakes = [1n, 2n, 3n].map((n) => String(n * 10n ** 16n));
  await alice.ante.deposit({ amount: stakes[2] });
  await until(live.balance(), ({ value }) => BigInt(value?.bank ?? 0) > BigInt(stakes[2]!));
  for (const least of stakes) await alice.ante.createInvite({ game: "mastermind", least });
  const seen: string[] = [];
  for await (const { invites } of pages((page) => alice.ante.listMyInvites(page), 1)) seen.push(...invites.map((i) => i.least));
  expect(seen.sort()).toEqual(stakes);
  let sent = 0;
  for await (const { invites } of pages((page) => (sent++, alice.ante.listMyInvites(page)), 2)) {
    expect(invites).toHaveLength(2);
    break;
  }
  expect(sent).toBe(1);
});
