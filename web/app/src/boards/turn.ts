import { MatchStatus, type Match } from "@ante/client/api";

export type Turn = "you" | "opponent" | "chain" | "nobody";

/** turnOf says for whom the match waits. */
export function turnOf(match: Match): Turn {
  if (match.status !== MatchStatus.RUNNING) return "nobody";
  if (match.mover === match.seat) return "you";
  return match.mover === -2 ? "chain" : match.mover < 0 ? "nobody" : "opponent";
}

/** ending is what a person reads when the match is over. */
export function ending(result: string | undefined, reason: string | undefined): string {
  const text = { win: "You won", loss: "You lost", draw: "A draw" }[result ?? ""] ?? "The match is over";
  return reason ? `${text} (${reason})` : text;
}
