// Compiles the rules: npm install --prefix . solc@0.8.37 && node compile.mjs. It writes their init
// code, in hexadecimal, beside the source. Without metadata the code depends on nothing but the
// source.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const solc = createRequire(import.meta.url)("solc");
const sources = Object.fromEntries(
  readdirSync(".").filter((f) => f.endsWith(".sol")).map((f) => [f, { content: readFileSync(f, "utf8") }]),
);
const settings = {
  viaIR: true,
  evmVersion: "cancun",
  optimizer: { enabled: true, runs: 200 },
  metadata: { bytecodeHash: "none", appendCBOR: false },
  outputSelection: { "*": { "*": ["evm.bytecode.object"] } },
};
const output = JSON.parse(solc.compile(JSON.stringify({ language: "Solidity", sources, settings })));
const problems = (output.errors ?? []).map((e) => e.formattedMessage);
if (problems.length > 0) {
  console.error(problems.join("\n"), "\nNothing was written: mend these first, warnings too.");
  process.exit(1);
}
for (const contracts of Object.values(output.contracts)) {
  for (const [name, c] of Object.entries(contracts)) {
    if (c.evm.bytecode.object !== "") writeFileSync(`${name}.bin`, c.evm.bytecode.object + "\n");
  }
}
