import type { GetReplayResponse } from "@ante/client/api";
import { battleships } from "./battleships";
import { box9, type HashOf } from "./box9";
import type { Case, Check } from "./check";
import { mastermind } from "./mastermind";
import { splitsteal } from "./splitsteal";
import { sumscows } from "./sumscows";

const games: Record<string, (c: Case, hashOf: HashOf) => Check[] | Promise<Check[]>> = {
  mastermind, battleships, "sums-and-cows": sumscows, "split-or-steal": splitsteal, box9,
};

const nobody = -1; // the mover of a position after a clock

/** checksOf checks what a game hides and draws; nothing of games that this page does not know. */
export async function checksOf(replay: GetReplayResponse, whose: (seat: number) => string, hashOf: HashOf): Promise<Check[]> {
  const check = games[replay.match?.game ?? ""];
  if (!check || replay.missing) return []; // what opens something tells nothing without what hid it
  const bare = (hex: string | undefined) => (hex ?? "").slice(2);
  const steps = replay.positions.slice(1).map((p, i) => {
    const state = bare(replay.positions[i]!.stateHex);
    return { mover: p.mover, phase: parseInt(state.slice(0, 2), 16), state, move: bare(p.moveHex) };
  }).filter((s) => s.mover !== nobody); // whose time ran out has shown nothing, neither true nor false
  return check({ match: bare(replay.match!.id), params: JSON.parse(replay.paramsJson || "{}"), steps, whose }, hashOf);
}
