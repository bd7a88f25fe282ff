import { fileURLToPath } from "node:url";
import { loadConfig } from "../../../src/config/load/load.ts";
import { serveOnBun } from "../../../src/runtime/bun/serve.ts";
import { announce } from "../../announce.ts";

const file = fileURLToPath(new URL("../../fixtures/afterword.yaml", import.meta.url));
const running = await serveOnBun({
  config: await loadConfig(file),
  env: process.env,
  host: "127.0.0.1",
  port: 0,
});
announce(Number(new URL(running.url).port));
