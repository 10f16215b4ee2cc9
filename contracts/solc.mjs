// The one way in which contracts are compiled here: the Solidity compiler with the settings that
// deployed code is made with.
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const here = dirname(fileURLToPath(import.meta.url));
export const root = dirname(here);
const solc = createRequire(import.meta.url)("solc");

const walk = (dir) =>
  readdirSync(dir, { withFileTypes: true })
    .flatMap((e) => (e.isDirectory() ? walk(join(dir, e.name)) : [join(dir, e.name)]))
    .filter((f) => f.endsWith(".sol"))
    .sort();

/** Every source under contracts/src, by path relative to contracts. */
export const sources = () => walk(join(here, "src")).map((f) => relative(here, f).replaceAll("\\", "/"));

/**
 * Compiles files and returns solc's output.
 * @param changed Contents that stand in for files', by path relative to contracts.
 */
export function compile(files, changed = {}) {
  const read = (path) => {
    const base = path.startsWith("@") ? join(root, "node_modules") : here;
    return { contents: changed[path] ?? readFileSync(join(base, path), "utf8") };
  };
  const outputs = ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"];
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(files.map((f) => [f, { content: read(f).contents }])),
    settings: {
      viaIR: true,
      evmVersion: "cancun",
      optimizer: { enabled: true, runs: 200 },
      metadata: { bytecodeHash: "none", appendCBOR: false },
      outputSelection: Object.fromEntries(files.map((f) => [f, { "*": outputs }])),
    },
  };
  return JSON.parse(solc.compile(JSON.stringify(input), { import: read }));
}
