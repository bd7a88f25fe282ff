import { describe, expect, onTestFinished, test } from "vitest";
import {
  createHookTransport,
  type HookTransport,
} from "../../../src/backend/webhooks/hook-transport.ts";
import { createWebhookTransport } from "../../../src/backend/webhooks/transport.ts";
import { testCertificates } from "../../runtime/node/certificates.ts";
import { receiver } from "./receiver.ts";
import type { Receiver } from "./receiver.ts";

const challenged = (): Promise<Receiver> =>
  receiver(
    (request, response) => {
      response.writeHead(request.method === "GET" ? 200 : 204, { "content-type": "text/plain" });
      response.end(request.headers["x-inbenta-challenge"]);
    },
    { secure: true },
  );

function hooks(allow: readonly string[]): HookTransport {
  const transport = createWebhookTransport({ ca: testCertificates().ca });
  onTestFinished(() => transport.close());
  return createHookTransport(allow, transport);
}

describe("a registered address over TLS", () => {
  test("is challenged by a GET without a body, and called by a POST of a list", async () => {
    const to = await challenged();
    const call = hooks([`127.0.0.1:${to.port}`]);
    const headers = { "x-hook-signature": "s", "x-inbenta-challenge": "c-1" };
    const asked = { url: to.url, headers, timeout: 2_000 };
    const challengeAnswer = await call({ ...asked, method: "GET", body: null });
    expect(challengeAnswer).toMatchObject({ ok: true, status: 200, text: "c-1" });
    // Chat webhooks return a secret in a header.
    expect(challengeAnswer.ok && challengeAnswer.headers?.get("content-type")).toBe("text/plain");
    expect(await call({ ...asked, method: "POST", body: "[1]" })).toMatchObject({
      ok: true,
      status: 204,
      text: "",
    });
    expect(to.received).toMatchObject([
      { method: "GET", body: "", headers: { "x-hook-signature": "s" } },
      { method: "POST", body: "[1]", headers: { "x-hook-signature": "s", "content-length": "3" } },
    ]);
    // Each call has its own connection, so that none can break under a call that is not repeated.
    expect(to.connections).toBe(2);
  });

  test("is not called when the configuration does not name it", async () => {
    const to = await challenged();
    const call = hooks(["hooks.example.com"]);
    const answer = await call({
      method: "GET",
      url: to.url,
      headers: {},
      body: null,
      timeout: 2_000,
    });
    expect(answer).toEqual({
      ok: false,
      reason: "its host is not listed in backend.webhooks of the configuration",
    });
    expect(to.connections).toBe(0);
  });
});
