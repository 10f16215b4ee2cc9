import { expect, test } from "vitest";
import vectors from "../../../../../games/battleships/testdata/vectors.json";
import { clashes, inside, legal, random, read, ships, side, sunk, touch, typed, within } from "./fleet";

const bits = (hex: string) => (cell: number) => (BigInt(`0x${hex}`) >> BigInt(cell)) % 2n === 1n;

test("a fleet is legal where the rules say so", () => {
  let good = 0;
  for (const v of vectors.cases.placement) {
    // pieces that are bent or lie side by side are cut into straight ones, which touch
    expect(legal(ships(bits(v.position))), v.why).toBe(v.valid);
    if (v.valid) good++;
  }
  expect(good).toBeGreaterThan(50);
});

test("what is typed is read again", () => {
  for (const v of vectors.cases.placement.filter((v) => v.valid)) {
    const fleet = ships(bits(v.position));
    expect(read(`your fleet is ${typed(fleet)}\n   a b c`)).toEqual(fleet);
  }
  expect(typed(read("a1-a4 c1-c3"))).toBe("a1-a4 c1-c3");
});

test("random fleets are legal", () => {
  let seed = 7;
  const below = (n: number) => (seed = (seed * 48271) % 2147483647) % n;
  for (let i = 0; i < 20; i++) expect(legal(random(below))).toBe(true);
});

test("a ship is kept on the board", () => {
  expect(within({ at: 0, length: 4, down: false }, 7, 9)).toEqual({ at: 7 * side + 4, length: 4, down: false });
  expect(inside({ at: 5, length: 4, down: false })).toBe(false);
  expect(inside({ at: 5, length: 4, down: true })).toBe(true);
});

test("corners touch, and the end of a row does not touch the next row's start", () => {
  const [a, corner, next] = read("a1-b1 c2-d2 e1-f1");
  expect(touch(a!, corner!)).toBe(true);
  expect(touch(a!, next!)).toBe(false);
  expect(touch(read("g1-h1")[0]!, read("a2-b2")[0]!)).toBe(false);
  expect(clashes([a!, corner!, read("a8-b8")[0]!])).toEqual([0, 1]);
});

test("a ship is sunk when nothing can lie beyond its ends", () => {
  const empty = "........";
  const board = (...rows: string[]) => [...rows, ...new Array(8 - rows.length).fill(empty)];
  expect(sunk(board("xx......"))).toEqual([]);
  expect(sunk(board("xxo....."))).toEqual([{ at: 0, length: 2, down: false }]);
  expect(sunk(board(".xxo...."))).toEqual([]);
  expect(sunk(board("..xxxx.."))).toEqual([{ at: 2, length: 4, down: false }]);
  expect(sunk(board("......xx", "o......."))).toEqual([]);
  expect(sunk(board(".....oxx"))).toEqual([{ at: 6, length: 2, down: false }]);
  expect(sunk(board("x.......", "x.......", "o......."))).toEqual([{ at: 0, length: 2, down: true }]);
  expect(sunk(board("x......."))).toEqual([]);
});
