import { daemon } from "./daemon.svelte";
import { short } from "./text";

/** called is what the page calls an account. */
export function called(account: string): string {
  if (!account) return "nobody";
  if (account === daemon.status?.account) return "you";
  return short(account);
}
