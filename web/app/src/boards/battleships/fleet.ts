// Cells are numbered by row: 0 is a1, 7 is h1, 8 is a2.
export const side = 8;
export const lengths = [4, 3, 3, 2, 2, 2, 2];

export interface Ship {
  at: number; // its first cell
  length: number;
  down: boolean; // else to the right
}

export const name = (cell: number) => "abcdefgh"[cell % side]! + (Math.floor(cell / side) + 1);
export const cell = (name: string) => name.charCodeAt(0) - 97 + side * (Number(name.slice(1)) - 1);

export const cellsOf = ({ at, length, down }: Ship) => Array.from({ length }, (_, i) => at + i * (down ? side : 1));

/** inside reports whether a ship lies within the board. */
export const inside = ({ at, length, down }: Ship) =>
  at >= 0 && at < side * side && (down ? Math.floor(at / side) : at % side) + length <= side;

/** within moves a ship's first cell so that all of it lies within the board. */
export function within(ship: Ship, column: number, row: number): Ship {
  const most = (along: boolean) => side - (along ? ship.length : 1);
  const c = Math.max(0, Math.min(most(!ship.down), column));
  const r = Math.max(0, Math.min(most(ship.down), row));
  return { ...ship, at: r * side + c };
}

/** touch reports whether two ships have a cell, a side or a corner in common. */
export function touch(a: Ship, b: Ship): boolean {
  const far = (x: number, y: number) => Math.max(Math.abs((x % side) - (y % side)), Math.abs(Math.floor(x / side) - Math.floor(y / side)));
  return cellsOf(a).some((x) => cellsOf(b).some((y) => far(x, y) < 2));
}

/** clashes lists the ships, by index, that touch another. */
export const clashes = (fleet: Ship[]) => fleet.flatMap((a, i) => (fleet.some((b, j) => i !== j && touch(a, b)) ? [i] : []));

/** legal reports whether the rules take a fleet. */
export const legal = (fleet: Ship[]) =>
  fleet.map((s) => s.length).sort((a, b) => b - a).join() === lengths.join() && fleet.every(inside) && clashes(fleet).length === 0;

/** typed writes a fleet as a person types it: each ship by its ends. */
export const typed = (fleet: Ship[]) => fleet.map((s) => `${name(s.at)}-${name(cellsOf(s).at(-1)!)}`).join(" ");

/** read finds what typed writes in a text. */
export function read(text: string): Ship[] {
  return [...text.matchAll(/\b([a-h][1-8])-([a-h][1-8])\b/g)].map(([, first, last]) => {
    const [a, b] = [cell(first!), cell(last!)];
    const down = a % side === b % side;
    return { at: a, length: (b - a) / (down ? side : 1) + 1, down };
  });
}

/** random puts ships anywhere until none touch. */
export function random(below: (n: number) => number): Ship[] {
  for (;;) {
    const fleet: Ship[] = [];
    for (const length of lengths) {
      const down = below(2) === 1;
      const ship = within({ at: 0, length, down }, below(down ? side : side - length + 1), below(down ? side - length + 1 : side));
      if (fleet.some((other) => touch(ship, other))) break;
      fleet.push(ship);
    }
    if (fleet.length === lengths.length) return fleet;
  }
}

/** ships finds the straight pieces of a mask of cells. */
export function ships(has: (cell: number) => boolean): Ship[] {
  const list: Ship[] = [];
  for (let at = 0; at < side * side; at++) {
    const left = at % side > 0 && has(at - 1);
    if (!has(at) || left || (at >= side && has(at - side))) continue;
    const down = at + side < side * side && has(at + side);
    let length = 1;
    const more = () => (down ? at + length * side < side * side && has(at + length * side) : at % side + length < side && has(at + length));
    while (more()) length++;
    list.push({ at, length, down });
  }
  return list;
}

/**
 * sunk finds, of what is public of a board ("x" a hit, "o" a miss), the ships that are hit from end
 * to end for certain: nothing can lie beyond their ends.
 */
export function sunk(rows: string[]): Ship[] {
  const at = (i: number) => rows[Math.floor(i / side)]![i % side]!;
  return ships((i) => at(i) === "x").filter((ship) => {
    if (ship.length === 1) return false;
    if (ship.length === 4) return true;
    const step = ship.down ? side : 1;
    const [before, after] = [ship.at - step, ship.at + ship.length * step];
    const edge = (i: number, from: number) => i < 0 || i >= side * side || (!ship.down && Math.floor(i / side) !== Math.floor(from / side));
    return (edge(before, ship.at) || at(before) === "o") && (edge(after, ship.at) || at(after) === "o");
  });
}
