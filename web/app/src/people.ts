import type { Channel, Match } from "@ante/client/api";
import { daemon } from "./daemon.svelte";
import { short } from "./text";

/** called is what the page calls an account: the name that its user gave it, else its nickname. */
export function called(account: string): string {
  if (!account) return "nobody";
  if (account === daemon.status?.account) return "you";
  return daemon.peers.find((p) => p.account === account)?.name || short(account);
}

/** others are the players of a channel besides this one. */
export const others = (c: Channel) => (c.terms?.players ?? []).filter((_, seat) => seat !== c.seat);

/** named are names in a sentence. */
export const named = (accounts: string[]) => new Intl.ListFormat("en").format(accounts.map(called));

/** identified are accounts about which money is decided: whole, with their names. */
export const identified = (accounts: string[]) => accounts.map((a) => (called(a) === short(a) ? a : `${called(a)} is ${a}`)).join(", ");

/** player is the account of a seat of a match. */
export function player(m: Match, seat: number): string {
  const known = m.players[seat]?.account;
  return known ?? daemon.channels.find((c) => c.id === m.channelId)?.terms?.players[m.seats[seat] ?? seat] ?? "";
}

/** opponents are the players of a match besides this one. */
export const opponents = (m: Match) => m.seats.map((_, seat) => player(m, seat)).filter((_, seat) => seat !== m.seat);

/** seated names a seat of a match. */
export const seated = (m: Match, seat: number) => (seat === m.seat ? "you" : called(player(m, seat)) || `seat ${seat + 1}`);

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
