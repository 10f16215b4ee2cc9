// What the page asks with comes after '#', which a browser sends to nobody. It is taken out of the address bar and kept for
// this tab only.
const kept = "ante view";
const take = () => {
  if (location.hash.length > 1) {
    sessionStorage.setItem(kept, location.hash.slice(1));
    history.replaceState(null, "", location.pathname);
  }
};
take();
addEventListener("hashchange", take);

const every = 2000; // milliseconds between two looks
const patience = 10000; // milliseconds for an answer

class Refused extends Error {}

async function ask(procedure) {
  const reply = await fetch(`/ante.v1.NodeService/${procedure}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${sessionStorage.getItem(kept) ?? ""}` },
    body: "{}",
    signal: AbortSignal.timeout(patience),
  });
  if (reply.status === 401) throw new Refused();
  if (!reply.ok) throw new Error((await reply.json().catch(() => ({}))).message || `it answered ${reply.status}`);
  return reply.json();
}

const at = (id) => document.getElementById(id);
const short = (id) => (id.length > 14 ? `${id.slice(0, 10)}…` : id);
const word = (value, prefix) => (value ?? "").replace(prefix, "").toLowerCase();
const time = (unix) => new Date(Number(unix) * 1000).toLocaleString();

function node(kind, text, look) {
  const made = document.createElement(kind);
  made.textContent = text;
  if (look) made.className = look;
  return made;
}

// ether writes wei with as many digits as tell people something.
function ether(wei) {
  const milli = BigInt(wei) / 10n ** 12n;
  const digits = (milli % 10n ** 6n).toString().padStart(6, "0").replace(/0+$/, "");
  return `${milli / 10n ** 6n}${digits && "."}${digits} ETH`;
}

// left says how much of a time in the Arena's clock is left.
function left(deadline, status) {
  const more = Number(deadline ?? 0) - Number(status.clock ?? 0);
  if (!deadline || deadline === "0") return node("td", "");
  return node("td", more > 0 ? `in ${more} ${status.clockUnit}` : "now", "due");
}

function rows(id, list, cells) {
  const body = at(id).tBodies[0];
  const made = list.map((item) => {
    const row = document.createElement("tr");
    row.append(...cells(item).map((cell) => (cell instanceof Node ? cell : node("td", cell))));
    return row;
  });
  if (made.length === 0) {
    const row = document.createElement("tr");
    const cell = node("td", "none", "nothing");
    cell.colSpan = at(id).tHead.rows[0].cells.length;
    row.append(cell);
    made.push(row);
  }
  body.replaceChildren(...made);
}

function alarms(list, place, none) {
  place.replaceChildren(...list.map((a) => node("li", `${time(a.time)}${a.channelId ? `, channel ${short(a.channelId)}` : ""}: ${a.text}`)));
  if (list.length === 0 && none) place.append(node("li", none, "nothing"));
}

function matchState(m) {
  if (m.reason) return node("td", m.reason);
  if (m.yourTurn) return node("td", "it is your turn", "due");
  const status = word(m.status, "MATCH_STATUS_");
  if (status !== "running") return node("td", status);
  const mover = m.mover ?? 0;
  return node("td", mover === (m.seat ?? 0) ? "this node moves" : mover === -2 ? "the chain draws" : mover < 0 ? "running" : `seat ${mover} moves`);
}

function channelState(c) {
  const status = word(c.status, "CHANNEL_STATUS_");
  if (c.frozen) return `${status}; frozen: the store is an old copy, or another program uses its keys`;
  if (!c.hold) return status;
  const towers = [...(c.hold.towers ?? []).map(short), ...(c.hold.missing ? [`${c.hold.missing} not reached`] : [])];
  return node("td", `${status}; held until ${time(c.hold.until)}, or until the towers answer: ${towers.join(", ")}`, "due");
}

let shown; // when what is shown was so

function show(status, alarmed, channels, matches) {
  shown = new Date();
  document.querySelector("main").hidden = false;
  const standing = alarmed.filter((a) => a.stands);
  at("alarms").hidden = standing.length === 0;
  alarms(standing, at("alarms").querySelector("ul"));
  alarms(alarmed.filter((a) => !a.stands), at("past"), "none");
  document.title = standing.length ? `(${standing.length}) ALARM – channeld` : "channeld";
  document.body.className = standing.length ? "bad" : "";
  at("state").textContent =
    standing.length === 0 ? "all is well" : standing.length === 1 ? "an alarm stands" : `${standing.length} alarms stand`;

  const low = BigInt(status.gas || 0) < BigInt(status.gasReserve || 0);
  const facts = [
    ["account", status.account],
    ["chain", `${status.chainId}, block ${status.block ?? 0}, its clock at ${status.clock ?? 0} ${status.clockUnit}`],
    ["peers", `${status.peers ?? 0} connected`],
    ["gas", status.gas ? `${ether(status.gas)}; the worst dispute would cost ${ether(status.gasReserve || 0)} now` : "the chain does not answer", !status.gas || low],
    ...(status.towers ?? []).map((t) => ["tower", `${t.account}, ${t.connected ? "connected" : "not connected"}`, !t.connected]),
  ];
  at("node").replaceChildren(...facts.flatMap(([name, text, bad]) => [node("dt", name), node("dd", text, bad ? "due" : "")]));

  rows("matches", matches, (m) => [short(m.id), m.game || "unknown rules", m.turn ?? "", matchState(m), left(m.deadline, status)]);
  rows("channels", channels, (c) => [
    short(c.id),
    (c.terms?.players ?? []).filter((_, seat) => seat !== (c.seat ?? 0)).map(short).join(", "),
    channelState(c),
    String(c.matchIds?.length ?? 0),
    left(c.deadline, status),
  ]);
  at("held").hidden = !channels.some((c) => c.hold);
}

function fail(error) {
  const refused = error instanceof Refused;
  document.title = refused ? "channeld: another link is needed" : "DOWN – channeld";
  document.body.className = "bad stale";
  at("state").textContent = refused
    ? "the daemon does not know this link: “channeld page” prints the right one"
    : `the daemon does not answer (${error.message}): nobody answers disputes while it is down. Start it with “channeld run”.${
        shown ? ` Below is how things were at ${shown.toLocaleTimeString()}.` : ""}`;
}

async function look() {
  try {
    const [status, alarmed, channels, matches] = await Promise.all(
      ["GetStatus", "ListAlarms", "ListChannels", "ListMatches"].map(ask));
    show(status, alarmed.alarms ?? [], channels.channels ?? [], matches.matches ?? []);
  } catch (error) {
    fail(error);
  }
  setTimeout(look, every);
}
look();
