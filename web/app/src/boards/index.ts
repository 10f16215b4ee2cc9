import type { Component } from "svelte";
import type { BoardProps } from "./board";
import Text from "./Text.svelte";

const boards: Record<string, Component<BoardProps>> = {};

/** boardFor returns the board of a game; of one that has none, the board that shows any view. */
export function boardFor(game: string): Component<BoardProps> {
  return boards[game] ?? Text;
}
