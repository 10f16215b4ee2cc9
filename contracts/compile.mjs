// Compiles every contract under contracts/src, writes ABI and bytecode to contracts/out, and the Go
// bindings to contracts/bindings (contracts under src/test: contracts/bindings/testbindings). The
// output depends on the sources and on nothing else, so that CI can prove the committed files
// current.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compile, here, root, sources } from "./solc.mjs";

const MAX_RUNTIME = 24576; // bytes, EIP-170

const files = sources();
const output = compile(files);

// A library's warnings are its own affair; ours are errors.
const problems = (output.errors ?? []).filter(
  (e) => e.severity === "error" || (e.severity === "warning" && e.sourceLocation?.file.startsWith("src/")),
);
if (problems.length > 0) {
  console.error(problems.map((e) => e.formattedMessage).join("\n"));
  process.exit(1);
}

const bindings = { bindings: {}, testbindings: {} };
rmSync(join(here, "out"), { recursive: true, force: true });
mkdirSync(join(here, "out"));
for (const file of files) {
  const test = file.includes("/test/");
  for (const [name, c] of Object.entries(output.contracts[file] ?? {})) {
    const bin = c.evm.bytecode.object;
    const size = c.evm.deployedBytecode.object.length / 2;
    if (c.abi.length === 0) continue; // a library of internal functions
    if (!test && size > MAX_RUNTIME) throw new Error(`${name}: ${size} bytes of code, at most ${MAX_RUNTIME}`);
    if (!test && size > 0) console.log(`${name}: ${size} bytes of code`);
    bindings[test ? "testbindings" : "bindings"][`${file}:${name}`] = { abi: c.abi, bin };
    if (!test) writeFileSync(join(here, "out", `${name}.json`), JSON.stringify({ abi: c.abi, bin }, null, 1) + "\n");
  }
}

const rules = output.contracts["src/IRules.sol"].IRules.abi.map((e) => e.name);
for (const [pkg, contracts] of Object.entries(bindings)) {
  // Arena's parents have no ABI of their own that anybody needs; a rule set's is that of IRules,
  // bound once.
  const needed = Object.fromEntries(
    Object.entries(contracts)
      .filter(([name, c]) => c.bin !== "" || name.endsWith(":IRules"))
      .map(([name, c]) => [
        name,
        c.bin === "" || !rules.every((r) => c.abi.some((e) => e.name === r))
          ? c
          : { ...c, abi: c.abi.filter((e) => !rules.includes(e.name)) },
      ]),
  );
  if (Object.keys(needed).length === 0) continue;
  const dir = pkg === "bindings" ? join(here, pkg) : join(here, "bindings", pkg);
  mkdirSync(dir, { recursive: true });
  const args = ["run", "github.com/ethereum/go-ethereum/cmd/abigen", "--v2", "--combined-json", "-", "--pkg", pkg];
  const code = execFileSync("go", args, { cwd: root, input: JSON.stringify({ contracts: needed }), maxBuffer: 1 << 26 });
  writeFileSync(join(dir, `${pkg}.go`), code.toString().trimEnd() + "\n");
}
