import type { GetReplayResponse, Match } from "@ante/client/api";
import type { Led } from "./boards/board";
import { gain } from "./outcome";

const parsed = (json: string | undefined): any => (json ? JSON.parse(json) : null);

/** shown is what a board is given of a position of a replay. */
export function shown(replay: GetReplayResponse | undefined, at: number): { view: any; led?: Led } {
  const [before, position] = [replay?.positions[at - 1], replay?.positions[at]];
  const view = parsed(position?.viewJson);
  // what ends a match besides its rules is in none of its positions
  const otherwise = view && !view.ending && view.phase !== "over" && replay?.match?.payouts.length && at === replay.positions.length - 1;
  return {
    view: otherwise ? { ...view, ...ended(replay.match!) } : view,
    led: before && position ? { move: position.moveHex, before: parsed(before.viewJson) } : undefined,
  };
}

function ended(m: Match): { ending: string; reason: string } {
  const more = gain(m);
  return { ending: more > 0n ? "win" : more < 0n ? "loss" : "draw", reason: m.reason };
}
