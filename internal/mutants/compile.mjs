// Compiles, for a source that is changed ({path, content} on standard input), every contract that it goes into, and prints
// the code of each before (as it was generated) and after. Prints {} when it does not compile.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { compile, here, sources } from "../../contracts/solc.mjs";

const { path, content } = JSON.parse(readFileSync(0, "utf8"));

const text = (file) => readFileSync(join(here, file), "utf8");
const imports = (file) =>
  [...text(file).matchAll(/import[^;]*"(\.[^"]+)"/g)].map((m) => join(dirname(file), m[1]).replaceAll("\\", "/"));
const reaches = (file, seen = new Set()) => {
  if (file === path) return true;
  seen.add(file);
  return imports(file).some((f) => !seen.has(f) && reaches(f, seen));
};

const contract = (file) => file.match(/(\w+)\.sol$/)[1];
const generated = (file) => join(here, "out", `${contract(file)}.json`);
const code = (file) => JSON.parse(readFileSync(generated(file), "utf8")).bin;

const files = sources().filter((f) => !f.includes("/test/") && existsSync(generated(f)) && code(f) !== "" && reaches(f));
const output = compile(files, { [path]: content });
const fine = files.length > 0 && !(output.errors ?? []).some((e) => e.severity === "error");
const codes = fine
  ? files.map((f) => [contract(f), { Before: code(f), After: output.contracts[f][contract(f)].evm.bytecode.object }])
  : [];
console.log(JSON.stringify(Object.fromEntries(codes)));
