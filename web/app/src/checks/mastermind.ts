import { opened, truthful, type Row } from "../boards/mastermind/codes";
import { bytes, capital, numbers, plural, type Case, type Check, type Step } from "./check";
import { unseal, word } from "./commitment";
import { coin } from "./coin";

const [commit, reveal] = [3, 6]; // phases
const head = 7; // bytes of a state before its commitment
const maker = 1; // the byte of a state that has the seat

/** mastermind checks the coin, each code that was hidden, and each answer that was given. */
export function mastermind(c: Case): Check[] {
  const checks = [coin(c, "ante.mastermind.coin", c.steps[0]?.move)];
  for (const step of c.steps.filter((s) => s.phase === commit)) {
    const round = numbers(step.state)[2]!;
    const open = c.steps.find((s) => s.phase === reveal && numbers(s.state)[2] === round);
    checks.push(unseal({
      what: `${capital(c.whose(step.mover))} code of round ${round + 1}`, tag: "ante.mastermind.code", match: c.match, seat: step.mover, round, commitment: step.move,
      opened: open && { secret: word(bytes(open.move, 0, 2)), salt: bytes(open.move, 2), shown: code(open, c) },
    }));
    if (open) checks.push(answers(c, open, round));
  }
  return checks;
}

const code = (open: Step, c: Case) => opened(`0x${open.move}`, c.params.pegs);

function answers(c: Case, open: Step, round: number): Check {
  const secret = [...code(open, c)].map(Number);
  const rows = numbers(bytes(open.state, head + 32)).reduce<number[][]>((all, b, i) => (i % 3 ? all.at(-1)!.push(b) : all.push([b]), all), []).map(([high, low, answer]): Row => ({
    guess: opened(`0x${word(high! * 256 + low!).slice(-4)}`, c.params.pegs), right: answer! & 15, wrong: answer! >> 4,
  }));
  const lies = rows.flatMap((row, i) => (truthful(secret, row) ? [] : [i + 1]));
  return {
    what: `${capital(c.whose(numbers(open.state)[maker]!))} answers of round ${round + 1}`, right: lies.length === 0,
    says: lies.length ? `False of the code: answer ${lies.join(", ")} of ${rows.length}.` : `${plural(rows.length, "answer")}, each true of the code.`,
    hand: "In place: the pegs of a guess that have the code's colour at their place. Elsewhere: of the rest, each colour as often as both have it.",
    values: [["code", code(open, c)], ["guesses", rows.map((r) => `${r.guess}: ${r.right} in place, ${r.wrong} elsewhere`).join("; ")]],
  };
}
