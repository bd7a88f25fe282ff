import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "tsdown";
import { licences } from "./build/licences.ts";
import { ownAddresses } from "./build/own-addresses.ts";
import { parserCode } from "./build/parser-code.ts";
import { servedPackages } from "./build/served-packages.ts";
import { shippedTables } from "./build/shipped-tables.ts";
import { PACKAGES } from "./src/backend/pages/load-page.ts";

const root = import.meta.dirname;

/** Tests build a copy of their own, because others build at the same time. */
const outDir = process.env["AFTERWORD_BUILT"] ?? "dist";

const shared = {
  outDir,
  fixedExtension: false,
  format: "esm",
  platform: "node",
  target: "es2024",
} as const;

/** Modules that start a thread from their own address: each is a file of its own, where it is in the sources. */
const threads = globSync("src/**/*.ts", { cwd: root }).filter((file) =>
  /^[^*]*new URL\(import\.meta\.url\)/m.test(readFileSync(join(root, file), "utf8")),
);
const entries = [
  "src/runtime/web/index.ts",
  "src/runtime/node/index.ts",
  "src/backend/index.ts",
  "src/backend/node.ts",
  "src/testing/index.ts",
  "src/cli/main.ts",
  ...threads,
];

export default defineConfig([
  // The library and the command, with every package that they use: decision 54.
  {
    ...shared,
    entry: Object.fromEntries(entries.map((file) => [file.replace(/^src\/|\.ts$/g, ""), file])),
    // tsc writes them: build/declarations.ts.
    dts: false,
    deps: {
      alwaysBundle: [/^(?!node:|pg-native$)/],
    },
    outputOptions: {
      chunkFileNames: "chunks/[name]-[hash].js",
      // The declarations have what a user reads; LICENSES.txt has the licences.
      comments: { legal: false, annotation: true, jsdoc: false },
    },
    plugins: [
      shippedTables(join(root, "locales")),
      ownAddresses(join(root, "src")),
      parserCode(),
      licences(),
    ],
  },
  // What browsers load, one file in, one file out: src/backend/pages/load-page.ts reads it.
  {
    ...shared,
    entry: ["src/pages/desk/main.ts", "src/pages/console/main.ts"],
    root: "src",
    clean: false,
    unbundle: true,
    deps: { neverBundle: Object.keys(PACKAGES) },
    dts: false,
    copy: [
      { from: "src/pages/chat/*.{html,css,js}", to: join(outDir, "pages/chat") },
      { from: "src/pages/desk/*.{html,css}", to: join(outDir, "pages/desk") },
      { from: "src/pages/console/*.{html,css}", to: join(outDir, "pages/console") },
      { from: "src/pages/docs/*", to: join(outDir, "pages/docs") },
      { from: "src/pages/shared/*.{html,css,js}", to: join(outDir, "pages/shared") },
    ],
    plugins: [servedPackages()],
  },
]);
