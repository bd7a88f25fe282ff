// Suite: slow
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { embeddedGateway, embeddedKeys } from "../embedded-gateway.ts";

it.each([
  ["the address that is connected", "", "127.0.0.1"],
  [
    "the address that a trusted proxy names",
    "listen: { trustProxies: [127.0.0.1] }",
    "2001:db8::7",
  ],
])("a search through the gateway is recorded with %s", async (_, top, expected) => {
  const gateway = await embeddedGateway({ top, backend: "knowledge: { logIp: true }" });
  try {
    const headers = {
      "x-inbenta-key": embeddedKeys.apiKey,
      "content-type": "application/json",
      "x-forwarded-for": "198.51.100.9, 2001:db8::7",
    };
    const post = (path: string, body: object, further: object = {}): Promise<Response> =>
      fetch(gateway.url + path, {
        method: "POST",
        headers: { ...headers, ...further },
        body: JSON.stringify(body),
      });
    const login = await post("/v1/auth", { secret: embeddedKeys.secret });
    const { accessToken } = (await login.json()) as { readonly accessToken: string };
    const authorization = `Bearer ${accessToken}`;
    const found = await post("/knowledge/v1/search", { query: "refund" }, { authorization });
    expect(found.status).toBe(200);
    const database = new DatabaseSync(gateway.databaseFile, { readOnly: true });
    const events = database.prepare("SELECT ip FROM knowledge_events").all();
    database.close();
    expect(events.map(({ ip }) => ip)).toEqual([expected]);
  } finally {
    await gateway.close();
  }
});
