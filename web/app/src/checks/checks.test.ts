import type { GetReplayResponse } from "@ante/client/api";
import { expect, test } from "vitest";
import type { Check } from "./check";
import { checksOf } from "./checks";
import replays from "./replays.json"; // of matches that two nodes played

type Positions = { mover: number; moveHex: string; stateHex: string }[];
const played = replays as unknown as Record<string, { positions: Positions }>;

/** check checks a match, in which one position may have been changed. */
function check(game: string, change: (positions: Positions) => void = () => {}, hash?: string, missing = ""): Promise<Check[]> {
  const replay = structuredClone(played[game]!);
  change(replay.positions);
  const known = replay.positions.map((p) => p.moveHex).find((move) => move.length === 132) ?? "";
  return checksOf({ ...replay, missing } as unknown as GetReplayResponse, (seat) => `seat ${seat}'s`, async () => hash ?? `0x${known.slice(4, 68)}`);
}
const verdicts = (checks: Check[]) => checks.map((c) => `${c.what}: ${c.right}`);
const flip = (hex: string, at: number) => hex.slice(0, at) + (hex[at] === "0" ? "1" : "0") + hex.slice(at + 1);

test.each([
  ["mastermind", 5, 0], ["battleships", 5, 1], ["sums-and-cows", 2, 0], ["split-or-steal", 2, 0],
])("all that is shown of an honest match of %s is right", async (game, count, closed) => {
  const checks = await check(game);
  expect(checks).toHaveLength(count);
  expect(checks.filter((c) => c.right === false)).toEqual([]);
  expect(checks.filter((c) => c.right === undefined)).toHaveLength(closed); // the winner's alone is opened
});

// each changes one digit of one move
test.each([
  ["mastermind", "the coin's salt", 3, -1, ["Seat 0's coin"]],
  ["battleships", "a root", 2, 4, ["Seat 1's board", "Seat 1's answers"]],
  ["sums-and-cows", "the salt", -1, -1, ["Seat 1's list"]],
  ["split-or-steal", "a number", -1, 2, ["Seat 1's choice"]],
])("%s: another digit in %s is found", async (game, _, position, digit, wrong) => {
  const checks = await check(game, (all) => {
    const p = all.at(position)!;
    p.moveHex = flip(p.moveHex, digit < 0 ? p.moveHex.length + digit : digit);
  });
  expect(checks.filter((c) => c.right === false).map((c) => c.what.replace(/\d+ answers/, "answers"))).toEqual(wrong);
});

test("a false answer is found by the code, the list and the board that are opened", async () => {
  // the last byte of the last answered guess, which both have in the state before the opening
  for (const [game, position, what] of [["mastermind", -2, /answers of round 2/], ["sums-and-cows", -2, /results/]] as const) {
    const checks = await check(game, (all) => (all.at(position)!.stateHex = flip(all.at(position)!.stateHex, all.at(position)!.stateHex.length - 1)));
    expect(checks.filter((c) => c.right === false).map((c) => c.what), game).toEqual([expect.stringMatching(what)]);
  }
  const checks = await check("battleships", (all) => {
    const answer = all.find((p) => p.moveHex.length === 2 + 2 * 225)!;
    answer.moveHex = flip(answer.moveHex, 3);
  });
  expect(checks.filter((c) => c.right === false)).not.toHaveLength(0);
});

test("a draw is right by the chain's hash, wrong by another, and can't be told without", async () => {
  const moves = played.box9!.positions.map((p) => p.moveHex).filter((move) => move.length === 132);
  expect(moves.length).toBe(2);
  expect(verdicts(await check("box9", undefined, `0x${moves[0]!.slice(4, 68)}`))).toEqual(["The draw of round 1: true", "The draw of round 2: false"]);
  expect(verdicts(await check("box9", undefined, ""))).toEqual(["The draw of round 1: undefined", "The draw of round 2: undefined"]);
});

test("what is not opened can't be told", async () => {
  const checks = await check("mastermind", (all) => all.splice(6));
  expect(checks.at(-1)!.right).toBeUndefined();
});

// an opening that is due and does not come: a clock runs out, which is no move
test.each([["sums-and-cows", -1], ["mastermind", -1], ["mastermind", 3], ["battleships", 3]])("in %s, who is silent at %i has shown nothing false", async (game, due) => {
  const checks = await check(game, (all) => {
    all.splice(all.indexOf(all.at(due)!) + 1);
    Object.assign(all.at(-1)!, { mover: -1, moveHex: "0x" });
  });
  expect(checks.filter((c) => c.right === false).map((c) => `${c.what}: ${c.says}`)).toEqual([]);
  expect(checks.some((c) => c.right === undefined)).toBe(true);
});

test("of a match whose first positions are not kept nothing is told", async () => {
  for (const game of ["mastermind", "battleships", "sums-and-cows"]) {
    expect(await check(game, (all) => all.splice(0, 1), undefined, "what came before turn 1 is not kept")).toEqual([]);
  }
});
