import type { Match } from "@ante/client/api";

/** What led to a position of a match that is over. */
export interface Led {
  /** The move as it was signed, in hex. */
  move: string;
  /** The view before it. */
  before: any;
}

/** What every board is given. A board keeps nothing but what is chosen and not yet sent. */
export interface BoardProps {
  /** The match, with seats, stakes and who moves. */
  match: Match;
  /** The position as this player sees it: view_json, parsed; null where the rules have no view. */
  view: any;
  /** What the player is to choose now, with an example; empty: nothing. */
  ask: string;
  /** What the player has committed to and not yet shown; empty: nothing. */
  recall: string;
  /** No move can be sent now: one is under way, the daemon is away, or the link only looks. */
  disabled: boolean;
  /** Of a match that is over. */
  led?: Led;
  /** Sends a move, as people type it. Whoever calls it shows nothing of an error: the page does. */
  play: (move: string) => Promise<void>;
}
