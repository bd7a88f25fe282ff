import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** What becomes of one call. */
export type Fate =
  | "pass"
  /** Nothing is done, and nothing answered. */
  | "hang"
  /** It is done, and nothing is answered. */
  | "do and hang"
  /** It is done, and the answer is lost: 500. */
  | "lose"
  /** Nothing is done: answered with this status. */
  | number;

/** A call such as `POST /v1/chats`, without a query, and how many like it there were before. */
export type Fates = (call: string, before: number) => Fate;

export interface Call {
  readonly call: string;
  readonly query: string;
  readonly body: string;
  /** Of which conversation. */
  readonly key: string;
  /** The service is done with it, or was not asked. */
  done: boolean;
}

/** Stands between a gateway and the services, and knows the conversation that a call is about. */
export interface Between {
  readonly url: string;
  readonly calls: readonly Call[];
  /** Of calls about the conversation of this key; the others pass. */
  rule(key: string, fates: Fates): void;
  /** The chat with this id is of this conversation. */
  knows(chat: string, key: string): void;
  close(): Promise<void>;
}

export async function openBetween(target: string): Promise<Between> {
  const rules = new Map<string, Fates>();
  const chats = new Map<string, string>();
  const calls: Call[] = [];
  const server = createServer((incoming, outgoing) => {
    void take(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    rule: (key, fates) => void rules.set(key, fates),
    knows: (chat, key) => void chats.set(chat, key),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function take(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const isPublic = incoming.url?.startsWith("/public/") === true;
    const path = isPublic ? (incoming.url ?? "").slice("/public".length) : (incoming.url ?? "");
    const [bare = "", query = ""] = path.split("?", 2);
    const call = `${incoming.method} ${bare}`;
    const key = keyOf(path, body.toString("latin1"));
    const before = calls.filter((one) => one.call === call && one.key === key).length;
    const fate = rules.get(key)?.(call, before) ?? "pass";
    const noted = { call, query, body: body.toString("utf8"), key, done: false };
    calls.push(noted);
    if (fate === "hang" || typeof fate === "number") {
      noted.done = true;
      if (typeof fate === "number") refuse(outgoing, fate);
      return;
    }
    const answer = await asked(incoming, path, body);
    noted.done = true;
    if (fate === "do and hang") return;
    if (fate === "lose") return refuse(outgoing, 500);
    if (call === "POST /v1/chats") remember(key, answer.body);
    // Below /public the services name addresses that are on the internet.
    const text = answer.body
      .toString("latin1")
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+/gu, publicHost);
    outgoing.writeHead(answer.status, answer.headers).end(isPublic ? text : answer.body);
  }

  function keyOf(path: string, body: string): string {
    const named = /aw-([0-9a-f]{64})/u.exec(path) ?? /aw-([0-9a-f]{64})/u.exec(body);
    if (named?.[1] !== undefined) return named[1];
    for (const [chat, key] of chats) if (path.includes(chat) || body.includes(chat)) return key;
    return "";
  }

  function remember(key: string, body: Buffer): void {
    const { chat } = JSON.parse(body.toString("utf8")) as { chat?: { id?: string } };
    if (chat?.id !== undefined) chats.set(chat.id, key);
  }

  function asked(incoming: IncomingMessage, path: string, body: Buffer): Promise<Answered> {
    // A Via would tell a gateway that this is its own request.
    const { via: _via, host: _host, ...headers } = incoming.headers;
    return new Promise((resolve, reject) => {
      const onwards = request(target + path, { method: incoming.method, headers }, (answer) => {
        const { "content-length": _, "transfer-encoding": _coding, ...fields } = answer.headers;
        buffer(answer).then(
          (whole) => resolve({ status: answer.statusCode ?? 502, headers: fields, body: whole }),
          reject,
        );
      });
      onwards.on("error", reject);
      onwards.end(body);
    });
  }
}

const publicHost = "https://bot.example.test";

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

function refuse(outgoing: ServerResponse, status: number): void {
  const body = JSON.stringify({ error: { code: status, message: "no" } });
  outgoing.writeHead(status, { "content-type": "application/json" }).end(body);
}
