import type { Match } from "@ante/client/api";

/** What every board is given. A board keeps nothing but what is chosen and not yet sent. */
export interface BoardProps {
  /** The match, with seats, stakes and who moves. */
  match: Match;
  /** The position as this player sees it: view_json, parsed; null where the rules have no view. */
  view: any;
  /** What the player is to choose now, with an example; empty: nothing. */
  ask: string;
  /** What the player has committed to and not yet shown; empty: nothing. */
  recall: any;
  /** No move can be sent now: one is under way, the daemon is away, or the link only looks. */
  disabled: boolean;
  /** Sends a move, as people type it. Whoever calls it shows nothing of an error: the page does. */
  play: (move: string) => Promise<void>;
}
