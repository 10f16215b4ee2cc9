import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";

export const boxes = 9;
export const mostBoxes = 6;

export interface Draw {
  parts: string[]; // of each box: seven hex digits
  gold: number; // box, from 1
  silver: number[];
}

/**
 * draw makes of a block's hash and the price of a box in coins what the rules make of it: their sum
 * is hashed again, the boxes' numbers are the digits of that, seven each; the lowest is gold, the
 * next two are silver, and of equal ones the lower box comes first.
 */
export function draw(hash: string, price: number): Draw {
  const sum = (BigInt(hash) + BigInt(price)) % 2n ** 256n;
  const digits = bytesToHex(keccak_256(hexToBytes(sum.toString(16).padStart(64, "0"))));
  const parts = Array.from({ length: boxes }, (_, i) => digits.slice(7 * i, 7 * i + 7));
  const order = parts.map((_, i) => i).sort((a, b) => parseInt(parts[a]!, 16) - parseInt(parts[b]!, 16) || a - b);
  return { parts, gold: order[0]! + 1, silver: [order[1]! + 1, order[2]! + 1] };
}

/** prizes of a pool, in its unit: gold's is won on top of what nobody won before. */
export const prizes = (pool: bigint) => ({ gold: (pool * 70n) / 100n, silver: (pool * 125n) / 1000n });
