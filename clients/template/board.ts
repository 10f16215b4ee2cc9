// A board for your own game. Change what stands under "the game"; the rest is the same for any.
// Its link says where the daemon is, and the token: http://localhost:5173/#127.0.0.1:4180/TOKEN.
// The daemon must let the page in: channeld run --api.origins http://localhost:5173.
import { connect, Live, type Now } from "@ante/client";
import { ChannelStatus, MatchStatus, type GetMatchResponse, type Match } from "@ante/client/api";

const [address = "", token = ""] = location.hash.slice(1).split("/");
const ante = connect({ address: `http://${address}`, token });
const live = new Live(ante);

// --- the game ---

const game = "connect-four";
const stake = 10n ** 16n; // 0.01 ETH
const paramsJson = '{"first":0}';

/** What the rules tell of a position: for rules with a manifest, what that says. */
interface View {
  board: string[]; // rows of signs, from the top
  legal?: string[]; // as they are typed
}

/** draw shows a position; where it may, a click plays a move. */
function draw(view: View, may: boolean) {
  const cells = view.board.flatMap((row) =>
    row.split(" ").map((sign, column) => {
      const move = `drop ${column}`;
      const cell = button("", () => play(move), !may || !view.legal?.includes(move));
      cell.className = sign;
      cell.ariaLabel = `column ${column + 1}: ${sign === "." ? "empty" : sign}`;
      return cell;
    }),
  );
  at("board").replaceChildren(...cells);
}

// --- any game ---

const at = (id: string) => document.getElementById(id)!;

function button(text: string, press: () => void, disabled = false): HTMLButtonElement {
  return Object.assign(document.createElement("button"), { textContent: text, onclick: press, disabled });
}

const say = (text: string) => (at("status").textContent = text);

/** act does something, and has everything shown anew. */
const act = (what: Promise<unknown>) => what.then(() => live.look(), (error: Error) => say(error.message));

const play = (move: string) => act(ante.play({ matchId: shown, turn, move }));

function result(m: Match): string {
  const gain = BigInt(m.payouts[m.seat]!) - BigInt(m.stakes[m.seat]!);
  return gain > 0n ? "You won" : gain < 0n ? "You lost" : "A draw";
}

function show({ value, error }: Now<GetMatchResponse>) {
  if (error) say(`${error.message} – ${error.advice}`);
  if (error || !value?.match) return;
  const over = value.match.payouts.length > 0;
  turn = value.match.turn;
  say(over ? result(value.match) : value.ask ? "Your move" : "They move");
  if (value.viewJson) draw(JSON.parse(value.viewJson) as View, Boolean(value.ask));
  // a match that is paid out has no position: the last one stays, and nothing can be played in it
  else for (const cell of at("board").querySelectorAll("button")) cell.disabled = true;
}

let shown = ""; // the id of the match
let turn = ""; // of the position on the board
let leave = () => {};

const lobby = live.store(async () => {
  const [{ channels }, { matches }, { proposals }] = await Promise.all([ante.listChannels({}), ante.listMatches({}), ante.listProposals({})]);
  return { channels, matches: matches.filter((m) => m.game === game), proposals };
});

lobby.subscribe(({ value, error }) => {
  if (error) say(`${error.message} – ${error.advice}`);
  if (error || !value) return;
  const running = value.matches.find((m) => m.status <= MatchStatus.RUNNING);
  if (running && running.id !== shown) {
    leave();
    shown = running.id;
    leave = live.match(shown).subscribe(show);
  }
  if (!running && !shown) say("No match runs");
  const open = running ? [] : value.channels.filter((c) => c.status === ChannelStatus.OPEN && !c.terms?.asset);
  const buttons = open.map(({ id }) => {
    const asked = value.proposals.find((p) => p.channelId === id);
    // what the player agrees to with a click is what would be proposed here: one match, by these
    // terms
    const usual = asked?.matches.length === 1 && asked.matches.every((m) => m.game === game && m.paramsJson === paramsJson && m.stakes.every((s) => s === String(stake)));
    if (asked?.mine) return button("Proposed", () => {}, true);
    if (asked && !usual) return button("Other terms are proposed", () => {}, true);
    if (asked) return button("Play", () => act(ante.approveMatch({ channelId: id, version: asked.version })));
    return button("Propose a match", () => act(ante.proposeMatch({ channelId: id, game, paramsJson, stakes: [String(stake)] })));
  });
  at("lobby").replaceChildren(...buttons);
});
