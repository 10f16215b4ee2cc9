import type { GetMatchResponse, GetReplayResponse, Match } from "@ante/client/api";
import type { Led } from "./boards/board";
import { gain } from "./outcome";

/** What a board is given of a position. */
export interface Position {
  view: any;
  led?: Led;
}

const viewed = (json: string | undefined): any => (json ? JSON.parse(json) : null);

/** positionOf is how a match stands; of one that is paid out, which has no position any more, how it stood at last. */
export const positionOf = (match: GetMatchResponse | undefined, replay: GetReplayResponse | undefined): Position =>
  replay?.positions.length ? positionAt(replay, replay.positions.length - 1) : { view: viewed(match?.viewJson) };

/** positionAt is a position of a replay. */
export function positionAt(replay: GetReplayResponse | undefined, at: number): Position {
  const [before, position] = [replay?.positions[at - 1], replay?.positions[at]];
  const view = viewed(position?.viewJson);
  // what ends a match besides its rules is in none of its positions
  const otherwise = view && !view.ending && view.phase !== "over" && replay?.match?.payouts.length && at === replay.positions.length - 1;
  return {
    view: otherwise ? { ...view, ...ended(replay.match!) } : view,
    led: before && position ? { move: position.moveHex, before: viewed(before.viewJson) } : undefined,
  };
}

function ended(m: Match): { ending: string; reason: string } {
  const more = gain(m);
  return { ending: more > 0n ? "win" : more < 0n ? "loss" : "draw", reason: m.reason };
}
