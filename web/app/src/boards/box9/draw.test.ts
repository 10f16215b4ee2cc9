import { expect, test } from "vitest";
import vectors from "../../../../../games/box9/testdata/vectors.json";
import { draw } from "./draw";

test("draws are those of the rules", () => {
  for (const v of vectors.cases.round_result) {
    expect(draw(`0x${v.blockhash}`, v.price), v.why).toEqual({ parts: v.parts, gold: v.gold, silver: v.silver });
  }
});
