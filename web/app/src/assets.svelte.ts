import { ante } from "./daemon.svelte";
import { short, units } from "./text";

const known = $state<Record<string, { symbol: string; decimals: number }>>({});
const asked = new Set<string>();

/** money writes an amount of an asset with its unit; an empty asset is ETH. */
export function money(amount: string | bigint, asset = ""): string {
  if (!asset) return `${units(amount, 18)} ETH`;
  const found = known[asset];
  if (!found && !asked.has(asset)) {
    asked.add(asset);
    ante.getAsset({ asset }).then(({ symbol, decimals }) => (known[asset] = { symbol, decimals }), () => asked.delete(asset));
  }
  return found ? `${units(amount, found.decimals)} ${found.symbol || short(asset)}` : `${amount} units of ${short(asset)}`;
}

/** decimalsOf is how many digits an amount of an asset has after the point. */
export const decimalsOf = (asset: string) => (asset ? (known[asset]?.decimals ?? 0) : 18);
