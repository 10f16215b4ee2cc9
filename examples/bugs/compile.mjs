// Compiles Roshambo.sol with one bug each: npm install --prefix . solc@0.8.37 && node compile.mjs.
// It writes their init code into testdata.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const solc = createRequire(import.meta.url)("solc");
const read = (file) => readFileSync(new URL(`../roshambo/${file}`, import.meta.url), "utf8");

// What is replaced by what, wherever it stands. Another parameter or a longer opening is no bug in
// itself: it makes room for one.
const seen = [" pure\n", " view\n", " pure returns", " view returns"];
const bugs = {
  time: [...seen, "next[0] = bytes1(SILENT + me);", "if (block.timestamp > 0) next[0] = bytes1(SILENT + me);"],
  gas: [...seen, "next[0] = bytes1(SILENT + me);", "if (gasleft() > 0) next[0] = bytes1(SILENT + me);"],
  storage: [...seen, "error Illegal();", "error Illegal();\n    uint256 private paused;", "next[0] = bytes1(SILENT + me);", "if (paused == 0) next[0] = bytes1(SILENT + me);"],
  large: ["c.params.length == 0", "c.params.length == 2", "state.length == 67", "state.length >= 67", "new bytes(67)", "new bytes(67 + uint256(uint16(bytes2(c.params))))"],
  endless: [
    "next[0] = bytes1(phase + 1);",
    "if (phase == 3 && next[65] == next[66]) return (new bytes(67), 0);\n        next[0] = bytes1(phase + 1);",
  ],
  fee: ["payouts[winner] = pot;", "payouts[winner] = pot - pot / 1000;"],
  winner: ["+ 1) % HANDS", "+ 1) % (HANDS + 1)"],
  next: ["phase + 1 < PLAYED ? 1 - me : NOBODY", "1 - me"],
  remainder: ["return (stakes, 0, 0);", "payouts = new uint256[](2);\n            payouts[1] = pot / 2;\n            payouts[0] = pot - payouts[1];\n            return (payouts, 0, 0);"],
  silence: ["winner = SILENT + 1 - phase;", "winner = phase - SILENT;"],
  seat: ["c.matchId, me, 0", "c.matchId, 0, 0"],
  match: ["c.matchId, me, 0", "0, me, 0"],
  overflow: ["c.stakes[0] + c.stakes[1]; // reverts if they overflow", ""],
  edge: [">= HANDS", "> HANDS"],
  unpunished: ["guilty = uint16(1) << (phase - LIED);", ""],
  framed: ["uint16(1) << (phase - LIED)", "uint16(1) << (LIED + 1 - phase)"],
  word: [
    "move.length == 33", "move.length == 64", "bytes32(uint256(uint8(move[0])))", "bytes32(move)", "bytes32(move[1:])", "bytes32(move[32:])",
    "next[65 + me] = move[0]", "next[65 + me] = move[31]", "uint8(move[0]) >= HANDS", "uint8(move[31]) >= HANDS",
  ],
};

const out = new URL("testdata/", import.meta.url);
rmSync(out, { recursive: true, force: true });
mkdirSync(out);
const others = Object.fromEntries(["Commitment.sol", "IRules.sol"].map((f) => [f, { content: read(f) }]));
const settings = {
  viaIR: true,
  evmVersion: "cancun",
  optimizer: { enabled: true, runs: 200 },
  metadata: { bytecodeHash: "none", appendCBOR: false },
  outputSelection: { "*": { "*": ["evm.bytecode.object"] } },
};
for (const [bug, edits] of Object.entries(bugs)) {
  let source = read("Roshambo.sol");
  for (let i = 0; i < edits.length; i += 2) {
    if (!source.includes(edits[i])) throw new Error(`${bug}: Roshambo.sol has no ${edits[i]}`);
    source = source.replaceAll(edits[i], edits[i + 1]);
  }
  const sources = { ...others, "Roshambo.sol": { content: source } };
  const output = JSON.parse(solc.compile(JSON.stringify({ language: "Solidity", sources, settings })));
  const errors = (output.errors ?? []).filter((e) => e.severity === "error");
  if (errors.length > 0) throw new Error(`${bug}: ${errors.map((e) => e.formattedMessage).join("\n")}`);
  writeFileSync(new URL(`${bug}.bin`, out), output.contracts["Roshambo.sol"].Roshambo.evm.bytecode.object + "\n");
}
