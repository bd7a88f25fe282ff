import { text } from "node:stream/consumers";
import { createProxyServer } from "http-proxy-3";
import { upstreamOrigin } from "../../announce.ts";
import { keptAlive, listen } from "./node-relay.ts";
import { messagePath, parseResponse, replaceTexts } from "../../traffic.ts";

const proxy = createProxyServer({
  target: upstreamOrigin(),
  agent: keptAlive,
  selfHandleResponse: true,
});
proxy.on("error", (_error, _request, response) => response.destroy());
proxy.on("proxyRes", (answer, request, response) => {
  const { connection: _ours, "content-length": _old, ...fields } = answer.headers;
  const edit = async (): Promise<void> => {
    const body = await text(answer);
    const edited =
      request.url === messagePath ? JSON.stringify(replaceTexts(parseResponse(body))) : body;
    response.writeHead(answer.statusCode ?? 502, fields).end(edited);
  };
  edit().catch(() => response.destroy());
});
listen((request, response) => proxy.web(request, response));
