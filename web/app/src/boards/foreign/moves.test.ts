import { expect, test } from "vitest";
import connectFour from "../../../../../examples/connectfour/connectfour.json";
import { byCell, cells, check, choices, most, type Move } from "./moves";

test("fields hold what fits, what is named, and what can be typed", () => {
  expect(most({ name: "a" })).toBe(255n);
  expect(most({ name: "a", max: 6 })).toBe(6n);
  expect(most({ name: "a", size: 32 })).toBe(2n ** 64n - 1n);
  expect(most({ name: "a", values: ["x", "y"] })).toBe(1n);
  expect(choices({ name: "a", values: ["x", "y"] })).toEqual(["x", "y"]);
  expect(choices({ name: "a", min: 2, max: 4 })).toEqual(["2", "3", "4"]);
  expect(choices({ name: "a" })).toBeUndefined();
});

test("what can't be sent is told", () => {
  expect(check({ name: "a", size: 32 }, "18446744073709551615")).toBe("");
  expect(check({ name: "a", size: 32 }, "18446744073709551616")).toContain("0x and 64 digits");
  expect(check({ name: "a", size: 32 }, `0x${"aB".repeat(32)}`)).toBe("");
  expect(check({ name: "a", size: 32 }, `0x${"ab".repeat(31)}`)).not.toBe("");
  expect(check({ name: "a", size: 32, max: 9 }, `0x${"ab".repeat(32)}`)).toContain("0 to 9");
  expect(check({ name: "a" }, "256")).not.toBe("");
  expect(check({ name: "a", min: 3 }, "2")).not.toBe("");
  expect(check({ name: "a" }, "")).not.toBe("");
  expect(check({ name: "a", values: ["x"] }, "x")).toBe("");
});

test("a click on a board is a move where that is plain", () => {
  const drop = connectFour.moves as Move[];
  expect(byCell(drop, 7, 42)?.(38)).toBe("drop 3");
  expect(byCell([{ name: "take", fields: [{ name: "cell", max: 8 }] }], 3, 9)?.(5)).toBe("take 5");
  expect(byCell([...drop, ...drop], 7, 42)).toBeUndefined();
  expect(byCell([{ name: "move", fields: [{ name: "from", max: 8 }, { name: "to", max: 8 }] }], 3, 9)).toBeUndefined();
});

test("cells are numbered as the rules do", () => {
  expect(cells(["O .", "X X"], true)).toEqual([[{ sign: "O", cell: 2 }, { sign: ".", cell: 3 }], [{ sign: "X", cell: 0 }, { sign: "X", cell: 1 }]]);
  expect(cells(["O .", "X X"], false)[1]![0]).toEqual({ sign: "X", cell: 2 });
});
