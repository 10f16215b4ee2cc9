import { bytes, capital, type Case, type Check } from "./check";
import { unseal } from "./commitment";

const open = 2; // the first phase in which somebody opens

/** splitsteal checks what each of the two chose before either knew. */
export function splitsteal(c: Case): Check[] {
  return c.steps.filter((s) => s.phase < open && s.move.length === 64).map((s) => {
    const shown = c.steps.find((o) => o.phase >= open && o.mover === s.mover && o.move.length === 128);
    const split = shown && BigInt(`0x${bytes(shown.move, 0, 32)}`) & 1n;
    return unseal({
      what: `${capital(c.whose(s.mover))} choice`, tag: "ante.splitsteal.choice", match: c.match, seat: s.mover, round: 0, commitment: s.move,
      opened: shown && { secret: bytes(shown.move, 0, 32), salt: bytes(shown.move, 32), shown: split ? "An odd number, which is split" : "An even number, which is steal" },
    });
  });
}
