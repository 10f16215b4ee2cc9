// Compiles, for each source that is changed ({path, content}, a line of standard input), every
// contract that it goes into, and prints, in a line, the code of each before (as it was generated)
// and after. Prints {} when it does not compile.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { compile, here, sources } from "../../contracts/solc.mjs";

const text = (file) => readFileSync(join(here, file), "utf8");
const imports = (file) =>
  [...text(file).matchAll(/import[^;]*"(\.[^"]+)"/g)].map((m) => join(dirname(file), m[1]).replaceAll("\\", "/"));
const reaches = (file, path, seen = new Set()) => {
  if (file === path) return true;
  seen.add(file);
  return imports(file).some((f) => !seen.has(f) && reaches(f, path, seen));
};

const contract = (file) => file.match(/(\w+)\.sol$/)[1];
const generated = (file) => join(here, "out", `${contract(file)}.json`);
const code = (file) => JSON.parse(readFileSync(generated(file), "utf8")).bin;

const contracts = sources().filter((f) => !f.includes("/test/") && existsSync(generated(f)) && code(f) !== "");

function codes({ path, content }) {
  const files = contracts.filter((f) => reaches(f, path));
  const output = compile(files, { [path]: content });
  if (files.length === 0 || (output.errors ?? []).some((e) => e.severity === "error")) return {};
  const after = (f) => output.contracts[f][contract(f)].evm.bytecode.object;
  return Object.fromEntries(files.map((f) => [contract(f), { Before: code(f), After: after(f) }]));
}

for await (const line of createInterface({ input: process.stdin })) console.log(JSON.stringify(codes(JSON.parse(line))));
