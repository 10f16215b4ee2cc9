// A list is ordered letters, all different; the place of a letter in it, from 0, is its number.
export interface Row {
  guess: string;
  common: number;
  sum: number;
  found?: boolean;
}

/** truth is the one true result of a guess at a hidden list. */
export function truth(hidden: string, guess: string): { common: number; sum: number; found: boolean } {
  const places = [...guess].map((letter) => hidden.indexOf(letter)).filter((place) => place >= 0);
  return { common: places.length, sum: places.reduce((a, b) => a + b, 0), found: hidden === guess };
}

const most = 60_000; // of what is remembered at a time, so that a phone counts in an instant

/**
 * possible counts the lists that all results allow, of `d` letters out of the first `n`; nothing
 * when that would take too long. Letters that are in the same guesses are alike: what is walked
 * through is which kind of letter stands at each place.
 */
export function possible(rows: Row[], n: number, d: number): bigint | undefined {
  const kinds = new Map<number, number>(); // the guesses that letters are in, as bits: how many such letters
  for (let i = 0; i < n; i++) {
    const letter = String.fromCharCode(65 + i);
    const bits = rows.reduce((mask, row, r) => (row.guess.includes(letter) ? mask | (1 << r) : mask), 0);
    kinds.set(bits, (kinds.get(bits) ?? 0) + 1);
  }
  if (rows.length > 30) return undefined;
  const list = [...kinds.keys()];
  const start: number[] = [...list.map((bits) => kinds.get(bits)!), ...rows.flatMap((row) => [row.common, row.sum])];
  let states = new Map<string, { left: number[]; ways: bigint }>([[start.join(), { left: start, ways: 1n }]]);
  for (let place = d - 1; place >= 0; place--) {
    const next: typeof states = new Map();
    for (const { left, ways } of states.values()) {
      for (let k = 0; k < list.length; k++) {
        if (left[k] === 0) continue;
        const after = take(left, k, list, place, rows.length);
        if (!after) continue;
        const key = after.join();
        const more = ways * BigInt(left[k]!);
        const known = next.get(key);
        if (known) known.ways += more;
        else if (next.size === most) return undefined;
        else next.set(key, { left: after, ways: more });
      }
    }
    states = next;
  }
  let count = 0n;
  for (const { ways } of states.values()) count += ways;
  return count - BigInt(tried(rows));
}

/** take puts a letter of a kind at a place; nothing if the places before it can't make up the rest. */
function take(left: number[], kind: number, kinds: number[], place: number, guesses: number): number[] | undefined {
  const after = left.slice();
  after[kind]!--;
  for (let r = 0; r < guesses; r++) {
    const at = kinds.length + 2 * r;
    if ((kinds[kind]! >> r) & 1) {
      after[at]!--;
      after[at + 1]! -= place;
    }
    const [k, sum] = [after[at]!, after[at + 1]!];
    if (k < 0 || k > place || sum < (k * (k - 1)) / 2 || sum > (k * (2 * place - k - 1)) / 2) return undefined;
  }
  return after;
}

/** tried counts the guesses that the results would allow if they had not been tried. */
function tried(rows: Row[]): number {
  const wrong = new Set(rows.filter((row) => !row.found).map((row) => row.guess));
  return [...wrong].filter((guess) => rows.every((row) => {
    const t = truth(guess, row.guess);
    return t.common === row.common && t.sum === row.sum;
  })).length;
}

/** standing says of each letter whether the results prove that it is in the list, or that it is not. */
export function standing(rows: Row[], n: number, d: number): Map<string, "in" | "out"> {
  const known = new Map<string, "in" | "out">();
  const letters = Array.from({ length: n }, (_, i) => String.fromCharCode(65 + i));
  for (let changed = true; changed; ) {
    changed = false;
    const learn = (list: string[], what: "in" | "out") => list.forEach((l) => {
      if (!known.has(l)) changed = Boolean(known.set(l, what));
    });
    for (const [guess, common] of [...rows.map((r) => [r.guess, r.common] as const), [letters.join(""), d] as const]) {
      const open = [...guess].filter((l) => !known.has(l));
      const more = common - [...guess].filter((l) => known.get(l) === "in").length;
      if (more === 0) learn(open, "out");
      else if (more === open.length) learn(open, "in");
    }
    for (const row of rows) {
      if (row.common === d) learn(letters.filter((l) => !row.guess.includes(l)), "out");
    }
  }
  return known;
}
