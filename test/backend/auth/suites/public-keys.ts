import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AUTH_OPERATIONS } from "../../../../src/api/auth/schema.ts";
import { CHAT_OPERATIONS } from "../../../../src/api/chat/operations.ts";
import { CHATBOT_OPERATIONS } from "../../../../src/api/chatbot/operations.ts";
import { KNOWLEDGE_OPERATIONS } from "../../../../src/api/knowledge/operations.ts";
import type { Operation } from "../../../../src/api/call/operation.ts";
import { TICKETING_OPERATIONS } from "../../../../src/api/ticketing/operations.ts";
import type { Json } from "../../client.ts";
import { embeddedKeys } from "../../embedded-gateway.ts";

/** A backend that knows {@link embeddedKeys}, as a page reaches it. */
export interface ReachedBackend {
  request(path: string, init: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

const all: readonly (readonly [base: string, operations: readonly Operation[]])[] = [
  ["", AUTH_OPERATIONS.filter(({ credentials }) => credentials !== "key")],
  ["/chatbot", CHATBOT_OPERATIONS],
  ["/knowledge", KNOWLEDGE_OPERATIONS],
  ["/ticketing", TICKETING_OPERATIONS],
];
const calls = all.flatMap(([base, operations]) =>
  operations.flatMap((operation) =>
    [operation.path, ...(operation.aliases ?? [])].map(
      (path) => [`${operation.method} ${base}${path}`, operation, base + path] as const,
    ),
  ),
);
const forPages = new Set([
  "ticketing.createUser",
  "ticketing.createTicket",
  "ticketing.upload",
  "ticketing.submitSurvey",
]);
const png = "iVBORw0KGgphIHBpY3R1cmU=";

/** Tests what a token that was issued for a domain key may do. */
export function publicKeys(title: string, reach: () => Promise<ReachedBackend>): void {
  describe(`a token of a domain key, over ${title},`, () => {
    let backend: ReachedBackend;
    let page: Record<string, string> = {};
    let server: Record<string, string> = {};
    beforeAll(async () => {
      backend = await reach();
      const { apiKey, secret, domainKey, origin } = embeddedKeys;
      const key = { "x-vendor-key": apiKey, "content-type": "application/json" };
      const login = async (headers: Record<string, string>, given: string) => {
        const body = JSON.stringify({ secret: given });
        const answer = await backend.request("/v1/auth", { method: "POST", headers, body });
        const { accessToken }: Json = await answer.json();
        return { ...headers, authorization: `Bearer ${accessToken}` };
      };
      page = await login({ ...key, origin }, domainKey);
      server = await login(key, secret);
    });
    afterAll(() => backend.close());

    const send = async (
      headers: Record<string, string>,
      method: string,
      path: string,
      body?: object,
    ): Promise<{ readonly status: number; readonly body: Json }> => {
      const answer = await backend.request(path.replaceAll(/\{\w+\}/g, "1"), {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, body: /^[{[]/.test(text) ? JSON.parse(text) : text };
    };
    const ticketing = (path: string, body: object, further: Record<string, string> = {}) =>
      send({ ...page, ...further }, "POST", `/ticketing/v1${path}`, body);
    let users = 0;
    const newUser = (): { readonly name: string; readonly address: string } => {
      users += 1;
      return { name: "Ana", address: `ana${users}@example.com` };
    };

    test.each(calls)("%s is allowed only if a page needs it", async (_, { id, method }, path) => {
      const { status, body } = await send(page, method, path, method === "GET" ? undefined : {});
      const allowed = !id.startsWith("ticketing.")
        ? id !== "knowledge.userTypes"
        : forPages.has(id);
      if (allowed) expect([401, 403]).not.toContain(status);
      else {
        expect([status, body.message]).toEqual([403, expect.stringContaining("domain key")]);
      }
      const others = await send(server, method, path, method === "GET" ? undefined : {});
      expect([401, 403]).not.toContain(others.status);
    });

    test("is refused by the live chat, which has credentials of its own", async () => {
      for (const { method, path } of CHAT_OPERATIONS) {
        const { status } = await send(page, method, `/chat${path}`);
        expect([method, path, status]).toEqual([method, path, 401]);
      }
    });

    test("registers a user, stores a file and creates a ticket, and sees UUIDs alone", async () => {
      const user = await ticketing("/users", newUser());
      expect(user).toEqual({
        status: 200,
        body: { uuid: user.body.hash_uuid, hash_uuid: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      });
      const media = await ticketing("/media", { name: "a.png", content: png });
      expect(media.body.uuid).toBe(media.body.hash_uuid);
      const request = {
        message: `<img src="att:${media.body.uuid}">`,
        creator: user.body.uuid,
        attachments: [media.body.uuid],
      };
      const made = await ticketing("/tickets", request);
      expect(made).toMatchObject({
        status: 200,
        body: { message: request.message, attachments: [{ hash_uuid: media.body.uuid }] },
      });
      expect(made.body.uuid).toBe(made.body.hash_uuid);
    });

    test("does not reveal which addresses are registered", async () => {
      const user = newUser();
      const { body } = await send(server, "POST", "/ticketing/v1/users", user);
      const again = await ticketing("/users", { ...user, name: "Eve" });
      expect(again.status).toBe(409);
      expect(Object.keys(again.body).toSorted()).toEqual(["error", "errors", "message"]);
      expect(JSON.stringify(again.body)).not.toContain(String(body.hash_uuid));
      const server409 = await send(server, "POST", "/ticketing/v1/users", user);
      expect([server409.status, server409.body.hash_uuid]).toEqual([409, body.hash_uuid]);
    });

    test("cannot enumerate the users and files of others", async () => {
      const theirs = await send(server, "POST", "/ticketing/v1/users", newUser());
      const file = await send(server, "POST", "/ticketing/v1/media", {
        name: "a.png",
        content: png,
      });
      const own = (await ticketing("/users", newUser())).body.uuid;
      for (const [field, ticket] of [
        ["creator", { message: "x", creator: theirs.body.uuid }],
        ["solver", { message: "x", creator: own, solver: theirs.body.uuid }],
        ["attachments", { message: "x", creator: own, attachments: [file.body.uuid] }],
        ["attachments", { message: `<img src="att:${file.body.uuid}">`, creator: own }],
      ] as const) {
        const { status, body } = await ticketing("/tickets", ticket);
        expect([status, body.message]).toEqual([422, expect.stringMatching(`^${field}: .*UUID`)]);
      }
    });

    test("is not given the ticket that a server created with the same Idempotency-Key", async () => {
      const creator = (await ticketing("/users", newUser())).body.uuid;
      const request = { message: "mine", creator };
      const key = { "idempotency-key": "k1" };
      const theirs = await send({ ...server, ...key }, "POST", "/ticketing/v1/tickets", request);
      const made = await ticketing("/tickets", request, key);
      const again = await ticketing("/tickets", request, key);
      expect([theirs.status, made.status]).toEqual([200, 200]);
      expect(made.body.hash_uuid).not.toBe(theirs.body.hash_uuid);
      expect(again.body).toEqual(made.body);
    });
  });
}
