import { describe, expect, onTestFinished, test } from "vitest";
import { createStoredKeys } from "../../../../src/backend/auth/stored-keys.ts";
import { openDatabase } from "../../../../src/backend/storage/open-database.ts";
import { createClients } from "../../../../src/api/clients.ts";
import type { Clients } from "../../../../src/api/clients.ts";
import type { Clock, Json } from "../../client.ts";
import { clock, open } from "../../client.ts";
import type { GatewayInFront } from "../../through-gateway.ts";

interface Service {
  readonly time: Clock;
  clients(apiKey: string): Clients;
  send(method: string, path: string, headers: object, body?: object): Promise<Json>;
}

/**
 * Tests tokens and discovery for keys in a database.
 *
 * @param address creates a database, and returns its address
 * @param getGateway returns the gateway that requests pass through; without it they are answered in
 *   this process
 */
export function testDiscovery(
  title: string,
  address: () => Promise<string>,
  getGateway?: () => GatewayInFront,
): void {
  const service = async (): Promise<Service & { readonly revoke: () => Promise<boolean> }> => {
    const time = clock();
    const location = await address();
    const backend = await open({ database: location, now: time.now, demo: false });
    const database = await openDatabase(location);
    onTestFinished(async () => {
      await database.close();
      await backend.close();
    });
    const keys = createStoredKeys(database, time.now);
    await keys.add("site", { apiKey: "key", secret: "secret", project: "shop" });
    await keys.add("other", { apiKey: "other-key", secret: "secret", project: "modern" });
    const gateway = getGateway?.();
    gateway?.forwardTo(backend.app);
    const url = gateway?.url ?? "http://service.test";
    const request = async (to: string, init: RequestInit): Promise<Response> =>
      gateway === undefined ? backend.app.request(to, init) : fetch(to, init);
    return {
      time,
      revoke: () => keys.revoke("site"),
      clients: (apiKey) =>
        createClients({
          auth: { url, apiKey, secret: "secret" },
          now: time.now,
          retries: 0,
          fetch: request,
        }),
      async send(method, path, headers, body) {
        const init = { method, headers: { ...headers }, body: JSON.stringify(body) };
        const answer = await request(
          `${url}${path}`,
          body === undefined ? { ...init, body: null } : init,
        );
        return { status: answer.status, body: await answer.json() };
      },
    };
  };
  const secret = { secret: "secret" };

  describe(`discovery over ${title}`, () => {
    test("a token is issued with the products, and refreshed without them for the same products", async () => {
      const { send, time } = await service();
      const key = { "x-vendor-key": "key" };
      const { body: issued } = await send("POST", "/v1/auth", key, secret);
      expect(issued).toEqual({
        accessToken: expect.any(String),
        expiration: time.now() / 1000 + 1200,
        expires_in: 1200,
        isUserIdentified: false,
        apis: expect.objectContaining({
          ticketing: expect.any(String),
          knowledge: expect.any(String),
        }),
      });
      const bearer = { ...key, authorization: `Bearer ${issued.accessToken}` };
      expect((await send("GET", "/v1/apis", bearer)).body).toEqual({ apis: issued.apis });
      time.advance(1000);
      const { body: renewed } = await send("POST", "/v1/refreshToken", bearer);
      expect(Object.keys(renewed)).toEqual(["accessToken", "expiration", "expires_in"]);
      time.advance(300);
      expect((await send("GET", "/v1/apis", bearer)).status).toBe(401);
      const later = { ...key, authorization: `Bearer ${renewed.accessToken}` };
      expect((await send("GET", "/v1/apis", later)).body).toEqual({ apis: issued.apis });
    });

    test("a client continues when its token has expired, and sees its own project only", async () => {
      const { clients, time } = await service();
      const [own, other] = [clients("key"), clients("other-key")];
      const { uuid: creator } = await own.ticketing.createUser({
        name: "A",
        address: "a@example.test",
      });
      const { uuid: id } = await own.ticketing.createTicket({ message: "x", creator });
      time.advance(1300);
      expect((await own.ticketing.ticket(id)).message).toBe("x");
      await expect(other.ticketing.ticket(id)).rejects.toMatchObject({ code: "call-not-found" });
      expect((await other.knowledge.search("where is my order")).results.length).toBeGreaterThan(0);
    });

    test("a wrong secret and a revoked key are refused, and so are the key's tokens", async () => {
      const { send, time, revoke } = await service();
      const key = { "x-vendor-key": "key" };
      expect((await send("POST", "/v1/auth", key, { secret: "Secret" })).status).toBe(401);
      const { body } = await send("POST", "/v1/auth", key, secret);
      const bearer = { ...key, authorization: `Bearer ${body.accessToken}` };
      expect((await send("GET", "/v1/apis", bearer)).status).toBe(200);
      expect(await revoke()).toBe(true);
      time.advance(1);
      expect((await send("GET", "/v1/apis", bearer)).status).toBe(401);
      expect((await send("POST", "/v1/auth", key, secret)).status).toBe(401);
    });
  });
}
