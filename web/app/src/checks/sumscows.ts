import { truth } from "../boards/sumscows/lists";
import { bytes, capital, numbers, plural, type Case, type Check } from "./check";
import { unseal } from "./commitment";

const [commit, open] = [0, 3]; // phases
const head = 3 + 32; // bytes of a state before its guesses

const letters = (hex: string) => numbers(hex).map((n) => String.fromCharCode(65 + n)).join("");

/** sumscows checks the list that the server hid, and each of its results. */
export function sumscows(c: Case): Check[] {
  const hidden = c.steps.find((s) => s.phase === commit);
  const shown = c.steps.find((s) => s.phase === open);
  if (!hidden) return [];
  const d = c.params.d as number;
  const list = shown && letters(bytes(shown.move, 0, d));
  const sealed = unseal({
    what: `${capital(c.whose(hidden.mover))} list`, tag: "ante.sumscows.list", match: c.match, seat: hidden.mover, round: 0, commitment: hidden.move,
    opened: shown && { secret: bytes(shown.move, 0, 32), salt: bytes(shown.move, 32), shown: list! },
  });
  return shown ? [sealed, results(bytes(shown.state, head), d, list!, c.whose(hidden.mover))] : [sealed];
}

function results(transcript: string, d: number, list: string, whose: string): Check {
  const size = d + 2;
  const rows = Array.from({ length: transcript.length / 2 / size }, (_, i) => {
    const row = bytes(transcript, i * size, (i + 1) * size);
    const result = parseInt(bytes(row, d), 16);
    return { guess: letters(bytes(row, 0, d)), common: (result >> 10) & 31, sum: result & 1023, found: result >> 15 === 1 };
  });
  const lies = rows.flatMap((row, i) => {
    const t = truth(list, row.guess);
    return t.common === row.common && t.sum === row.sum && t.found === row.found ? [] : [i + 1];
  });
  return {
    what: `${capital(whose)} results`, right: lies.length === 0,
    says: lies.length ? `False of the list: result ${lies.join(", ")} of ${rows.length}.` : `${plural(rows.length, "result")}, each true of the list.`,
    hand: "Count the letters of a guess that are in the list, and add up their places there; the first place counts 0.",
    values: [["list", list], ["guesses", rows.map((r) => `${r.guess}: ${r.found ? "found" : `${r.common} in common, sum ${r.sum}`}`).join("; ")]],
  };
}
