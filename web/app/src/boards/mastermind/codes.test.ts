import { expect, test } from "vitest";
import vectors from "../../../../../games/mastermind/testdata/vectors.json";
import { answer, possible, truthful } from "./codes";

const pegs = (code: number) => [0, 1, 2, 3].map((i) => (code >> (3 * i)) & 7);

test("answers are those of the rules", () => {
  for (const v of vectors.feedback) {
    expect(answer(pegs(v.solution_code), pegs(v.guess_code)), v.why).toEqual({ right: v.cp, wrong: v.np });
  }
});

test("lies are those that the rules convict", () => {
  for (const v of vectors.dispute) {
    const rows = v.guesses.map((guess, i) => ({ guess: guess.join(""), right: v.feedbacks[i]![0]!, wrong: v.feedbacks[i]![1]! }));
    expect(rows.flatMap((row, i) => (truthful(v.solution, row) ? [] : [i]))).toEqual(v.lies);
  }
});

test("possible codes are counted", () => {
  expect(possible([], 4, 6)).toBe(1296);
  expect(possible([{ guess: "0123", right: 4, wrong: 0 }], 4, 6)).toBe(1);
  expect(possible([{ guess: "0123", right: 0, wrong: 4 }], 4, 6)).toBe(9); // derangements
  expect(possible([{ guess: "0000", right: 0, wrong: 0 }], 4, 6)).toBe(625);
  expect(possible([{ guess: "0000", right: 0, wrong: 0 }, { guess: "1111", right: 4, wrong: 0 }, { guess: "2222", right: 1, wrong: 0 }], 4, 6)).toBe(0);
});
