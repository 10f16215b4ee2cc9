// A code is its colours, peg 0 first; a person types them as digits.
export type Code = number[];

export interface Row {
  guess: string;
  right: number;
  wrong: number;
}

export const parse = (digits: string): Code => [...digits].map(Number);

/** opened is the code, as digits, of a move that opens it: two bytes in hex, three bits a peg. */
export const opened = (move: string, pegs: number) => Array.from({ length: pegs }, (_, i) => (parseInt(move.slice(2, 6), 16) >> (3 * i)) & 7).join("");

/** answer is the one true answer to a guess at a code. */
export function answer(code: Code, guess: Code): { right: number; wrong: number } {
  const inCode = new Array<number>(8).fill(0);
  const inGuess = new Array<number>(8).fill(0);
  let right = 0;
  code.forEach((colour, i) => {
    if (colour === guess[i]) right++;
    else {
      inCode[colour]!++;
      inGuess[guess[i]!]!++;
    }
  });
  return { right, wrong: inCode.reduce((sum, n, colour) => sum + Math.min(n, inGuess[colour]!), 0) };
}

/** truthful reports whether a row's answer is true of a code. */
export function truthful(code: Code, row: Row): boolean {
  const { right, wrong } = answer(code, parse(row.guess));
  return right === row.right && wrong === row.wrong;
}

/** possible counts the codes that all answers allow; there are at most 8^5. */
export function possible(rows: Row[], pegs: number, colours: number): number {
  let count = 0;
  const code: Code = new Array(pegs).fill(0);
  for (let n = colours ** pegs; n > 0; n--) {
    if (rows.every((row) => truthful(code, row))) count++;
    for (let i = 0; i < pegs; i++) {
      code[i] = (code[i]! + 1) % colours;
      if (code[i] !== 0) break;
    }
  }
  return count;
}
