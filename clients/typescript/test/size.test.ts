import { gzipSync } from "node:zlib";
import { build } from "vite";
import { expect, test } from "vitest";

const most = 50 * 1024;

test("all that a page can load of the client stays small", async () => {
  const entry = ["index", "wallet", "react"].map((name) => new URL(`../dist/${name}.js`, import.meta.url).pathname);
  const built = await build({
    configFile: false,
    logLevel: "silent",
    build: { write: false, minify: true, lib: { entry, formats: ["es"] }, rollupOptions: { external: ["react"] } },
  });
  const [output] = [built].flat();
  if (!output || !("output" in output)) throw new Error("nothing was built");
  const size = output.output.reduce((sum, file) => sum + ("code" in file ? gzipSync(file.code).length : 0), 0);
  console.info(`@ante/client: ${size} bytes gzip`);
  expect(size).toBeGreaterThan(10_000);
  expect(size).toBeLessThanOrEqual(most);
});
