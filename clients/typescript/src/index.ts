/** Talks to an Ante daemon. The messages are in "@ante/client/api". */
export { connect, type Ante, type Options } from "./connect.js";
export { AnteError, asAnteError } from "./errors.js";
export { events, type Watch } from "./events.js";
