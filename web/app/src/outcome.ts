import type { Match } from "@ante/client/api";
import { money } from "./assets.svelte";

/** gain is what the player of a match that is over got beyond the stake. */
export const gain = (m: Match) => BigInt(m.payouts[m.seat] ?? 0) - BigInt(m.stakes[m.seat] ?? 0);

/** outcome says what a match that is over came to for the player, in money. */
export function outcome(m: Match): string {
  const more = gain(m);
  if (more === 0n) return "Nobody won: you have your stake back.";
  return more > 0n ? `You won ${money(more, m.asset)}.` : `You lost ${money(-more, m.asset)}.`;
}
