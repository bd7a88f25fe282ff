import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CHAT_OPERATIONS } from "../../../../src/api/chat/operations.ts";
import type { Json } from "../../client.ts";
import { service } from "../service.ts";

const fields = [
  ...["name", "externalId", "extraInfo", "contact", "room", "creator", "source", "lang", "history"],
  ...["sender", "message", "type", "userId", "chatId", "senderId", "content", "events", "target"],
  ...["login", "password", "rooms", "languages", "slots", "online", "rights", "queue", "id", "url"],
  ...["allowedMediaTypes", "settings", "inactivity", "invitationTimeout", "agentId", "roomIds"],
  ...["__proto__", "constructor", "length", "offset", "after", "format", "status"],
];
const hostile = fc.constantFrom(
  ...[
    "",
    " ",
    "\u0000",
    "\ud800",
    "'; DROP TABLE chat_chats; --",
    "%s%n",
    "<script>",
    "𝒳".repeat(99),
  ],
  ...[
    "__proto__",
    "1e309",
    "-1",
    "9007199254740993",
    "../..",
    "\u202etxt",
    "a".repeat(300),
    "%",
    "null",
  ],
);
const value = fc.oneof(hostile, fc.jsonValue({ maxDepth: 2 }), fc.double(), fc.integer());
const bodies = fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: 6 });

// Each call creates an app, and one operation is an endless stream.
const endless: ReadonlySet<string> = new Set(["chat.createApp", "chat.events"]);

/** Tests hostile requests on any store of the chat. */
export function hostileRequests(
  title: string,
  address: () => Promise<string | null>,
  runs: number,
): void {
  describe(`hostile requests over ${title}`, () => {
    test("no input to any operation makes the service fail", async () => {
      const made = await service(await address());
      const { ask, chat, agent } = made;
      const sam = await agent();
      const { id, creator } = await chat();
      const ids = fc.constantFrom(
        id,
        creator,
        sam,
        "x",
        "%00",
        "%ED%A0%80",
        "..%2f",
        "a".repeat(500),
      );
      const operations = CHAT_OPERATIONS.filter(({ id: name }) => !endless.has(name));
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...operations), ids, bodies, hostile, async (...given) => {
          const [{ method, path }, at, body, text] = given;
          // Valid ids lead to existing records.
          const filled =
            method === "GET" ? undefined : { chatId: id, userId: sam, sender: creator, ...body };
          const query = new URLSearchParams({ q: text.toWellFormed(), chatId: id });
          for (const [name, one] of Object.entries(body)) {
            if (method === "GET") query.set(name, JSON.stringify(one).toWellFormed());
          }
          const { status } = await ask(
            method,
            `${path.replace("{id}", at)}?${query.toString()}`,
            filled,
          );
          expect([200, 403, 404, 409, 410, 413, 422, 429, 401]).toContain(status);
        }),
        { numRuns: runs },
      );
    });

    test.each(["{", "[1", '"x"', "1", "\u0000", '{"a":', "name=Ana&extraInfo[a]=1"])(
      "the body %j is accepted, or refused with a reason",
      async (body) => {
        const { ask } = await service(await address());
        const { status, body: answer } = await ask("POST", "users", body);
        expect([200, 422]).toContain(status);
        if (status === 200)
          expect(answer.user).toMatchObject({ name: "Ana", extraInfo: { a: "1" } });
      },
    );

    test("what people write is returned unchanged", async () => {
      const { ask, chat } = await service(await address());
      const { id, creator } = await chat();
      const texts = [
        "\u0000",
        "\ud800 half",
        "<img src=x onerror=alert(1)>",
        "a\r\nb",
        "👩‍👩‍👧",
        "'\"`",
      ];
      for (const message of texts)
        await ask("POST", `chats/${id}/messages`, { sender: creator, message });
      const { body } = await ask("GET", `chats/${id}/messages`);
      expect(body.messages.map((one: Json) => one.message)).toEqual(
        texts.map((text) => text.toWellFormed()),
      );
    });
  });
}
