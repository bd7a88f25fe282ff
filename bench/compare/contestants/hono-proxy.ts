import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { proxy } from "hono/proxy";
import { announce, upstreamOrigin } from "../../announce.ts";
import { messagePath, parseResponse, replaceTexts } from "../../traffic.ts";

const origin = upstreamOrigin();
const app = new Hono();
app.post(messagePath, async (c) => {
  const answer = await proxy(origin + c.req.path, c.req.raw);
  return c.json(replaceTexts(parseResponse(await answer.text())));
});
app.all("*", (c) => proxy(origin + c.req.path, c.req.raw));
serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => announce(port));
