// How things are written for people.

/** short leaves of an address or id what a person can tell it by. */
export const short = (id: string) => (id.length > 14 ? `${id.slice(0, 6)}…${id.slice(-4)}` : id);

/** decoded is what a part of an address stands for; itself, if it was cut or mistyped. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** units writes an amount of the smallest unit with as many digits as tell people something. */
export function units(amount: string | bigint, decimals: number, digits = 6): string {
  const value = BigInt(amount || 0);
  const size = value < 0n ? -value : value;
  const one = 10n ** BigInt(decimals);
  const kept = Math.min(digits, decimals);
  const fraction = ((size % one) / 10n ** BigInt(decimals - kept)).toString().padStart(kept, "0").replace(/0+$/, "");
  const whole = (size / one).toString();
  if (size > 0n && whole === "0" && !fraction) return `less than 0.${"0".repeat(kept - 1)}1`;
  return `${value < 0n ? "−" : ""}${whole}${fraction && "."}${fraction}`;
}

export const ether = (wei: string | bigint) => `${units(wei, 18)} ETH`;

/** about writes what something will cost, which is an estimate. */
export const about = (wei: string) => ether(wei).replace(/^(?!less)/, "about ");

/** parse reads what units writes; it throws what is wrong in words. */
export function parse(text: string, decimals = 18): string {
  const read = /^(\d*)(?:[.,](\d*))?$/.exec(text.trim());
  const [, whole = "", fraction = ""] = read ?? [];
  if (!read || whole + fraction === "") throw new Error(`“${text}” is no amount; write one like 0.05`);
  if (fraction.length > decimals) throw new Error(`“${text}” has more than ${decimals} digits after the point`);
  return (BigInt(whole || 0) * 10n ** BigInt(decimals) + BigInt(fraction.padEnd(decimals, "0") || 0)).toString();
}

/** rules writes the parameters of a game. */
export function rules(json: string): string {
  const all: Record<string, unknown> = JSON.parse(json || "{}");
  return Object.entries(all).map(([name, value]) => `${name} ${typeof value === "object" ? JSON.stringify(value) : value}`).join(", ");
}

export const when = (unix: bigint | number) => new Date(Number(unix) * 1000).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });

/** span writes seconds as a person reads a clock. */
export function span(seconds: number): string {
  if (seconds <= 0) return "now";
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), Math.floor(seconds % 60)];
  return h ? `${h} h ${m} min` : `${m}:${String(s).padStart(2, "0")}`;
}
