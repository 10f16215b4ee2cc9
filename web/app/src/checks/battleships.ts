import { name, side } from "../boards/battleships/fleet";
import { bytes, capital, numbers, plural, type Case, type Check, type Step } from "./check";
import { coin } from "./coin";
import { hash, preimage, tagged, word } from "./commitment";

const [toss, call, shoot, answer] = [0, 1, 3, 4]; // phases
const cells = side * side;
const depth = 6; // hashes beside the path from a cell to the root
const opening = 8 + 32; // bytes of a move that opens a board: its fleet and its secret

/** battleships checks the coin, each board that was opened, and each answer with its proof. */
export function battleships(c: Case): Check[] {
  const first = (phase: number) => c.steps.find((s) => s.phase === phase)?.move ?? "";
  const roots = [bytes(first(toss), 0, 32), bytes(first(call), 1, 33)];
  return [coin(c, "ante.battleships.coin", bytes(first(toss), 32)), ...[0, 1].flatMap((seat) => (roots[seat] ? [board(c, seat, roots[seat]), proofs(c, seat, roots[seat])] : []))];
}

const ship = (fleet: string, cell: number) => Number((BigInt(`0x${fleet}`) >> BigInt(cell)) & 1n);
const opened = (c: Case, seat: number) => c.steps.find((s) => s.phase >= shoot && s.mover === seat && s.move.length === 2 * opening)?.move;
const leaf = (c: Case, seat: number, cell: number, has: number, salt: string) =>
  preimage({ tag: "ante.battleships.cell", match: c.match, seat, round: cell }, word(has), salt);

/** root is that of the tree over a board's cells. */
function root(c: Case, seat: number, fleet: string, secret: string): string {
  let row = Array.from({ length: cells }, (_, cell) => hash(leaf(c, seat, cell, ship(fleet, cell), hash(tagged("ante.battleships.salt") + secret + word(cell)))));
  while (row.length > 1) row = Array.from({ length: row.length / 2 }, (_, i) => hash(row[2 * i]! + row[2 * i + 1]!));
  return row[0]!;
}

function board(c: Case, seat: number, committed: string): Check {
  const open = opened(c, seat);
  const what = `${capital(c.whose(seat))} board`;
  const hand = "salt(cell) = keccak256(abi.encode(\"ante.battleships.salt\", secret, cell)); leaf(cell) = keccak256(abi.encode(\"ante.battleships.cell\", match, seat, cell, ship, salt(cell))), ship 1 or 0, cells by rows from a1. Hash the 64 leaves in pairs, then those, until one is left: that is the root.";
  if (!open) return { what, says: "It stays closed: who has hit all 18 cells opens alone, and the answers below are proved one by one.", hand, values: [["root", `0x${committed}`]] };
  const [fleet, secret] = [bytes(open, 0, 8), bytes(open, 8)];
  const found = root(c, seat, fleet, secret);
  const lies = answered(c, seat).filter((a) => ship(fleet, a.cell) !== a.has);
  const right = found === committed && lies.length === 0;
  return {
    what, right, hand,
    says: found !== committed ? "The board that was opened is not the one that was hidden." : lies.length ? `It is what was hidden, but answers were false: ${lies.map((a) => name(a.cell)).join(", ")}.`
      : "The board that was opened is the one that was hidden, and every answer is true of it.",
    values: [["fleet, a bit for each cell", `0x${fleet}`], ["secret", `0x${secret}`], ["root of these", `0x${found}`], ["root that was published", `0x${committed}`], ["match, seat", `0x${c.match}, ${seat}`]],
  };
}

/** answered are the answers that a seat gave; a state that waits for one ends with its cell. */
const answered = (c: Case, seat: number) =>
  c.steps.filter((s) => s.phase === answer && s.mover === seat && s.move.length !== 2 * opening).map((s: Step) => ({ cell: numbers(s.state).at(-1)!, has: Number(bytes(s.move, 0, 1)), proof: bytes(s.move, 1) }));

/** climb goes from a cell up to the root. */
function climb(c: Case, seat: number, a: { cell: number; has: number; proof: string }): string {
  let node = hash(leaf(c, seat, a.cell, a.has, bytes(a.proof, 0, 32)));
  for (let i = 1; i <= depth; i++) {
    const beside = bytes(a.proof, 32 * i, 32 * i + 32);
    node = hash((a.cell >> (i - 1)) & 1 ? beside + node : node + beside);
  }
  return node;
}

function proofs(c: Case, seat: number, committed: string): Check {
  const all = answered(c, seat);
  const proved = all.filter((a) => a.proof);
  const wrong = proved.filter((a) => climb(c, seat, a) !== committed);
  const last = proved.at(-1);
  const what = `${capital(c.whose(seat))} ${plural(all.length, "answer")}`;
  const hand = "Hash the leaf below, then with each hash beside its path, the lowest first: the one of the lower cells goes left. The last is the root.";
  if (!last) return { what, says: all.length ? "This match trusts answers: none has a proof. The opened board shows whether they are true." : "Nothing was answered.", hand, values: [] };
  return {
    what, right: wrong.length === 0, hand,
    says: wrong.length ? `Without a proof that holds: ${wrong.map((a) => name(a.cell)).join(", ")}.` : `${proved.length === 1 ? "Its proof leads" : "The proof of each leads"} to the root that was published before the first shot.`,
    values: [
      [`leaf of ${name(last.cell)}, ${last.has ? "hit" : "miss"}`, `0x${leaf(c, seat, last.cell, last.has, bytes(last.proof, 0, 32))}`],
      ...Array.from({ length: depth }, (_, i): [string, string] => [`beside, ${i + 1}`, `0x${bytes(last.proof, 32 * (i + 1), 32 * (i + 2))}`]),
      ["root", `0x${committed}`],
    ],
  };
}
