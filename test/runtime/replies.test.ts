import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Reply } from "../../src/gateway/exchange/exchange.ts";
import { createWebReply } from "../../src/runtime/web/web-reply.ts";
import { serveExchanges } from "./node/support.ts";

/** A reply for which a client waits without reading. */
interface OpenReply {
  readonly reply: Reply;
  /** The client reads everything from now on. */
  read(): void;
  /** The client disconnects. */
  leave(): void;
}

async function openNodeReply(): Promise<OpenReply> {
  const { promise, resolve } = Promise.withResolvers<Reply>();
  const { port } = await serveExchanges(({ reply }) => resolve(reply));
  const client = connect(port, "127.0.0.1").pause();
  onTestFinished(() => void client.destroy());
  client.on("error", () => undefined);
  await once(client, "connect");
  client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  return {
    reply: await promise,
    read: () => void client.resume(),
    leave: () => void client.destroy(),
  };
}

async function openWebReply(): Promise<OpenReply> {
  const client = new AbortController();
  const { reply, response } = createWebReply("GET", client.signal);
  return {
    reply,
    read: () => void response.then((answer) => answer.arrayBuffer()).catch(() => undefined),
    leave: () => client.abort(),
  };
}

describe.each([
  ["Node", openNodeReply],
  ["the Fetch API", openWebReply],
])("a reply on %s", (_, open) => {
  it("notifies every listener once that the client has gone", async () => {
    const { reply, leave } = await open();
    const [first, second] = [vi.fn(), vi.fn()];
    reply.onGone(first);
    reply.onGone(second);
    leave();
    await vi.waitFor(() => expect(second).toHaveBeenCalledOnce());
    expect(first).toHaveBeenCalledOnce();
  });

  it("notifies at once a listener that is added after the client has gone", async () => {
    const { reply, leave } = await open();
    const [early, late] = [vi.fn(), vi.fn()];
    reply.onGone(early);
    leave();
    await vi.waitFor(() => expect(early).toHaveBeenCalled());
    reply.onGone(late);
    expect([early.mock.calls.length, late.mock.calls.length]).toEqual([1, 1]);
  });

  it("notifies every listener, every time, that the client has read enough", async () => {
    const { reply, read, leave } = await open();
    const [first, second] = [vi.fn(), vi.fn()];
    reply.onDrain(first);
    reply.onDrain(second);
    reply.head(200, "OK", []);
    const fill = (): void => {
      let most = 1000;
      while (reply.write(new Uint8Array(65_536)) && most > 0) most--;
      expect(most).toBeGreaterThan(0);
    };
    fill();
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([0, 0]);
    read();
    await vi.waitFor(() => expect(second).toHaveBeenCalledTimes(1));
    fill();
    await vi.waitFor(() => expect(second).toHaveBeenCalledTimes(2));
    expect(first).toHaveBeenCalledTimes(2);
    leave();
  });
});
