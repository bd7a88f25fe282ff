// Suite: long
import { connect as connectTcp, createServer } from "node:net";
import type { Socket } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { createClients } from "../../../src/api/clients.ts";
import type { ChatClient } from "../../../src/api/chat/client-types.ts";
import type { ChatStreamEvent } from "../../../src/api/chat/events.ts";
import { FailedCall } from "../../../src/pages/shared/failed-call.ts";
import { connect as connectDesk } from "../../../src/pages/desk/connection.ts";
import { listening } from "./listener.ts";
import { service } from "./service.ts";
import type { Service } from "./service.ts";
import { rawUpstream } from "../../http/raw-upstream.ts";

/** The typed client over a real connection, with a limit in milliseconds for each call. */
function clientOf(url: string, { appId, secret }: Service, timeout = 60_000): ChatClient {
  const auth = { url, apiKey: "none", secret: "none" };
  return createClients({ auth, chat: { url, appId, secret }, timeout }).chat;
}

const textOf = ({ trigger, data }: ChatStreamEvent): string =>
  trigger === "messages:new" ? (data as { message: { message: string } }).message.message : trigger;

/** A proxy between client and service that can break connections, or drop bytes silently. */
async function proxyTo(
  url: string,
): Promise<{ readonly url: string; breakAll(): void; vanish(): void }> {
  const sockets = new Set<Socket>();
  let isGone = false;
  const proxy = createServer((client) => {
    const upstream = connectTcp(Number(new URL(url).port), "127.0.0.1");
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one
        .on("error", () => undefined)
        .on("close", () => void (sockets.delete(one), other.destroy()))
        .on("data", (bytes) => void (isGone || other.write(bytes)));
    }
  });
  const breakAll = (): void => sockets.forEach((socket) => socket.destroy());
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    breakAll();
    proxy.close();
  });
  const address = proxy.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    breakAll,
    vanish: () => {
      isGone = true;
    },
  };
}

test("the client receives every event once and in order, however often the connection breaks", async () => {
  const made = await service(null);
  const first = await listening(made);
  const { ask, chat } = made;
  // Breaks every connection again and again.
  const proxy = await proxyTo(first.url);
  const { id, creator } = await chat();
  const stop = new AbortController();
  const texts: string[] = [];
  const listen = (async () => {
    const events = clientOf(proxy.url, made).events({
      after: "0",
      signal: stop.signal,
    });
    for await (const event of events) texts.push(textOf(event));
  })();
  for (let n = 0; n < 40; n += 1) {
    await ask("POST", `chats/${id}/messages`, { sender: creator, message: `m${n}` });
    if (n === 12 || n === 25) {
      await vi.waitFor(() => expect(texts.length).toBeGreaterThan(n / 2), 40_000);
      proxy.breakAll();
    }
  }
  await vi.waitFor(() => expect(texts).toHaveLength(41), 40_000);
  expect(texts).toEqual(["chats:create", ...Array.from({ length: 40 }, (_, n) => `m${n}`)]);
  stop.abort();
  await listen;
});

test("the client also resumes before the first event, outlives its time limit, and ends when its reader leaves", async () => {
  const made = await service(null, { streams: { heartbeat: 100 } });
  const { url } = await listening(made);
  const { chat, options } = made;
  const received: ChatStreamEvent[] = [];
  const listen = (async () => {
    for await (const event of clientOf(url, made, 300).events()) {
      received.push(event);
      if (received.length === 2) break;
    }
  })();
  await vi.waitFor(() => expect(options.feed.count).toBe(1), 40_000);
  // Longer than a call may take: a call to a silent service is given up.
  const silent = await rawUpstream(() => undefined);
  const call = clientOf(silent.origin, made, 300).rooms();
  await expect(call).rejects.toMatchObject({ code: "call-timeout" });
  await chat();
  await chat();
  await listen;
  expect(received).toMatchObject([
    { id: "1", trigger: "chats:create", appId: made.appId },
    { id: "2", trigger: "chats:create" },
  ]);
  await vi.waitFor(() => expect(options.feed.count).toBe(0), 40_000);
});

test("the client reports a refusal", async () => {
  const made = await service(null);
  const { url } = await listening(made);
  const stranger = clientOf(url, { ...made, secret: "wrong" });
  await expect(Array.fromAsync(stranger.events())).rejects.toMatchObject({
    code: "call-unauthorized",
  });
});

test("a stream over HTTP that is not read is closed, and holds no memory", async () => {
  const made = await service(null, { streams: { patience: 200 } });
  const { url } = await listening(made);
  const { ask, chat, appId, secret, options } = made;
  const { id, creator } = await chat();
  const socket = connectTcp(Number(new URL(url).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.write(
    `GET /v1/events HTTP/1.1\r\nHost: chat\r\nx-hyper-appId: ${appId}\r\nx-hyper-secret: ${secret}\r\n\r\n`,
  );
  socket.pause();
  await vi.waitFor(() => expect(options.feed.count).toBe(1), 40_000);
  const message = "x".repeat(10_000);
  for (let n = 0; n < 1_200; n += 1) {
    await ask("POST", `chats/${id}/messages`, { sender: creator, message });
  }
  await vi.waitFor(() => expect(options.feed.count).toBe(0), 40_000);
});

test("a stream over HTTP is kept alive, gives a position to a client that has received nothing, and ends with its token or the service", async () => {
  const made = await service(null, { streams: { heartbeat: 50 } });
  const { url, drain } = await listening(made);
  const { ask, agent, chat, appId, secret } = made;
  await chat();
  const server = { "x-hyper-appId": appId, "x-hyper-secret": secret };
  const all = (await fetch(`${url}/v1/events`, { headers: server })).text();
  await agent({ login: "sam", rooms: ["2"] });
  const { body } = await ask("POST", "agents/login", { login: "sam", password: "a long password" });
  const headers = { "x-hyper-appId": appId, "x-hyper-token": body.session.token };
  const stream = (await fetch(`${url}/v1/events`, { headers })).body;
  await chat();
  let hers = "";
  for await (const piece of (stream ?? []).values()) {
    const before = hers;
    hers += Buffer.from(piece).toString();
    if (!before.includes("\nid: 2\n\n") && hers.includes("\nid: 2\n\n")) {
      await ask("POST", "agents/logout", { agentId: body.agent.id });
    }
  }
  expect(hers).toMatch(/^retry: 1000\nid: 1\n\n/);
  // No event was for this agent. Its position moves on nevertheless, so that a later stream has
  // fewer events to search.
  expect(hers).not.toContain("event:");
  expect(hers).toContain("\nid: 2\n\n");
  await drain(5_000);
  expect(await all).toMatch(
    /retry: 1000\nevent: stream:end\ndata: \{"reason":"restart","retryAfter":1000\}\n\n$/,
  );
  await expect(fetch(`${url}/v1/events`, { headers: server })).rejects.toThrow("fetch failed");
  expect((await made.routes.request("/v1/events", { headers: server })).status).toBe(503);
});

test("an agent whose machine disappears is offline 45 seconds after the stream ends, and the desk receives every event once until then", async () => {
  const made = await service(null, { streams: { agentLife: 1_100 } });
  const { ask, agent, chat, time, options } = made;
  const proxy = await proxyTo((await listening(made)).url);
  const sam = await agent({ login: "sam", online: false });
  const { body } = await ask("POST", "agents/login", { login: "sam", password: "a long password" });
  const { id, creator } = await chat();
  await ask("POST", `chats/${id}/join`, { userId: sam });
  const headers = { "x-hyper-appId": made.appId, "x-hyper-token": body.session.token };
  const texts: string[] = [];
  const openings: boolean[] = [];
  const lost: string[] = [];
  const desk = connectDesk({
    async open(last, signal) {
      const more = last === "" ? {} : { "last-event-id": last };
      const init = { headers: { ...headers, ...more }, signal };
      const response = await fetch(`${proxy.url}/v1/events`, init);
      if (!response.ok) throw new FailedCall(response.status, "");
      return response;
    },
    opened: (resumed) => void openings.push(resumed),
    lost: () => void lost.push("lost"),
    refused: () => void lost.push("refused"),
    event: ({ trigger, data }) => {
      const { message } = data as { message?: { message: string } };
      if (trigger === "messages:new") texts.push(message?.message ?? "");
    },
  });
  onTestFinished(() => desk.end());
  const messages: string[] = [];
  const isOnline = async (): Promise<boolean> => {
    await made.chores();
    return (await ask("GET", `agents/${sam}`)).body.agent.online;
  };
  // The first one knows its position only from the initial event.
  await vi.waitFor(() => expect(openings.slice(0, 2)).toEqual([false, true]), 40_000);
  // Messages are sent continuously, even while one stream replaces another.
  while (openings.length < 4) {
    messages.push(`m${messages.length}`);
    await ask("POST", `chats/${id}/messages`, { sender: creator, message: messages.at(-1) });
    await vi.waitFor(() => expect(texts).toEqual(messages), 40_000);
  }
  expect(openings.slice(0, 4)).toEqual([false, true, true, true]);
  expect(lost).toEqual([]);
  for (let n = 0; n < 2; n++) {
    const streams = openings.length;
    time.advance(40);
    await vi.waitFor(() => expect(openings.length).toBeGreaterThan(streams), 40_000);
    expect(await isOnline()).toBe(true);
  }
  proxy.vanish();
  await vi.waitFor(() => expect(options.feed.count).toBe(0), 40_000);
  expect(await isOnline()).toBe(true);
  time.advance(46);
  expect(await isOnline()).toBe(false);
});
