// Suite: long
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createClients } from "../../../src/api/clients.ts";
import type { ChatClient } from "../../../src/api/chat/client-types.ts";
import { connect, refusalOf } from "../../backend/chat/listener.ts";
import { freePort } from "../../fixtures/free-port.ts";
import { root, type Server, serveProcess, workspace } from "./processes.ts";

const app = { "x-hyper-appId": "demo-app" };
const server = { ...app, "x-hyper-secret": "demo-app-secret" };

function clientOf({ url }: Server): ReturnType<typeof createClients> {
  return createClients({
    auth: { url, apiKey: "demo-key", secret: "demo-secret" },
    chat: { url, appId: "demo-app", secret: "demo-app-secret" },
  });
}

/** A new user with a chat, and the user's own client. */
async function talker(
  chat: ChatClient,
): Promise<{ readonly id: string; readonly user: string; readonly token: string }> {
  const { user, token } = await chat.createUser({ name: "Ana" });
  const { id } = await chat.createChat({ room: 1, creator: user.id });
  return { id, user: user.id, token: token ?? "" };
}

/**
 * Milliseconds that a stop waits for work under way: `total` and two seconds. A stream must not
 * make it wait.
 */
const drain = 30_000;

const socketUrl = (url: string): string => url.replace(/^http/u, "ws");

describe.each([
  ["afterword backend", "backend"],
  ["the gateway with its embedded backend", "serve"],
] as const)("event streams of %s", (_name, command) => {
  async function started(): Promise<Server> {
    const place = await workspace();
    return command === "serve"
      ? serveProcess(["serve", "--config", place.config, "--port", "0"])
      : serveProcess([
          ...["backend", "--content", join(root, "config", "backend"), "--port", "0"],
          ...["--database", join(place.path, "backend.db")],
        ]);
  }

  test("tell of messages over WebSocket and over HTTP, at every address of the chat", async () => {
    const running = await started();
    const clients = clientOf(running);
    const { id, user, token } = await talker(clients.chat);
    const url = socketUrl(running.url);
    const { apis } = await clients.auth.current();
    const peers = [
      await connect(url, { headers: { ...app, "x-hyper-token": token } }),
      await connect(url, { path: "/v1/events?appId=demo-app&lastEventId=0", headers: server }),
      await connect(url, { path: "/chat/v1/events", headers: server }),
      await connect(socketUrl(apis["chat"] ?? ""), { headers: server }),
    ];
    const late = await connect(url, { path: "/v1/events?appId=demo-app" });
    late.socket.send(JSON.stringify({ type: "hello", token }));
    peers.push(late);
    for (const peer of peers) expect((await peer.next()).type).toBe("ready");
    const overHttp = clients.chat.as(token).events({ after: "0" })[Symbol.asyncIterator]();
    onTestFinished(async () => void (await overHttp.return?.()));
    await clients.chat.send(id, { sender: user, message: "Hi" });
    for (const peer of peers) {
      const texts: string[] = [];
      while (!texts.includes("messages:new")) texts.push((await peer.events(1))[0].trigger);
    }
    expect((await overHttp.next()).value.trigger).toBe("chats:create");
    expect((await overHttp.next()).value.data.message.message).toBe("Hi");
    const wrong = { ...app, "x-hyper-secret": "wrong" };
    expect(await refusalOf(connect(url, { headers: wrong }))).toBe(401);
    expect((await running.stop()).code).toBe(0);
  });

  test("end at once on SIGTERM, with a sign to come back", async () => {
    const running = await started();
    const peer = await connect(socketUrl(running.url), { headers: server });
    await peer.next();
    const stream = await fetch(`${running.url}/v1/events`, { headers: server });
    const text = stream.text();
    const began = performance.now();
    expect((await running.stop()).code).toBe(0);
    expect(performance.now() - began).toBeLessThan(drain);
    expect((await peer.closed)[0]).toBe(1012);
    expect(await text).toMatch(
      /\nevent: stream:end\ndata: \{"reason":"restart","retryAfter":1000\}\n\n$/u,
    );
  });
});

test("an upgrade that is no event stream of the embedded backend is served as a plain request", async () => {
  const place = await workspace();
  const { url } = await serveProcess(["serve", "--config", place.config, "--port", "0"]);
  expect(await refusalOf(connect(socketUrl(url), { path: "/v1/chats", headers: server }))).toBe(
    200,
  );
  expect(await refusalOf(connect(socketUrl(url), { path: "/ticketing/v1/events" }))).not.toBe(101);
});

test("of several workers at one database each tells what the others do, and the client goes on over restarts", async () => {
  const place = await workspace();
  const port = String(await freePort());
  const args = ["serve", "--config", place.config, "--workers", "2", "--port", port];
  let running = await serveProcess(args);
  const { chat } = clientOf(running);
  const { id, user } = await talker(chat);
  const texts: string[] = [];
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  void (async () => {
    for await (const { trigger, data } of chat.events({ after: "0", signal: stop.signal })) {
      const { message } = data as { message?: { message: string } };
      texts.push(message?.message ?? trigger);
    }
  })();
  const say = async (n: number): Promise<void> => {
    // Each call opens a connection, so that all workers answer in turn.
    await fetch(`${running.url}/v1/chats/${id}/messages`, {
      method: "POST",
      headers: { ...server, connection: "close", "content-type": "application/json" },
      body: JSON.stringify({ sender: user, message: `m${n}` }),
    });
  };
  for (let n = 0; n < 6; n += 1) await say(n);
  await expect.poll(() => texts.length, { timeout: 60_000 }).toBe(7);
  await running.stop();
  running = await serveProcess(args);
  for (let n = 6; n < 12; n += 1) await say(n);
  await expect.poll(() => texts.length, { timeout: 60_000 }).toBe(13);
  expect(texts).toEqual(["chats:create", ...Array.from({ length: 12 }, (_, n) => `m${n}`)]);
});

test("a client that never reads cannot hold the end up", async () => {
  const place = await workspace();
  const running = await serveProcess(["serve", "--config", place.config, "--port", "0"]);
  const peer = await connect(socketUrl(running.url), { headers: server });
  await peer.next();
  peer.socket.pause();
  const began = performance.now();
  await running.stop();
  expect(performance.now() - began).toBeLessThan(drain);
  peer.socket.resume();
  await once(peer.socket, "close");
});
