import Board from "./Board.svelte";

/** boardFor returns the board of a game: one component, which goes by the match and its view. */
export const boardFor = (_game: string, _view?: unknown) => Board;
