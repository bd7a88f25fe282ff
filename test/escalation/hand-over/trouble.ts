import { createServer, request, type ServerResponse } from "node:http";
import { type AddressInfo } from "node:net";

/** What becomes of one call. */
export type Fate =
  | "pass"
  /** Nothing is done, and nothing answered. */
  | "hang"
  /** It is done, and the answer is lost: 500. */
  | "lose"
  /** It is done, and answered with a page. */
  | "garbage"
  /** Nothing is done: 500. */
  | "fail"
  /** Nothing is done: 403. */
  | "refuse";

/** Stands between a gateway and a service, and makes trouble. */
export interface Trouble {
  readonly url: string;
  /** Where the service is. */
  to(url: string): void;
  /** What happens from now on; `call` is such as `POST /v1/chats`. */
  rule(fateOf: (call: string, count: number) => Fate): void;
  /** Calls so far, with what was sent along. */
  readonly calls: readonly { readonly call: string; readonly body: string }[];
  close(): Promise<void>;
}

export async function trouble(): Promise<Trouble> {
  let target = "";
  let fateOf: (call: string, count: number) => Fate = () => "pass";
  const calls: { call: string; body: string }[] = [];
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const body = Buffer.concat(chunks);
      const path = incoming.url ?? "";
      const call = `${incoming.method} ${path.split("?", 1)[0]}`;
      const fate = fateOf(call, calls.filter((one) => one.call === call).length);
      calls.push({ call, body: body.toString("utf8") });
      if (fate === "hang") return;
      if (fate === "fail" || fate === "refuse")
        return answer(outgoing, fate === "fail" ? 500 : 403);
      // A Via would tell the gateway that this is its own request.
      const { via: _via, host: _host, ...headers } = incoming.headers;
      const onwards = request(
        `${target}${path}`,
        { method: incoming.method, headers },
        (answered) => {
          if (fate === "pass") {
            outgoing.writeHead(answered.statusCode ?? 502, answered.headers);
            answered.pipe(outgoing);
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
