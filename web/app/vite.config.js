import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// The names of the files carry no hash: they are committed, and the daemon serves them uncached.
export default defineConfig({
  base: "./",
  test: { testTimeout: 60_000 }, // a busy machine is no failure
  plugins: [svelte()],
  build: {
    outDir: "../dist",
    emptyOutDir: true,
    target: "es2022",
    license: { fileName: "licenses.json" },
    modulePreload: { polyfill: false },
    rollupOptions: {
      output: { entryFileNames: "page.js", chunkFileNames: "[name].js", assetFileNames: "page[extname]" },
    },
  },
});
