// Suite: slow
import { expect, onTestFinished, test, vi } from "vitest";
import {
  createRateLimits,
  RATE_LIMITS,
  createMemoryCounters,
} from "../../../src/backend/auth/rate-limits.ts";
import { CHAT_OPERATIONS } from "../../../src/api/chat/operations.ts";
import { open } from "../client.ts";
import { service } from "./service.ts";

// Sends many requests to every operation, or files of megabytes.
vi.setConfig({ testTimeout: 180_000 });

type Request = (path: string, init: RequestInit) => Response | Promise<Response>;

interface House {
  /** The addresses of the chat: plain paths, /chat for a gateway, and a separate port. */
  readonly doors: Readonly<Record<string, Request>>;
  readonly appId: string;
  readonly secret: string;
}

/** A whole backend with a registered app. */
async function house(): Promise<House> {
  const backend = await open();
  onTestFinished(() => backend.close());
  const doors: House["doors"] = {
    plain: (path, init) => backend.app.request(path, init),
    mounted: (path, init) => backend.app.request(`/chat${path}`, init),
    alone: (path, init) => backend.chat.request(path, init),
  };
  const made = await backend.chat.request("/v1/apps", {
    method: "POST",
    headers: { "x-hyper-appId": "demo-app", "x-hyper-secret": "demo-app-secret" },
    body: '{"name":"Mine"}',
  });
  const { appId, secret } = await made.json();
  return { doors, appId, secret };
}

const rows = CHAT_OPERATIONS.flatMap((operation) =>
  [operation.path, ...(operation.aliases ?? [])].map((path) => ({
    method: operation.method,
    path: path.replace("{id}", "x"),
    open: operation.credentials === "app",
  })),
);

test("every operation requires the secret at every address, and refuses a wrong one", async () => {
  const { doors, appId } = await house();
  const id = { "x-hyper-appId": appId };
  const found: string[] = [];
  for (const [door, request] of Object.entries(doors)) {
    for (const { method, path, open: isOpen } of rows) {
      const wrong = { ...id, "x-hyper-secret": "wrong" };
      const tries = [wrong, { "x-hyper-secret": "alone" }, ...(isOpen ? [] : [id])];
      for (const headers of tries) {
        const { status } = await request(path, { method, headers });
        if (status !== 401) found.push(`${door}: ${method} ${path}: ${status}`);
      }
      const query = `${path}?appId=${appId}&secret=wrong`;
      const { status } = await request(query, { method });
      if (status !== 401) found.push(`${door}: ${method} ${query}: ${status}`);
    }
  }
  expect(found).toEqual([]);
});

test("availability and sign-up need only the app's id at every address, and no preflight allows the secret", async () => {
  const { doors, appId, secret } = await house();
  const id = { "x-hyper-appId": appId };
  for (const [door, request] of Object.entries(doors)) {
    const free = await request("/v1/agents/available?roomIds=1", { headers: id });
    const signedUp = await request("/v1/users", {
      method: "POST",
      headers: id,
      body: '{"name":"A"}',
    });
    expect([door, free.status, signedUp.status]).toEqual([door, 200, 200]);
    const mine = await request("/v1/users", { headers: { ...id, "x-hyper-secret": secret } });
    expect([door, mine.status]).toEqual([door, 200]);
    for (const path of ["/v1/users", "/v1/chats", "/settings", "/v1/nothing", "/media/x"]) {
      for (const asked of [
        "x-hyper-secret",
        "X-HYPER-SECRET, x-hyper-appid",
        "x-hyper-appid,x-hyper-secret",
      ]) {
        const { headers } = await request(path, {
          method: "OPTIONS",
          headers: {
            origin: "https://shop.test",
            "access-control-request-method": "POST",
            "access-control-request-headers": asked,
          },
        });
        const allowed = headers.get("access-control-allow-headers") ?? "";
        expect([door, path, asked, /secret|\*/i.test(allowed)]).toEqual([door, path, asked, false]);
      }
    }
  }
});

test("an app that calls too often learns when to retry, and another app is not limited", async () => {
  const { time } = await service(null);
  const limits = createRateLimits({
    counters: createMemoryCounters(),
    now: time.now,
    limits: { ...RATE_LIMITS, product: { minute: 5, hour: 100 } },
  });
  const made = await service(null, { limits });
  const statuses: number[] = [];
  for (let call = 0; call < 6; call += 1) statuses.push((await made.ask("GET", "rooms")).status);
  // The service has created its room before.
  expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
  const refused = await made.ask("GET", "rooms");
  expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(refused.body.error.code).toBe(429);
  expect((await made.askOther("GET", "rooms")).status).toBe(200);
});
