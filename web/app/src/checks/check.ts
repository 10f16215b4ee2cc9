// What anybody can check of a match that is over, from nothing but the bytes that were signed:
// games/*/encoding.txt says what they mean.

/** One thing that can be checked. */
export interface Check {
  what: string;
  /** Nothing: it was not shown. */
  right?: boolean;
  /** The verdict, as a sentence. */
  says: string;
  /** How to do it without this page. */
  hand: string;
  /** What that needs, by name. */
  values: [string, string][];
}

/** A move, in hex without 0x, and the state that it was made in; a state's first byte is its phase. */
export interface Step {
  mover: number;
  phase: number;
  state: string;
  move: string;
}

/** A match to be checked. */
export interface Case {
  match: string; // its id, in hex without 0x
  params: Record<string, any>;
  steps: Step[];
  /** whose is "your" or "Bob's". */
  whose: (seat: number) => string;
}

/** bytes cuts bytes out of hex. */
export const bytes = (hex: string, from: number, to?: number) => hex.slice(2 * from, to === undefined ? undefined : 2 * to);

/** numbers are bytes as numbers. */
export const numbers = (hex: string) => (hex.match(/../g) ?? []).map((b) => parseInt(b, 16));

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
export const plural = (n: number, what: string) => (n === 1 ? `1 ${what}` : `${n} ${what}s`);
