import { connect } from "node:net";
import { serve } from "@hono/node-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OpenBackend } from "../../../src/backend/node.ts";
import { login, open } from "../client.ts";
import type { Json } from "../client.ts";

let backend: OpenBackend;
let server: ReturnType<typeof serve>;
let origin: string;

beforeAll(async () => {
  backend = await open();
  await new Promise<void>((listening) => {
    server = serve({ fetch: backend.app.fetch, port: 0, hostname: "127.0.0.1" }, () => listening());
  });
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
});

afterAll(async () => {
  await new Promise((closed) => server.close(closed));
  await backend.close();
});

async function post(url: string, headers: Record<string, string>, body?: string): Promise<Json> {
  return (
    await fetch(url, { method: "POST", headers, ...(body !== undefined && { body }) })
  ).json();
}

describe("over HTTP", () => {
  test("a client that follows apis.chatbot gets through a whole conversation", async () => {
    const key = { "x-inbenta-key": "demo-key" };
    const form = { ...key, "content-type": "application/x-www-form-urlencoded" };
    const auth = await post(`${origin}/v1/auth`, form, "secret=demo-secret");
    expect(auth.apis).toStrictEqual({
      chatbot: `${origin}/chatbot`,
      knowledge: `${origin}/knowledge`,
      ticketing: `${origin}/ticketing`,
      chat: `${origin}/chat`,
    });
    const base = `${auth.apis.chatbot}/v1`;
    const headers = {
      ...key,
      authorization: `Bearer ${auth.accessToken}`,
      "content-type": "application/json,charset=UTF-8",
    };
    const start = await post(`${base}/conversation`, headers, '{"lang":"fr"}');
    const session = { ...headers, "x-inbenta-session": `Bearer ${start.sessionToken}` };
    const welcome = await post(`${base}/conversation/message`, session, '{"message":""}');
    expect(welcome.answers[0].flags).toStrictEqual(["welcome"]);
    const answer = await post(
      `${base}/conversation/message`,
      session,
      '{"message":"o\\u00f9 est mon colis"}',
    );
    expect(answer.answers[0].parameters.contents.title).toBe("Où est ma commande\u202f?");
    const { rateCode } = answer.answers[0].parameters.contents.trackingCode;
    const tracked = await post(
      `${base}/tracking/events`,
      session,
      JSON.stringify({ type: "rate", data: { code: rateCode, value: 1 } }),
    );
    expect(tracked).toStrictEqual({ success: true });
  });

  test("a GET with a content length of zero and a form type is an ordinary GET", async () => {
    const { "x-inbenta-key": key, authorization } = await login(backend.app);
    const answer = await raw(
      `GET /v1/apis HTTP/1.1\r\nHost: shop.localhost\r\nX-Vendor-Key: ${key}\r\nAuthorization: ${authorization}\r\n` +
        "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    );
    expect(answer).toContain(
      '{"apis":{"chatbot":"http://localhost/chatbot","knowledge":"http://localhost/knowledge","ticketing":"http://localhost/ticketing","chat":"http://localhost/chat"}}',
    );
  });

  test("10 MB are accepted and one byte more is not, declared or chunked", async () => {
    const headers = await login(backend.app);
    const limit = 10_485_760;
    const send = async (size: number, chunked: boolean): Promise<number> => {
      const text = `{"message":"${"x".repeat(size - 14)}"}`;
      const body = chunked ? new Blob([text]).stream() : text;
      const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
      const answer = await fetch(`${origin}/v1/conversation`, init).catch(cutOff);
      await answer?.text();
      // A refused body is read for only half a second more, so a client that is slower on a busy
      // machine is cut off before it has read the answer, and asks again.
      return answer?.status ?? send(size, chunked);
    };
    expect(await send(limit, false)).toBe(200);
    expect(await send(limit, true)).toBe(200);
    expect(await send(limit + 1, false)).toBe(413);
    expect(await send(limit + 1, true)).toBe(413);
  });

  test("a body whose declared length is too large is refused before it arrives", async () => {
    const answer = await raw(
      "POST /v1/auth HTTP/1.1\r\nHost: a\r\nX-Inbenta-Key: demo-key\r\nContent-Length: 10485761\r\n\r\n",
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  test("bytes that are not UTF-8 are answered 422", async () => {
    const headers = { "x-inbenta-key": "demo-key", "content-type": "application/json" };
    const body = Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    expect((await fetch(`${origin}/v1/auth`, { method: "POST", headers, body })).status).toBe(422);
  });
});

/**
 * Sends bytes as they are and reads what comes back until the answer's head and body are there or
 * the socket closes.
 */
function raw(request: string): Promise<string> {
  return new Promise((done, failed) => {
    const socket = connect(Number(new URL(origin).port), "127.0.0.1", () => socket.write(request));
    let answer = "";
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => {
      answer += chunk;
      if (/\r\n\r\n.*\}/s.test(answer)) socket.destroy();
    });
    socket.on("close", () => done(answer));
    socket.on("error", failed);
  });
}

function cutOff(error: unknown): null {
  if (error instanceof TypeError && /ECONNRESET|EPIPE/.test(String(error.cause))) return null;
  throw error;
}
