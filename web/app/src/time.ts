import { daemon } from "./daemon.svelte";
import { span } from "./text";

/** ticks writes a stretch of the chain's clock so that a person can tell how long it is. */
export function ticks(count: bigint): string {
  const unit = daemon.status?.clockUnit ?? "";
  if (unit === "seconds") return span(Number(count));
  const said = `${count} ${count === 1n ? unit.replace(/s$/, "") : unit}`;
  return daemon.tick && count > 0n ? `${said} (about ${span(Number(count) * daemon.tick)})` : said;
}

/** left says how long it is until a deadline of the chain. */
export const left = (deadline: bigint, now = daemon.status?.clock ?? 0n) => (deadline > now ? `${ticks(deadline - now)} left` : "no time left");
