import type { Match } from "@ante/client/api";
import { units } from "../text";

/** amountIn returns how amounts of a match are written: ether, or the units of its token. */
export function amountIn(match: Match): (amount: string | bigint) => string {
  const token = /[1-9a-f]/i.test(match.asset.replace(/^0x/, ""));
  return (amount) => (token ? `${BigInt(amount).toLocaleString("en")} units` : `${units(amount, 18)} ETH`);
}
