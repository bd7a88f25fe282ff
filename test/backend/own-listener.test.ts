import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAppListener } from "../../src/runtime/node/app-listener.ts";
import type { Listener } from "../../src/runtime/node/listener.ts";
import { clock, login, open } from "./client.ts";
import type { Json } from "./client.ts";

/** A backend behind Node's listener, which writes its answers past it or does not. */
async function listening(ownListener: boolean) {
  const errors: unknown[] = [];
  const backend = await open({ ownListener, now: clock().now });
  const listener: Listener = createAppListener(backend.app, {
    onError: (error) => errors.push(error),
  });
  const { port } = await listener.listen(0, "127.0.0.1");
  const headers = { ...(await login(backend.app)), "content-type": "application/json" };
  const post = async (path: string, body: unknown, more: Record<string, string> = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: "POST",
      headers: { ...headers, ...more },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    const read: Json = JSON.parse(text);
    return { status: response.status, fields: Object.fromEntries(response.headers), text, read };
  };
  const end = async () => {
    await listener.drain(1000);
    await backend.close();
  };
  return { post, port, headers, errors, end };
}

let own: Awaited<ReturnType<typeof listening>>;
let usual: typeof own;
beforeAll(async () => {
  [own, usual] = await Promise.all([listening(true), listening(false)]);
});
afterAll(() => Promise.all([own.end(), usual.end()]));

// What is another one in each answer.
const codes = /"(?:searchCode|clickCode|rateCode|externalCode|hash_uuid|full_uuid)":"[^"]*"/g;

describe("an answer that is written past the listener", () => {
  it.each([
    ["a search", "/knowledge/v1/search", { query: "where is my order – größer?", dynabs: true }],
    ["a search without a result", "/knowledge/v1/search", { query: "zzzzqqqq xxyyzz" }],
    ["a search that is refused", "/knowledge/v1/search", { query: 5 }],
    ["a ticket of nobody", "/ticketing/v1/tickets", { message: "m", creator: "999" }],
  ])("is the same as any other: %s", async (_what, path, body) => {
    const origin = { origin: "https://shop.example" };
    const [one, other] = [await own.post(path, body, origin), await usual.post(path, body, origin)];
    expect(one.status).toBe(other.status);
    expect(one.text.replace(codes, "")).toBe(other.text.replace(codes, ""));
    const { date: _, ...fields } = one.fields;
    const { date: __, ...otherFields } = other.fields;
    expect(fields).toEqual(otherFields);
    expect(fields["access-control-allow-origin"]).toBe("https://shop.example");
  });

  it("is a ticket too, which is there when it is asked for", async () => {
    const user = { name: "A", address: "a@example.test" };
    const { read: creator } = await own.post("/ticketing/v1/users", user);
    const made = await own.post("/ticketing/v1/tickets", { message: "ö", creator: creator.uuid });
    expect([made.status, made.read.message]).toEqual([200, "ö"]);
    expect(made.fields["content-length"]).toBe(String(Buffer.byteLength(made.text)));
  });

  it("is nobody's when the client has gone, and the next client gets one", async () => {
    const body = JSON.stringify({ query: "where is my order" });
    const fields = Object.entries({ ...own.headers, "content-length": String(body.length) });
    const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    for (let client = 0; client < 20; client += 1) {
      const socket = connect(own.port, "127.0.0.1");
      socket.on("error", () => undefined);
      socket.write(`POST /knowledge/v1/search HTTP/1.1\r\nhost: a\r\n${head}\r\n${body}`, () =>
        socket.destroy(),
      );
    }
    await sleep(50);
    expect((await own.post("/knowledge/v1/search", { query: "where is my order" })).status).toBe(
      200,
    );
    expect(own.errors).toEqual([]);
  });
});
