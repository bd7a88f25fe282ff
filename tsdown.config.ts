import { defineConfig } from "tsdown";

// One file in, one file out: the published package reads like the source, and files beside a module are still beside it.
export default defineConfig({
  entry: [
    "src/index.ts",
    "src/runtime/node/index.ts",
    "src/backend/index.ts",
    "src/backend/node.ts",
    "src/testing/index.ts",
    "src/cli/main.ts",
    // Runs in browsers: src/backend/desk/load.ts reads what is built of it.
    "src/backend/desk/client/main.ts",
  ],
  unbundle: true,
  fixedExtension: false,
  format: "esm",
  platform: "node",
  target: "es2024",
  dts: true,
  copy: [
    { from: "src/backend/page/*.{html,css,js}", to: "dist/backend/page" },
    { from: "src/backend/desk/client/*.{html,css}", to: "dist/backend/desk/client" },
  ],
});
