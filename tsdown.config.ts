import { join } from "node:path";
import { defineConfig } from "tsdown";
import { licences } from "./build/licences.ts";
import { ownAddresses } from "./build/own-addresses.ts";
import { plainHttp } from "./build/plain-http.ts";
import { shippedTables } from "./build/shipped-tables.ts";

const shared = {
  fixedExtension: false,
  format: "esm",
  platform: "node",
  target: "es2024",
} as const;

export default defineConfig([
  // One file in, one file out: the published library reads like the source, and files beside a module are still beside it.
  {
    ...shared,
    entry: [
      "src/index.ts",
      "src/runtime/node/index.ts",
      "src/backend/index.ts",
      "src/backend/node.ts",
      "src/testing/index.ts",
      // Runs in browsers: src/backend/pages/load-page.ts reads what is built of it.
      "src/pages/desk/main.ts",
      "src/pages/console/main.ts",
    ],
    unbundle: true,
    // tsc writes them: build/declarations.ts.
    dts: false,
    copy: [
      { from: "src/pages/chat/*.{html,css,js}", to: "dist/pages/chat" },
      { from: "src/pages/desk/*.{html,css}", to: "dist/pages/desk" },
      { from: "src/pages/console/*.{html,css}", to: "dist/pages/console" },
      { from: "src/pages/docs/*", to: "dist/pages/docs" },
      { from: "src/pages/shared/*.{html,css,js}", to: "dist/pages/shared" },
    ],
    plugins: [shippedTables(join(import.meta.dirname, "locales"))],
  },
  // The command, in a few files, so that it starts quickly: decision 54. What `serve` needs at once is in them; every other
  // package is loaded from node_modules when it is used.
  {
    ...shared,
    entry: { main: "src/cli/main.ts" },
    outDir: "dist/cli",
    dts: false,
    deps: {
      alwaysBundle: [
        /^(?:@hono\/node-server|entities|hono|htmlparser2|i18next|lru-cache|yaml|zod)(?:\/|$)/,
        /^undici\/lib\//,
      ],
      onlyBundle: [
        "@hono/node-server",
        "entities",
        "hono",
        "htmlparser2",
        "i18next",
        "lru-cache",
        "undici",
        "yaml",
        "zod",
      ],
    },
    // What every part of the command shares is one file, not one for each.
    outputOptions: {
      codeSplitting: {
        groups: [
          {
            name: "shared",
            test: /\/src\/(?:(?:json|locales|config\/(?:load|schema|compile))\/)?[\w-]+\.ts$/,
          },
        ],
      },
    },
    plugins: [ownAddresses(join(import.meta.dirname, "src"), "cli"), plainHttp(), licences()],
  },
]);
