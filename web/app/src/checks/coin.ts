import { bytes, capital, type Case, type Check } from "./check";
import { unseal, word } from "./commitment";

const show = 2; // the phase

/** coin checks the coin that seat 0 covered before seat 1 called it. */
export function coin(c: Case, tag: string, commitment = ""): Check {
  const open = c.steps.find((s) => s.phase === show);
  return unseal({
    what: `${capital(c.whose(0))} coin`, tag, match: c.match, seat: 0, round: 0, commitment,
    opened: open && { secret: word(bytes(open.move, 0, 1)), salt: bytes(open.move, 1), shown: Number(bytes(open.move, 0, 1)) ? "Tails" : "Heads" },
  });
}
