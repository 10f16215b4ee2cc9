import { ante } from "./daemon.svelte";
import { parse, short, units } from "./text";

const known = $state<Record<string, { symbol: string; decimals: number }>>({});
const asked = new Set<string>();

function about(asset: string): { symbol: string; decimals: number } | undefined {
  if (!known[asset] && !asked.has(asset) && isToken(asset)) {
    asked.add(asset);
    ante.getAsset({ asset }).then(({ symbol, decimals }) => (known[asset] = { symbol, decimals }), () => asked.delete(asset));
  }
  return known[asset];
}

/** isToken tells whether a text is an address. */
export const isToken = (text: string) => /^0x[0-9a-fA-F]{40}$/.test(text);

/** unit is what amounts of an asset are written in; an empty asset is ETH. */
export const unit = (asset: string) => (asset ? about(asset)?.symbol || short(asset) : "ETH");

/** amount reads what a person typed of an asset; it throws what is wrong in words. */
export function amount(text: string, asset: string): string {
  if (!asset) return parse(text);
  const found = about(asset);
  if (!found) throw new Error(isToken(asset) ? "The token does not answer yet: try again" : `“${asset}” is no token's address, which is 0x and 40 digits`);
  return parse(text, found.decimals);
}

/** money writes an amount of an asset with its unit; an empty asset is ETH. */
export function money(amount: string | bigint, asset = ""): string {
  if (!asset) return `${units(amount, 18)} ETH`;
  const found = about(asset);
  return found ? `${units(amount, found.decimals)} ${found.symbol || short(asset)}` : `${amount} units of ${short(asset)}`;
}

/** decimalsOf is how many digits an amount of an asset has after the point. */
export const decimalsOf = (asset: string) => (asset ? (known[asset]?.decimals ?? 0) : 18);
