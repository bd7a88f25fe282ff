import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** How one call ends. */
export type Fate =
  | "pass"
  /** Nothing is done, and no answer is sent. */
  | "hang"
  /** It is done, and the answer is lost: 500. */
  | "lose"
  /** It is done, and the answer is an HTML page. */
  | "garbage"
  /** Nothing is done: 500. */
  | "fail"
  /** Nothing is done: 403. */
  | "refuse";

/** Changes to a call on its way. The path is that of the request, without its query. */
export interface Disguise {
  readonly path: (path: string) => string;
  readonly body: (body: string, path: string) => string;
}

/** Stands between a gateway and a service, and makes calls fail. */
export interface Trouble {
  readonly url: string;
  /** The address of the service. */
  to(url: string): void;
  /** How calls end from now on; `call` is such as `POST /v1/chats`. */
  rule(fateOf: (call: string, count: number) => Fate): void;
  /** Changes the address of a request, and the text of its answer. */
  disguise(next: Disguise): void;
  /** The calls so far, with their bodies. */
  readonly calls: readonly { readonly call: string; readonly body: string }[];
  close(): Promise<void>;
}

/** Opens one that is closed at the end of the test. */
export async function openTrouble(): Promise<Trouble> {
  const service = await trouble();
  onTestFinished(() => service.close());
  return service;
}

async function trouble(): Promise<Trouble> {
  let target = "";
  let fateOf: (call: string, count: number) => Fate = () => "pass";
  let disguise: Disguise = { path: (path) => path, body: (body) => body };
  const calls: { call: string; body: string }[] = [];
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const body = Buffer.concat(chunks);
      const path = incoming.url ?? "";
      const [bare = "", query] = path.split("?", 2);
      const call = `${incoming.method} ${bare}`;
      const fate = fateOf(call, calls.filter((one) => one.call === call).length);
      calls.push({ call, body: body.toString("utf8") });
      if (fate === "hang") return;
      if (fate === "fail" || fate === "refuse")
        return answer(outgoing, fate === "fail" ? 500 : 403);
      // A Via field would make the gateway reject this as its own request.
      const { via: _via, host: _host, ...headers } = incoming.headers;
      const onwards = request(
        `${target}${disguise.path(bare)}${query === undefined ? "" : `?${query}`}`,
        { method: incoming.method, headers },
        (answered) => {
          if (fate === "pass") {
            void pass(answered, outgoing, (body) => disguise.body(body, bare));
            return;
          }
          answered.resume().on("end", () => {
            if (fate === "lose") answer(outgoing, 500);
            else outgoing.writeHead(200, { "content-type": "text/html" }).end("<p>Hello</p>");
          });
        },
      );
      onwards.on("error", () => outgoing.destroy());
      onwards.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    to(url) {
      target = url;
    },
    rule(next) {
      fateOf = next;
    },
    disguise(next) {
      disguise = next;
    },
    calls,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(outgoing: ServerResponse, status: number): void {
  outgoing.writeHead(status, { "content-type": "application/json" }).end('{"error":{"code":500}}');
}

async function pass(
  answered: IncomingMessage,
  outgoing: ServerResponse,
  changed: (body: string) => string,
): Promise<void> {
  const body = changed(await text(answered));
  const { "content-length": _, ...fields } = answered.headers;
  outgoing.writeHead(answered.statusCode ?? 502, fields).end(body);
}
