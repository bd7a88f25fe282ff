import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Agent } from "undici";
import { announce, upstreamOrigin } from "../../announce.ts";

// The least work that is possible on Node: raw fields both ways, bodies unchanged, no checks, no
// limits, no reported errors.
const origin = upstreamOrigin();
const host = new URL(origin).host;
const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
const connectionFields = new Set(["connection", "keep-alive", "transfer-encoding"]);

const server = createServer((incoming, outgoing) => {
  outgoing.sendDate = false;
  const chunks: Buffer[] = [];
  incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
  incoming.on("end", () => {
    const [only] = chunks;
    pass(
      incoming,
      outgoing,
      chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks),
    );
  });
});

function pass(incoming: IncomingMessage, outgoing: ServerResponse, body: Buffer): void {
  const options = {
    origin,
    path: incoming.url ?? "/",
    method: incoming.method ?? "GET",
    headers: requestFields(incoming.rawHeaders),
    body,
  };
  agent.dispatch(options, {
    onRequestStart: () => undefined,
    onResponseStart(controller, status, _headers, reason) {
      outgoing.writeHead(status, reason ?? "", answerFields(controller.rawHeaders));
    },
    onResponseData(_controller, chunk) {
      outgoing.write(chunk);
    },
    onResponseEnd() {
      outgoing.end();
    },
    onResponseError() {
      outgoing.destroy();
    },
  });
}

function requestFields(raw: readonly string[]): string[] {
  const out = ["Host", host];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i] ?? "";
    const lower = name.toLowerCase();
    if (lower === "host" || lower === "content-length" || connectionFields.has(lower)) continue;
    out.push(name, raw[i + 1] ?? "");
  }
  return out;
}

function answerFields(raw: unknown): string[] {
  const out: string[] = [];
  if (!Array.isArray(raw)) return out;
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = String(raw[i]);
    if (!connectionFields.has(name.toLowerCase())) out.push(name, String(raw[i + 1]));
  }
  return out;
}

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object") announce(address.port);
});
