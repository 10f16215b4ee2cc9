import type { Component } from "svelte";
import type { BoardProps } from "./board";
import Battleships from "./battleships/Battleships.svelte";
import Box9 from "./box9/Box9.svelte";
import Foreign from "./foreign/Foreign.svelte";
import Mastermind from "./mastermind/Mastermind.svelte";
import SplitOrSteal from "./splitsteal/SplitOrSteal.svelte";
import SumsAndCows from "./sumscows/SumsAndCows.svelte";
import Text from "./Text.svelte";

const boards: Record<string, Component<BoardProps>> = {
  mastermind: Mastermind, battleships: Battleships, "sums-and-cows": SumsAndCows, "split-or-steal": SplitOrSteal, box9: Box9,
};

/**
 * boardFor returns the board of a game for a view of it; of rules that have a manifest the one that
 * shows any of those, and of all others the one that shows any view.
 */
export function boardFor(game: string, view: unknown): Component<BoardProps> {
  if (!view || typeof view !== "object") return Text;
  return boards[game] ?? ("moves" in view ? Foreign : Text);
}
