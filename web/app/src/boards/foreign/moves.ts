// What a manifest says of moves, as the view of foreign rules carries it.
export interface Field {
  name: string;
  help?: string;
  size?: number; // bytes; 1 if it is left out
  min?: number;
  max?: number;
  values?: string[];
}

export interface Move {
  name: string;
  help?: string;
  fields: Field[] | null;
}

const listed = 64; // choices of a field that are offered as a list

/** most is the largest value of a field. */
export function most(f: Field): bigint {
  const fits = 2n ** BigInt(8 * (f.size ?? 1)) - 1n;
  const wide = 2n ** 64n - 1n; // what can be typed
  const named = f.values?.length ? BigInt(f.values.length - 1) : wide;
  return [fits, f.max ? BigInt(f.max) : named, wide].reduce((a, b) => (a < b ? a : b));
}

/** isBytes tells fields whose values are written as bytes, and may be any. */
export const isBytes = (f: Field) => (f.size ?? 1) > 8 && !f.min && !f.max && !f.values?.length;

/** wanted says what can be typed. */
export const wanted = (f: Field) => (isBytes(f) ? `0x and ${2 * f.size!} digits` : `${f.min ?? 0} to ${most(f)}`);

/** choices are the values of a field to choose from; nothing if there are too many to list. */
export function choices(f: Field): string[] | undefined {
  const from = BigInt(f.min ?? 0);
  const count = most(f) - from + 1n;
  if (count > BigInt(listed)) return undefined;
  return Array.from({ length: Number(count) }, (_, i) => f.values?.[Number(from) + i] ?? String(from + BigInt(i)));
}

/** check says what is wrong with a typed value; nothing if it can be sent. */
export function check(f: Field, typed: string): string {
  if (choices(f)?.includes(typed)) return "";
  if (isBytes(f) && new RegExp(`^0x[0-9a-f]{${2 * f.size!}}$`, "i").test(typed)) return "";
  if (!/^\d{1,20}$/.test(typed) || BigInt(typed) < BigInt(f.min ?? 0) || BigInt(typed) > most(f)) return `${f.name}: ${wanted(f)}`;
  return "";
}

/**
 * byCell says which move a click on a cell of the board makes: where moves are one number, and
 * there are as many of it as cells, the cell is meant; as many as columns, the column.
 */
export function byCell(moves: Move[], width: number, count: number): ((cell: number) => string) | undefined {
  const [kind] = moves;
  const [field] = kind?.fields ?? [];
  if (moves.length !== 1 || !kind || !field || kind.fields!.length !== 1 || field.min || field.values) return undefined;
  if (most(field) === BigInt(count - 1)) return (cell) => `${kind.name} ${cell}`;
  if (most(field) === BigInt(width - 1)) return (cell) => `${kind.name} ${cell % width}`;
  return undefined;
}

/** cells numbers the signs of a board, as drawn from the top, the way the rules do. */
export function cells(rows: string[], upwards: boolean): { sign: string; cell: number }[][] {
  return rows.map((row, r) => {
    const signs = [...row].filter((_, i) => i % 2 === 0);
    return signs.map((sign, c) => ({ sign, cell: (upwards ? rows.length - 1 - r : r) * signs.length + c }));
  });
}
