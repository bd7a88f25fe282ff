// Suite: slow
import { request } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { embeddedGateway } from "../embedded-gateway.ts";
import { service } from "./service.ts";

describe("a chat app's secret", () => {
  test.each([
    ["a page of another site", { origin: "https://evil.example" }],
    ["an opaque origin", { origin: "null" }],
    ["a script of the same origin", { "sec-fetch-site": "same-origin" }],
  ])("is refused from %s, in a header and in the query", async (_, browser) => {
    const { routes, appId, secret } = await service(null);
    const asked = `/v1/users?appId=${appId}`;
    for (const [path, headers] of [
      [`${asked}&secret=${secret}`, browser],
      [asked, { ...browser, "x-hyper-secret": secret }],
    ] as const) {
      const answer = await routes.request(path, { headers });
      expect(answer.status).toBe(403);
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  test("is accepted from servers, and in an address that a person types", async () => {
    const { routes, appId, secret } = await service(null);
    const path = `/v1/users?appId=${appId}&secret=${secret}`;
    for (const headers of [{}, { "sec-fetch-site": "none" }]) {
      expect((await routes.request(path, { headers })).status).toBe(200);
    }
  });

  test("is not needed by pages: sign-up allows their origin", async () => {
    const { routes, appId } = await service(null);
    const answer = await routes.request("/v1/users", {
      method: "POST",
      headers: { "x-hyper-appId": appId, origin: "https://shop.example" },
      body: JSON.stringify({ name: "Ana" }),
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("access-control-allow-origin")).toBe("https://shop.example");
  });
});

test("the demo credentials work for this machine's own names alone, also through the gateway", async () => {
  const gateway = await embeddedGateway({ demo: true });
  onTestFinished(() => gateway.close());
  const status = (path: string, host: string, headers: Record<string, string>): Promise<number> =>
    new Promise((resolve, reject) => {
      const asked = request(gateway.url + path, { headers: { ...headers, host } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      });
      asked.on("error", reject).end();
    });
  const secret = { "x-hyper-appId": "demo-app", "x-hyper-secret": "demo-app-secret" };
  for (const host of ["127.0.0.1", "localhost:8787", "[::1]:8787", "desk.localhost"]) {
    expect([host, await status("/v1/users", host, secret)]).toEqual([host, 200]);
  }
  for (const host of ["evil.example", "127.0.0.1.evil.example:8787", "chat"]) {
    expect([host, await status("/v1/users", host, secret)]).toEqual([host, 401]);
  }
});
