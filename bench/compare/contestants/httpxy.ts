import { createProxyServer } from "httpxy";
import { upstreamOrigin } from "../../announce.ts";
import { keptAlive, listen } from "./node-relay.ts";

const proxy = createProxyServer({ target: upstreamOrigin(), agent: keptAlive });
listen((request, response) => {
  proxy.web(request, response).catch(() => response.destroy());
});
