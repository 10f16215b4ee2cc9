// The view of split or steal, as one of its seats sees it.
export interface Amounts {
  x: string;
  y: string;
  house: string;
}

export interface Cell {
  x: string;
  y: string;
  gets: Amounts;
}

export interface View {
  role: "X" | "Y" | "house";
  x: string;
  y: string;
  stakes: Amounts;
  matrix: Cell[];
  gets?: Amounts;
}

type Side = "x" | "y";
const other = (side: Side): Side => (side === "x" ? "y" : "x");
const sideOf = (view: View): Side => (view.role === "Y" ? "y" : "x");

/** mine tells the viewer's own side, and the other's. The house looks from X's. */
export function mine(view: View) {
  const seat = sideOf(view);
  return { seat, choice: view[seat], theirs: view[other(seat)], bet: view.stakes[seat], theirBet: view.stakes[other(seat)] };
}

/** table is the matrix with the viewer's side first. */
export function table(view: View) {
  const me = sideOf(view);
  return view.matrix.map((cell) => ({
    cell, you: cell[me], they: cell[other(me)], gets: cell.gets[me], theyGet: cell.gets[other(me)], house: cell.gets.house,
  }));
}

/** cellOf finds the case that came true; nothing before the end. */
export function cellOf(view: View): Cell | undefined {
  const fits = (does: string, did: string) => does === did || (does === "either" && did !== "disqualified");
  return view.matrix.find((cell) => fits(cell.x, view.x) && fits(cell.y, view.y));
}
