import { expect, test } from "vitest";
import { cellOf, mine, table, type View } from "./matrix";

const gets = (x: string, y: string, house = "0") => ({ x, y, house });
const view = (more: Partial<View>): View => ({
  role: "X", x: "choosing", y: "choosing", stakes: gets("10", "20", "5"),
  matrix: [
    { x: "split", y: "split", gets: gets("1", "2") }, { x: "split", y: "steal", gets: gets("3", "4") },
    { x: "steal", y: "split", gets: gets("5", "6") }, { x: "steal", y: "steal", gets: gets("7", "8") },
    { x: "disqualified", y: "either", gets: gets("0", "30") }, { x: "either", y: "disqualified", gets: gets("30", "0") },
    { x: "disqualified", y: "disqualified", gets: gets("0", "0", "35") },
  ],
  ...more,
});

test("a seat sees its own side first", () => {
  expect(mine(view({ role: "Y", y: "committed" }))).toEqual({ seat: "y", choice: "committed", theirs: "choosing", bet: "20", theirBet: "10" });
  expect(table(view({ role: "Y" }))[1]).toMatchObject({ you: "steal", they: "split", gets: "4", theyGet: "3" });
  expect(table(view({}))[1]).toMatchObject({ you: "split", they: "steal", gets: "3", theyGet: "4" });
});

test("the case that came true is found", () => {
  expect(cellOf(view({ x: "steal", y: "split" }))!.gets.x).toBe("5");
  expect(cellOf(view({ x: "disqualified", y: "present" }))!.gets.y).toBe("30");
  expect(cellOf(view({ x: "disqualified", y: "disqualified" }))!.gets.house).toBe("35");
  expect(cellOf(view({}))).toBeUndefined();
});
