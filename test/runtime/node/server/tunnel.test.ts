import type { HttpRequest } from "../../../../src/http/types.ts";
import { connect, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { createUpgradeExchange } from "../../../../src/runtime/node/server/exchange.ts";
import {
  createTunnels,
  type OpenTunnel,
  type TunnelOutcome,
} from "../../../../src/runtime/node/server/tunnel.ts";
import { rawConnect, type ScriptedUpstream } from "../../../../src/testing/index.ts";
import { ascii, gate, generous, type Serving, serveExchanges, upstream } from "../support.ts";
import { turns } from "../../../fixtures/turns.ts";

interface Tunnelling extends Serving {
  readonly outcomes: TunnelOutcome[];
  readonly ended: Promise<void>;
}

/** A listener that tunnels upgrades for /ws and serves all else itself. */
async function tunnelling(
  to: Pick<ScriptedUpstream, "origin">,
  overrides: Partial<HttpRequest> = {},
  open: OpenTunnel = createTunnels(),
): Promise<Tunnelling> {
  const outcomes: TunnelOutcome[] = [];
  const ended = gate();
  const serving = await serveExchanges(
    ({ reply }) => reply.send(200, "Served", ["content-length", "0"], null),
    {
      upgrade: {
        accepts: (incoming) => incoming.url?.startsWith("/ws") === true,
        async open(incoming, socket, head) {
          const upgrade = createUpgradeExchange(incoming, socket);
          if (upgrade === null) return;
          const { exchange, release } = upgrade;
          const outcome = await open({
            incoming,
            head,
            reply: exchange.reply,
            release,
            upstream: {
              origin: to.origin,
              path: exchange.target,
              headers: ["Host", "a", "X-A", "1", "x-a", "2"],
              timeouts: generous,
              trusted: true,
              ...overrides,
            },
          });
          if (outcome.kind === "failed") {
            const body = Buffer.from(outcome.error.kind);
            exchange.reply.send(502, "No tunnel", ["content-length", String(body.length)], body);
          }
          outcomes.push(outcome);
          ended.open();
        },
      },
    },
  );
  return { ...serving, outcomes, ended: ended.opened };
}

const ask = "GET /ws?x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\n\r\n";
const agree =
  "HTTP/1.1 101 Sw\u00eftching\r\nupgrade: websocket\r\nConnection: Upgrade\r\nX: 1\r\nx: 2\r\n\r\n";

/** An upstream that agrees and then echoes in upper case. */
function echoing(requests: string[] = [], early = ""): Promise<ScriptedUpstream> {
  return upstream({
    onConnection(socket: Socket) {
      socket.once("data", (bytes) => {
        requests.push(bytes.toString("latin1"));
        socket.write(Buffer.from(agree + early, "latin1"));
        socket.on("data", (more) => socket.write(more.toString().toUpperCase()));
      });
    },
  });
}

describe("an upgrade", () => {
  it("goes over with its Connection and Upgrade, and then bytes go both ways", async () => {
    const texts: string[] = [];
    const to = await echoing(texts, "EARLY");
    const { port, outcomes, ended } = await tunnelling(to);
    const client = await rawConnect(port);
    client.send(ask);
    await client.waitFor(`${agree}EARLY`);
    client.send("hello");
    await client.waitFor("HELLO");
    client.send("again");
    await client.waitFor("AGAIN");
    expect(texts).toEqual([
      "GET /ws?x HTTP/1.1\r\nHost: a\r\nX-A: 1\r\nx-a: 2\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\n\r\n",
    ]);
    client.destroy();
    await to.idle();
    await ended;
    expect(outcomes).toEqual([{ kind: "closed" }]);
  });

  it("delivers what the client sent along with its request", async () => {
    const to = await echoing();
    const { port } = await tunnelling(to);
    const client = await rawConnect(port);
    client.send(`${ask}first`);
    await client.waitFor("FIRST");
    expect(client.received()).toBe(`${agree}FIRST`);
    client.destroy();
  });

  it("delivers what the client sent while the upstream made up its mind", async () => {
    const asked = gate();
    const decide = gate();
    const to = await upstream({
      async onConnection(socket) {
        socket.once("data", () => asked.open());
        await decide.opened;
        socket.on("data", (bytes) => socket.write(bytes.toString().toUpperCase()));
        socket.write(Buffer.from(agree, "latin1"));
      },
    });
    const { port } = await tunnelling(to);
    const client = await rawConnect(port);
    client.send(`${ask}one`);
    await asked.opened;
    client.send("two");
    await turns();
    decide.open();
    await client.waitFor("TWO");
    client.send("three");
    await client.waitFor("ONETWOTHREE");
    expect(client.received()).toBe(`${agree}ONETWOTHREE`);
    client.destroy();
  });

  it("closes the client's side when the upstream closes", async () => {
    const to = await upstream({
      onConnection: (socket) =>
        socket.once("data", () => socket.end(Buffer.from(`${agree}bye`, "latin1"))),
    });
    const { port } = await tunnelling(to);
    const client = await rawConnect(port);
    client.send(ask);
    await client.closed();
    expect(client.received()).toBe(`${agree}bye`);
  });

  it("carries megabytes both ways at once", async () => {
    const to = await echoing();
    const { port } = await tunnelling(to);
    const client = await rawConnect(port);
    client.send(ask);
    await client.waitFor("x: 2\r\n\r\n");
    const before = client.received().length;
    client.socket.write(Buffer.alloc(3_000_000, "a"));
    client.socket.write("z");
    await client.waitFor("Z");
    expect(client.received().length - before).toBe(3_000_001);
    client.destroy();
  });

  it("that the upstream answers otherwise ends with that answer and the connection", async () => {
    const to = await upstream({
      handler: () => ({
        status: 403,
        reason: "N\u00f6",
        headers: ["X-A", "1", "x-a", "2", "Transfer-Encoding", "chunked"],
        body: ["no", "pe"],
      }),
    });
    const { port, outcomes, ended } = await tunnelling(to);
    const client = await rawConnect(port);
    client.send(ask);
    const answer = await client.answer();
    expect(answer).toMatchObject({ status: 403, reason: "N\u00f6", complete: true });
    expect(answer.headers.slice(0, 4)).toEqual(["X-A", "1", "x-a", "2"]);
    expect(ascii(answer.body)).toBe("nope");
    await client.closed();
    await ended;
    expect(outcomes).toEqual([{ kind: "answered", status: 403 }]);
  });

  it.each(["000", "099"])("fails when the upstream answers with status %s", async (status) => {
    const raw = `HTTP/1.1 ${status} Odd\r\nContent-Length: 0\r\n\r\n`;
    const to = await upstream({ handler: () => ({ raw }) });
    const { port, outcomes, ended } = await tunnelling(to);
    const client = await rawConnect(port);
    client.send(ask);
    const answer = await client.answer();
    expect([answer.status, ascii(answer.body)]).toEqual([502, "broken"]);
    await ended;
    expect(outcomes).toMatchObject([{ kind: "failed", error: { kind: "broken", sent: true } }]);
    await to.idle();
  });

  it("does not let the client reach the upstream past a refusal", async () => {
    const to = await upstream({ handler: () => ({ status: 403 }) });
    const { port } = await tunnelling(to);
    const client = await rawConnect(port);
    client.send(`${ask}GET /admin HTTP/1.1\r\nHost: a\r\n\r\n`);
    await client.answer();
    await client.closed();
    expect(to.requests).toHaveLength(1);
  });

  it.each([
    ["nobody listens", { origin: "http://127.0.0.1:1" }, "unreachable"],
    ["the address is closed", { trusted: false }, "refused"],
    ["the upstream stays silent", { timeouts: { ...generous, headers: 50 } }, "timeout"],
  ])("fails with an ordinary answer when %s", async (_what, overrides, kind) => {
    const to = await upstream({ onConnection: (socket) => socket.resume() });
    const { port } = await tunnelling(to, overrides);
    const client = await rawConnect(port);
    client.send(ask);
    const answer = await client.answer();
    expect([answer.status, ascii(answer.body)]).toEqual([502, kind]);
    await client.closed();
  });

  it("lets the upstream go when the client leaves before the answer", async () => {
    const arrival = gate();
    const to = await upstream({
      onConnection: (socket) => socket.on("data", () => arrival.open()),
    });
    const { port, ended, outcomes } = await tunnelling(to);
    const client = await rawConnect(port);
    client.send(ask);
    await arrival.opened;
    client.destroy();
    await to.idle();
    await ended;
    expect(outcomes).toMatchObject([{ kind: "failed", error: { kind: "cancelled" } }]);
  });

  it("goes through a proxy by CONNECT, also for plain http", async () => {
    const to = await echoing();
    const asked: string[] = [];
    const proxy = await upstream({
      onConnection: (socket) =>
        socket.once("data", (bytes) => {
          asked.push(ascii(bytes).split("\r\n")[0] ?? "");
          socket.write("HTTP/1.1 200 OK\r\n\r\n");
          const beyond = connect(to.port, "127.0.0.1");
          beyond.on("close", () => socket.destroy()).on("error", () => socket.destroy());
          socket.on("close", () => beyond.destroy());
          socket.pipe(beyond).pipe(socket);
        }),
    });
    const open = createTunnels({ env: { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` } });
    const { port } = await tunnelling({ origin: "http://ws.example:81" }, {}, open);
    const client = await rawConnect(port);
    client.send(ask);
    await client.waitFor("101");
    client.send("hi");
    await client.waitFor("HI");
    expect(asked).toEqual(["CONNECT ws.example:81 HTTP/1.1"]);
    client.destroy();
  });
});

describe("a request that asks for an upgrade where there is none", () => {
  it.each([
    ["another path", "GET /x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"],
    [
      "a body",
      "POST /ws HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 2\r\n\r\nab",
    ],
  ])("is served without it: %s", async (_what, sent) => {
    const to = await echoing();
    const { port } = await tunnelling(to);
    const client = await rawConnect(port);
    client.send(sent);
    expect(await client.answer()).toMatchObject({ status: 200, reason: "Served" });
    client.destroy();
    expect(to.connections).toBe(0);
  });
});

it("is broken off by a drain that has waited long enough", async () => {
  const to = await echoing();
  const { listener, port } = await tunnelling(to);
  const client = await rawConnect(port);
  client.send(ask);
  await client.waitFor("101");
  expect(await listener.drain(50)).toEqual({ broken: 1 });
  await client.closed();
  await to.idle();
});
