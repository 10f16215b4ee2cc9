import { ether, units, when } from "../text";

interface Typed {
  primaryType: string;
  message: Record<string, string | string[]>;
}

/** Explained is what a signature means, for the person who is asked for it. */
export interface Explained {
  title: string;
  facts: [name: string, text: string][];
  risk: string;
}

const zero = /^0x0*$/;

/** explain reads what the wallet is to sign (docs/protocol.md). */
export function explain(typedJson: string, own: string, name: (account: string) => string, clockUnit: string): Explained {
  const { primaryType, message } = JSON.parse(typedJson) as Typed;
  const text = (field: string) => String(message[field] ?? "");
  const list = (field: string) => message[field] as string[];
  if (primaryType === "Deputy") {
    return {
      title: "Let this computer speak for you among players",
      facts: [["until", when(Number(text("expiry")))], ["its key", text("key")]],
      risk: "It moves no money. Whoever steals it can pose as you among players until then.",
    };
  }
  if (primaryType !== "ChannelTerms") {
    return { title: primaryType, facts: Object.entries(message).map(([field, value]) => [field, String(value)]), risk: "This page does not know what it means. Refuse it." };
  }
  const players = list("players");
  const deposits = list("deposits");
  const amount = (value: string) => (zero.test(text("asset")) ? ether(value) : `${units(value, 0)} smallest units of the token ${text("asset")}`);
  return {
    title: "Open a channel",
    facts: [
      ...players.map((p, seat): [string, string] => [p.toLowerCase() === own.toLowerCase() ? "you lock" : `${name(p)} locks`, amount(deposits[seat] ?? "0")]),
      ["time to answer in a dispute", `${text("window")} ${clockUnit}`],
    ],
    risk: "You can lose at most what you lock. This computer's session key plays with it; the wallet is not asked again.",
  };
}
