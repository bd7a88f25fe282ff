import { fileURLToPath } from "node:url";
import { loadConfig } from "../../../src/config/load/load.ts";
import { serve } from "../../../src/runtime/node/serve.ts";
import { announce } from "../../announce.ts";

const file = fileURLToPath(new URL("../../fixtures/afterword.yaml", import.meta.url));
const running = await serve({ config: await loadConfig(file), host: "127.0.0.1", port: 0 });
announce(running.port);
