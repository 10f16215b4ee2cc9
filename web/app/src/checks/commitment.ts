import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import type { Check } from "./check";

/** hash is the Keccak-256 of bytes; both are hex without 0x. */
export const hash = (hex: string) => bytesToHex(keccak_256(hexToBytes(hex)));

/** word is a number, or bytes, as 32 bytes with zeros before. */
export const word = (value: number | string) => (typeof value === "number" ? value.toString(16) : value).padStart(64, "0");

/** tagged is a text as 32 bytes with zeros behind. */
export const tagged = (text: string) => bytesToHex(new TextEncoder().encode(text)).padEnd(64, "0");

/** What somebody hid, and what opens it; all in hex without 0x. */
export interface Sealed {
  what: string;
  tag: string;
  match: string;
  seat: number;
  round: number;
  commitment: string;
  /** Nothing: it was never opened. */
  opened?: { secret: string; salt: string; shown: string };
}

/** preimage is abi.encode(tag, matchId, seat, round, secret, salt), of which a commitment is the hash. */
export const preimage = (s: Omit<Sealed, "what" | "commitment" | "opened">, secret: string, salt: string) =>
  tagged(s.tag) + s.match + word(s.seat) + word(s.round) + secret + salt;

/** unseal checks that what was opened is what was hidden. */
export function unseal(s: Sealed): Check {
  const hand = `keccak256(abi.encode("${s.tag}" as bytes32, match, seat ${s.seat}, round ${s.round}, secret, salt)) is the commitment: the hash of the bytes below, 32 for each.`;
  if (!s.opened) {
    return { what: s.what, says: "It stays closed: the match ended before it was opened.", hand, values: [["commitment", `0x${s.commitment}`]] };
  }
  const { secret, salt, shown } = s.opened;
  const hidden = preimage(s, secret, salt);
  const right = hash(hidden) === s.commitment;
  return {
    what: s.what, right, hand, says: right ? `${shown}: that is what was hidden before, and nothing else.` : `${shown}: that is not what was hidden.`,
    values: [["bytes", `0x${hidden}`], ["their hash", `0x${hash(hidden)}`], ["commitment", `0x${s.commitment}`]],
  };
}
