import { fileURLToPath } from "node:url";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { proxy } from "hono/proxy";
import { loadConfig } from "../../../src/config/load/load.ts";
import { directAnswers } from "../../../src/gateway/message/direct-answers-middleware.ts";
import { announce, upstreamOrigin } from "../../announce.ts";
import { messagePath } from "../../traffic.ts";

const file = fileURLToPath(new URL("../../fixtures/afterword.yaml", import.meta.url));
const config = await loadConfig(file);
const origin = upstreamOrigin();
const app = new Hono();
app.use(messagePath, directAnswers({ config }));
app.all("*", (c) => proxy(origin + c.req.path, c.req.raw));
serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => announce(port));
