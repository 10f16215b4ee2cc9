/** Talks to an Ante daemon. The messages are in "@ante/client/api", the hooks for React in "@ante/client/react". */
export { connect, type Ante, type Options } from "./connect.js";
export { AnteError, asAnteError } from "./errors.js";
export { events, type Watch } from "./events.js";
export { pages } from "./pages.js";
export { Live, type Now, type Pace, type Store } from "./stores.js";
