import { draw } from "../boards/box9/draw";
import { bytes, type Case, type Check } from "./check";

/** The block's hash as the chain has it, in hex with 0x. */
export type HashOf = (block: bigint, price: number) => Promise<string>;

const drawing = 2; // the phase
const size = 1 + 32 + 32; // bytes of a draw: how it counts, the hash, and the bets

/** box9 checks each draw: that the hash is the block's, and what it fills. */
export function box9(c: Case, hashOf: HashOf): Promise<Check[]> {
  const draws = c.steps.filter((s) => s.phase === drawing && s.move.length === 2 * size);
  const price = Number(c.params.price); // of a box in coins
  return Promise.all(draws.map(async (s): Promise<Check> => {
    const [round, block, used] = [parseInt(bytes(s.state, 2, 3), 16) + 1, BigInt(`0x${bytes(s.state, 3, 11)}`), `0x${bytes(s.move, 1, 33)}`];
    const filled = draw(used, price);
    const known = await hashOf(block, price).catch(() => "");
    const boxes = `gold in box ${filled.gold}, silver in ${filled.silver.join(" and ")}`;
    return {
      what: `The draw of round ${round}`, right: known ? known === used : undefined,
      says: !known ? `Its hash fills ${boxes}. The chain does not tell the hash of block ${block} any more: look it up in an explorer.`
        : known === used ? `The hash is that of block ${block} on the chain, and it fills ${boxes}.` : `Block ${block} has another hash on the chain.`,
      hand: "Add the price in coins to the hash, as numbers of 256 bits, and take keccak256 of the sum. Its first 63 digits are nine numbers of seven, box 1 first: the lowest is gold, the next two are silver.",
      values: [["block", String(block)], ["hash", used], ["price in coins", String(price)], ["boxes", filled.parts.join(" ")], ["command", `channeld box9 check --hash ${used} --price ${price}`]],
    };
  }));
}
