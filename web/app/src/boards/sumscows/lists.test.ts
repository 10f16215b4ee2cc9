import { expect, test } from "vitest";
import vectors from "../../../../../games/sumscows/testdata/vectors.json";
import { possible, standing, truth, type Row } from "./lists";

const word = (letters: number[]) => String.fromCharCode(...letters.map((l) => 65 + l));

test("results are those of the rules", () => {
  for (const v of vectors.cases.result) {
    expect(truth(word(v.secret), word(v.guess)), v.why).toEqual({ common: v.size_R, sum: v.sum_R, found: v.win });
  }
});

function* all(n: number, d: number, head = ""): Generator<string> {
  if (head.length === d) yield head;
  else for (let i = 0; i < n; i++) {
    const letter = word([i]);
    if (!head.includes(letter)) yield* all(n, d, head + letter);
  }
}

const rowsAt = (hidden: string, guesses: string[]): Row[] => guesses.map((guess) => ({ guess, ...truth(hidden, guess) }));

test("possible lists are as many as trying all of them finds", () => {
  const lists = [...all(6, 4)];
  for (let i = 0; i < lists.length; i += 37) {
    const rows = rowsAt(lists[i]!, ["ABCD", "CBEF", "FADE", lists[(i * 5) % lists.length]!, "DCBA"]);
    for (let n = 0; n <= rows.length; n++) {
      const some = rows.slice(0, n);
      const fits = lists.filter((l) => some.every((r) => {
        const t = truth(l, r.guess);
        return t.common === r.common && t.sum === r.sum && t.found === Boolean(r.found);
      }));
      const found = some.some((r) => r.found);
      if (!found) expect(possible(some, 6, 4), `${lists[i]} ${n}`).toBe(BigInt(fits.length));
      for (const [letter, what] of standing(some, 6, 4)) {
        expect(fits.every((l) => l.includes(letter) === (what === "in")), `${letter} is ${what}`).toBe(true);
      }
    }
  }
});

test("the first count of a large match is exact", () => {
  expect(possible([], 26, 10)).toBe(19275223968000n); // 26!/16!
});

test("a guess that was not found is not possible any more, whatever its result", () => {
  expect(possible([{ guess: "ABCD", common: 4, sum: 6 }], 6, 4)).toBe(23n); // the other orders of its letters
});
