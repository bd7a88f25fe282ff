import { createProxyServer } from "http-proxy-3";
import { upstreamOrigin } from "../../announce.ts";
import { keptAlive, listen } from "./node-relay.ts";

const proxy = createProxyServer({ target: upstreamOrigin(), agent: keptAlive });
proxy.on("error", (_error, _request, response) => response.destroy());
listen((request, response) => proxy.web(request, response));
