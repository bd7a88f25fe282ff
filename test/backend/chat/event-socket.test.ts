// Suite: slow
import { connect as connectTcp } from "node:net";
import { once } from "node:events";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { service } from "./service.ts";
import type { Service } from "./service.ts";
import { listening, refusalOf } from "./listener.ts";
import type { Peer } from "./listener.ts";
import { turns } from "../../fixtures/turns.ts";

async function signedUp({ ask }: Service): Promise<{ id: string; token: string }> {
  const { body } = await ask("POST", "users", { name: "Ana" });
  return { id: body.user.id, token: body.session.token };
}

/** From now on heartbeats are sent only by `vi.advanceTimersByTime`. */
function holdHeartbeats(): void {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Advances the clock, and lets the peer answer the ping. */
async function answerPing({ socket }: Peer, after: number): Promise<void> {
  const ping = once(socket, "ping");
  vi.advanceTimersByTime(after);
  await ping;
  await turns();
}

const names = (frames: readonly { trigger: string }[]): string[] =>
  frames.map(({ trigger }) => trigger);

describe("an event socket", () => {
  test("sends the app's server every event, and a person those of their own chats", async () => {
    const made = await service(null);
    const { connect } = await listening(made);
    const { ask, chat, appId, secret } = made;
    const ana = await signedUp(made);
    const all = await connect({ headers: { "x-hyper-appId": appId, "x-hyper-secret": secret } });
    const hers = await connect({ headers: { "x-hyper-appId": appId, "x-hyper-token": ana.token } });
    expect(await all.next()).toEqual({ type: "ready", lastEventId: "0" });
    await hers.next();
    await chat();
    const { id } = await chat({ creator: ana.id });
    const answer = await ask("POST", `chats/${id}/messages`, { sender: ana.id, message: "Hi" });
    expect(names(await all.events(3))).toEqual(["chats:create", "chats:create", "messages:new"]);
    const [created, message] = await hers.events(2);
    expect(created).toEqual({
      type: "event",
      id: expect.stringMatching(/^\d+$/),
      trigger: "chats:create",
      appId,
      data: { chatId: id, userId: ana.id },
      created_at: expect.any(Number),
    });
    expect(message.data).toEqual({ chatId: id, message: answer.body.message });
  });

  test("that has not authenticated takes no other client's place, and is limited in number for each address", async () => {
    const made = await service(null, {
      streams: { most: 4, maxUnauthenticated: 4, maxUnauthenticatedOfOne: 2, hello: 60_000 },
    });
    const { connect } = await listening(made);
    const { token } = await signedUp(made);
    const from = (client: string): Promise<Peer> =>
      connect({ headers: { "x-hyper-appId": made.appId, "x-test-client": client } });
    const first = await from("203.0.113.9");
    await from("203.0.113.9");
    await expect(from("203.0.113.9")).rejects.toThrow("429");
    await from("2001:db8::1");
    await from("2001:db8::2");
    await expect(from("198.51.100.1")).rejects.toThrow("503");
    // They have not used the places of authenticated clients.
    const known = { "x-hyper-appId": made.appId, "x-hyper-token": token };
    for (let n = 0; n < 3; n++) {
      expect(await (await connect({ headers: known })).next()).toMatchObject({ type: "ready" });
    }
    first.socket.terminate();
    await expect.poll(() => from("203.0.113.9").then(() => "in", String)).toBe("in");
  });

  test("that has not authenticated is counted for the client behind a trusted proxy", async () => {
    const made = await service(null, { streams: { maxUnauthenticatedOfOne: 1 } });
    const { connect } = await listening(made, (address) => address === "127.0.0.1");
    const behind = (client: string): Promise<Peer> =>
      connect({ headers: { "x-hyper-appId": made.appId, "x-forwarded-for": client } });
    await behind("203.0.113.9");
    await expect(behind("198.51.100.1, 203.0.113.9")).rejects.toThrow("429");
    await behind("198.51.100.1");
  });

  test("takes credentials from headers, the query or the first message, and none from the address alone", async () => {
    const made = await service(null);
    const { connect } = await listening(made);
    const { appId } = made;
    const { id, token } = await signedUp(made);
    const query = await connect({ path: `/v1/events/?appId=${appId}&token=${token}` });
    expect(await query.next()).toMatchObject({ type: "ready" });
    const first = await connect({
      path: `/v1/events?appId=${appId}`,
      protocols: ["afterword.chat", "other"],
    });
    expect(first.socket.protocol).toBe("afterword.chat");
    expect(first.frames).toEqual([]);
    first.socket.send(JSON.stringify({ type: "hello", token }));
    expect(await first.next()).toMatchObject({ type: "ready" });
    await made.chat({ creator: id });
    expect(names(await first.events(1))).toEqual(["chats:create"]);
    // The first message may contain all credentials.
    const plain = await connect({ path: "/chat/v1/events" });
    plain.socket.send(JSON.stringify({ type: "hello", appId, token, lastEventId: 0 }));
    expect(await plain.next()).toEqual({ type: "ready", lastEventId: "0" });
    expect(names(await plain.events(1))).toEqual(["chats:create"]);
  });

  test("resumes after the last event, without a gap and without a repetition", async () => {
    const made = await service(null);
    const { connect } = await listening(made);
    const { ask, chat, appId, secret } = made;
    const headers = { "x-hyper-appId": appId, "x-hyper-secret": secret };
    const { id, creator } = await chat();
    const say = (n: number): Promise<unknown> =>
      ask("POST", `chats/${id}/messages`, { sender: creator, message: `m${n}` });
    const texts: string[] = [];
    let last = "0";
    let sent = 0;
    const sending = (async () => {
      for (; sent < 120; sent += 1) await say(sent);
    })();
    // The connection breaks again and again in the middle of events.
    while (texts.length < 121) {
      const peer = await connect({ headers: { ...headers, "last-event-id": last } });
      const events = await peer.events(Math.min(7, 121 - texts.length));
      texts.push(...events.map((event) => event.data.message?.message ?? event.trigger));
      last = events.at(-1)?.id;
      peer.socket.terminate();
    }
    await sending;
    expect(texts).toEqual(["chats:create", ...Array.from({ length: 120 }, (_, n) => `m${n}`)]);
  });

  test("is refused before the upgrade with wrong credentials, and closed after it", async () => {
    const made = await service(null);
    const { connect } = await listening(made);
    const { appId } = made;
    const wrong = { "x-hyper-appId": appId, "x-hyper-secret": "wrong" };
    expect(await refusalOf(connect({ headers: wrong }))).toBe(401);
    expect(await refusalOf(connect({ path: "/v1/events?appId=none&token=x" }))).toBe(401);
    const says = async (text: string): Promise<number> => {
      const peer = await connect({ path: `/v1/events?appId=${appId}` });
      peer.socket.send(text);
      return (await peer.closed)[0];
    };
    expect(await says('{"type":"hello","token":"wrong"}')).toBe(4401);
    expect(await says('{"type":"hello"}')).toBe(4401);
    expect(await says("hello")).toBe(4400);
    expect(await says('{"type":"event"}')).toBe(4400);
    expect(await says(`{"type":"hello","token":"${"x".repeat(20_000)}"}`)).toBe(1009);
  });

  test("is closed when no credentials arrive, and when the token is no longer valid", async () => {
    const made = await service(null, { streams: { hello: 60, heartbeat: 40, agentLife: 80 } });
    const { connect } = await listening(made);
    const { ask, agent, appId } = made;
    const silent = await connect({ path: `/v1/events?appId=${appId}` });
    expect((await silent.closed)[0]).toBe(4408);
    await agent({ login: "sam" });
    const { body } = await ask("POST", "agents/login", {
      login: "sam",
      password: "a long password",
    });
    const headers = { "x-hyper-appId": appId, "x-hyper-token": body.session.token };
    const sam = await connect({ headers });
    await sam.next();
    await ask("POST", "agents/logout", { agentId: body.agent.id });
    expect((await sam.closed)[0]).toBe(4401);
  });

  test("is closed with a request to reconnect when the service stops", async () => {
    const made = await service(null);
    const { connect, drain } = await listening(made);
    const headers = { "x-hyper-appId": made.appId, "x-hyper-secret": made.secret };
    const peer = await connect({ headers });
    await peer.next();
    // A close that waited for its streams would exceed the test's time limit.
    await drain(600_000);
    expect(peer.frames.at(-1)).toEqual({ type: "end", reason: "restart", retryAfter: 1000 });
    expect((await peer.closed)[0]).toBe(1012);
  });

  test("is pinged, and closed when the peer does not answer", async () => {
    const made = await service(null, { streams: { heartbeat: 4_000 } });
    const { connect, url } = await listening(made);
    const { appId, secret, options } = made;
    holdHeartbeats();
    const peer = await connect({ headers: { "x-hyper-appId": appId, "x-hyper-secret": secret } });
    await peer.next();
    await answerPing(peer, 4_000);
    await answerPing(peer, 4_000);
    peer.socket.send('{"type":"ping"}');
    expect(await peer.next()).toEqual({ type: "pong" });
    expect(options.feed.count).toBe(1);
    // A peer that has disappeared silently, as TCP sees it: it reads nothing and answers nothing.
    const dead = connectTcp(Number(new URL(url).port), "127.0.0.1");
    dead.write(
      `GET /v1/events HTTP/1.1\r\nHost: chat\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
        `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nx-hyper-appId: ${appId}\r\nx-hyper-secret: ${secret}\r\n\r\n`,
    );
    await expect.poll(() => options.feed.count).toBe(2);
    await turns();
    await answerPing(peer, 4_000);
    await answerPing(peer, 4_000);
    await expect.poll(() => options.feed.count).toBe(1);
    expect(peer.socket.readyState).toBe(peer.socket.OPEN);
    dead.destroy();
  });

  test("of an agent is pinged far more often than others", async () => {
    const made = await service(null, { streams: { heartbeat: 600_000, agentLife: 4_000 } });
    const { connect } = await listening(made);
    await made.agent({ login: "sam" });
    const { body } = await made.ask("POST", "agents/login", {
      login: "sam",
      password: "a long password",
    });
    const headers = { "x-hyper-appId": made.appId, "x-hyper-token": body.session.token };
    holdHeartbeats();
    const peer = await connect({ headers });
    await peer.next();
    await answerPing(peer, 2_000);
    await answerPing(peer, 2_000);
    peer.socket.pause();
    vi.advanceTimersByTime(4_000);
    await expect.poll(() => made.options.feed.count).toBe(0);
  });

  test("that is not read is closed with a code, holds no memory, and resumes later after its last event", async () => {
    const made = await service(null, { streams: { patience: 1_500 } });
    const { connect } = await listening(made);
    const { ask, chat, appId, secret, options } = made;
    const headers = { "x-hyper-appId": appId, "x-hyper-secret": secret };
    const { id, creator } = await chat();
    const slow = await connect({ headers: { ...headers, "last-event-id": "0" } });
    await slow.events(1);
    slow.socket.pause();
    // More than the network buffers by itself.
    const message = "€".repeat(9_990);
    const sent = 550;
    // It reads again as soon as it was given up, because a later reader finds no close code.
    const readsAgain = async (): Promise<void> => {
      await expect.poll(() => options.feed.count).toBe(0);
      slow.socket.resume();
    };
    const reading = readsAgain();
    for (let n = 0; n < sent; n += 1) {
      await ask("POST", `chats/${id}/messages`, { sender: creator, message: `${n} ${message}` });
    }
    await reading;
    expect((await slow.closed)[0]).toBe(4413);
    const before = slow.frames.filter(({ type }) => type === "event");
    expect(before.length).toBeLessThan(sent);
    const again = await connect({ headers: { ...headers, "last-event-id": before.at(-1).id } });
    const after = await again.events(sent + 1 - before.length);
    const numbers = [...before, ...after]
      .slice(1)
      .map((one) => one.data.message.message.split(" ")[0]);
    expect(numbers).toEqual(Array.from({ length: sent }, (_, n) => String(n)));
  });

  test("may be opened only by pages of the app's domains, if the app has any", async () => {
    const made = await service(null);
    const { connect, url } = await listening(made);
    const { ask, appId } = made;
    const { token } = await signedUp(made);
    const from = (origin: string): ReturnType<typeof connect> =>
      connect({ headers: { "x-hyper-appId": appId, "x-hyper-token": token, origin } });
    await from("https://anywhere.example");
    await ask("PUT", "settings", { domains: [".shop.example"] });
    await from("https://www.shop.example");
    await from(url);
    await connect({ headers: { "x-hyper-appId": appId, "x-hyper-token": token } });
    expect(await refusalOf(from("https://evil.example"))).toBe(403);
    expect(await refusalOf(from("https://shop.example.evil.example"))).toBe(403);
    expect(await refusalOf(from("null"))).toBe(403);
    const late = await connect({
      path: `/v1/events?appId=${appId}`,
      headers: { origin: "https://evil.example" },
    });
    late.socket.send(JSON.stringify({ type: "hello", token }));
    expect((await late.closed)[0]).toBe(4403);
    const stream = await fetch(`${url}/v1/events`, {
      headers: { "x-hyper-appId": appId, "x-hyper-token": token, origin: "https://evil.example" },
    });
    expect(stream.status).toBe(403);
  });

  test("is limited in number, in total and for each person", async () => {
    const made = await service(null, { streams: { most: 3, maxOfOne: 2 } });
    const { connect, url } = await listening(made);
    const { appId } = made;
    const [ana, ben] = [await signedUp(made), await signedUp(made)];
    const headersOf = (token: string): Record<string, string> => ({
      "x-hyper-appId": appId,
      "x-hyper-token": token,
    });
    const open = async (token: string): Promise<unknown> =>
      (await connect({ headers: headersOf(token) })).next();
    await open(ana.token);
    await open(ana.token);
    expect(await refusalOf(open(ana.token))).toBe(429);
    await open(ben.token);
    expect(await refusalOf(open(ben.token))).toBe(503);
    const stream = await fetch(`${url}/v1/events`, { headers: headersOf(ben.token) });
    expect(stream.status).toBe(503);
    expect(await refusalOf(connect({ path: `/v1/events?appId=${appId}` }))).toBe(503);
  });

  test("exists at no other address", async () => {
    const made = await service(null);
    const { connect } = await listening(made);
    const headers = { "x-hyper-appId": made.appId, "x-hyper-secret": made.secret };
    // Served as if no upgrade had been requested.
    expect(await refusalOf(connect({ headers, path: "/v1/chats" }))).toBe(200);
  });
});
