// Suite: slow
import { describe, expect, test } from "vitest";
import { isNestedTooDeep } from "../../../src/backend/http/request-body.ts";
import type { Json } from "../client.ts";
import { service } from "./service.ts";
import type { Service } from "./service.ts";

/**
 * Returns an answer's status and message. `service` checks that a failure has the documented body.
 */
async function readRefusal(
  made: Service,
  method: string,
  path: string,
  body?: unknown,
): Promise<Json> {
  const { status, body: answer } = await made.ask(method, path, body);
  return [status, answer.error?.message];
}

describe("a chat that is closed", () => {
  const closed = [409, "The chat is closed."];

  test("refuses further changes with that reason, and is closed once", async () => {
    const made = await service(null);
    const sam = await made.agent();
    const { id, creator } = await made.chat();
    await made.ask("POST", `chats/${id}/join`, { userId: sam });
    expect((await made.ask("DELETE", `chats/${id}`)).body).toEqual({ success: true });
    const line = { sender: "user", message: "x" };
    const acts = [
      ["POST", `chats/${id}/messages`, { sender: creator, message: "x" }],
      ["POST", `chats/${id}/messages`, { sender: sam, message: "x" }],
      ["POST", `chats/${id}/history`, { history: [line] }],
      ["POST", `users/${creator}/activity`, { type: "writing", chatId: id }],
      ["PUT", `chats/${id}`, { lang: "en" }],
      ["GET", `chats/${id}/assign`],
      ["POST", `chats/${id}/toinbox`],
      ["POST", `chats/${id}/join`, { userId: sam }],
      ["POST", `chats/${id}/join`, { userId: creator }],
      ["PUT", `chats/${id}/leave`, { userId: sam }],
      ["POST", `chats/${id}/transfer`, { userId: sam }],
      ["POST", "invitations", { chatId: id, userId: sam }],
      ["POST", "invitations/accept", { chatId: id, userId: sam }],
      ["POST", "invitations/reject", { chatId: id, userId: sam }],
    ] as const;
    for (const [method, path, body] of acts) {
      expect([path, await readRefusal(made, method, path, body)]).toEqual([path, closed]);
    }
    for (const path of [`chats/${id}`, `chats/${id}?userId=${creator}`, `chats/${id}?userId=x`]) {
      expect(await readRefusal(made, "DELETE", path)).toEqual([409, "The chat is closed already."]);
    }
    expect((await made.eventsOf(id)).filter((trigger) => trigger === "chats:close")).toHaveLength(
      1,
    );
  });

  test("is closed once by several concurrent attempts", async () => {
    const made = await service(null);
    const { id } = await made.chat();
    const tries = await Promise.all(
      Array.from({ length: 20 }, () => readRefusal(made, "DELETE", `chats/${id}`)),
    );
    expect(tries.filter(([status]) => status === 200)).toHaveLength(1);
    expect(tries.filter(([status]) => status === 409)).toHaveLength(19);
  });
});

describe("what people write", () => {
  const texts = [
    '<script>alert(1)</script><img src=x onerror="alert(1)">',
    "\u202eevil \u0007 bell",
    "'; DROP TABLE chat_people; --",
    "${name} {{name}} %s %n",
    "👩‍👩‍👧 𝒳 é ﷽",
  ];

  test.each(texts)("comes back as it was sent, from every field: %j", async (text) => {
    const made = await service(null);
    const { ask } = made;
    const extraInfo = { [text]: text, list: [text] };
    const { user } = (
      await ask("POST", "users", { name: text, externalId: text, contact: text, extraInfo })
    ).body;
    const seen = (await ask("GET", `users/${user.id}`)).body.user;
    expect(seen).toMatchObject({ name: text, externalId: text, contact: text, extraInfo });
    const query = new URLSearchParams({ externalId: text });
    expect((await ask("GET", `users?${query}`)).body.users).toHaveLength(1);
    const agent = { name: text, nickname: text, login: "sam", contact: text };
    const sam = (await ask("POST", "agents", agent)).body.agent;
    expect(sam).toMatchObject({ name: text, nickname: text, contact: text });
    expect((await ask("POST", "rooms", { id: 1, name: text })).body.room.name).toBe(text);
    const survey = (await ask("POST", "surveys", { name: text, url: "https://s.test/" })).body;
    expect(survey.survey.name).toBe(text);
    expect((await ask("PUT", `apps/${made.appId}`, { name: text })).body.app.name).toBe(text);
    const chat = await made.chat({ creator: user.id, externalId: text, source: text });
    expect(chat).toMatchObject({ externalId: text, source: text });
    const path = `chats/${chat.id}`;
    const message = { sender: user.id, message: text };
    expect((await ask("POST", `${path}/messages`, message)).body.message.message).toBe(text);
    await ask("POST", `${path}/history`, { history: [{ sender: "assistant", message: text }] });
    const { messages } = (await ask("GET", `${path}/messages`)).body;
    expect(messages.map((one: Json) => one.message)).toEqual([text, text]);
  });

  test("is never answered as something that a browser would run", async () => {
    const made = await service(null);
    const { id, creator } = await made.chat();
    const html = "<script>alert(1)</script>";
    await made.ask("POST", `chats/${id}/messages`, { sender: creator, message: html });
    await made.ask("PUT", "settings", ["text/html", "image/svg+xml"]);
    const files = await Promise.all(
      ["a.html", "a.svg"].map((name) => made.ask("POST", "media", { name, content: btoa(html) })),
    );
    const paths = [`chats/${id}/messages`, `chats/${id}/history`, `chats/${id}/history?format=csv`];
    for (const path of [...paths, ...files.map(({ body }) => body.media.url.slice(1))]) {
      const { headers, status } = await made.ask("GET", path);
      expect(status).toBe(200);
      expect([path, headers.get("x-content-type-options")]).toEqual([path, "nosniff"]);
      expect([path, headers.get("cache-control")]).toEqual([
        path,
        expect.stringMatching(/no-store$/),
      ]);
      const type = headers.get("content-type") ?? "";
      if (type.startsWith("application/json")) continue;
      const disposition = headers.get("content-disposition");
      expect([path, disposition]).toEqual([path, expect.stringMatching(/^attachment;/)]);
    }
    for (const path of ["/v1/nothing", "/v1/chats/%3Cscript%3E", "/v1/media/%3Cscript%3E"]) {
      const { headers, status } = await made.ask("GET", path);
      expect([path, status, headers.get("content-type")]).toEqual([path, 404, "application/json"]);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  test("with NUL is stored whole in messages and extraInfo, and with U+FFFD elsewhere; half a surrogate pair becomes U+FFFD everywhere", async () => {
    const made = await service(null);
    const odd = "a\u0000b\ud800c";
    const extraInfo = { [odd]: odd };
    const { body } = await made.ask("POST", "users", { name: odd, externalId: odd, extraInfo });
    const whole = "a\ufffdb\ufffdc";
    const kept = "a\u0000b\ufffdc";
    const { user } = (await made.ask("GET", `users/${body.user.id}`)).body;
    expect(user).toMatchObject({
      name: whole,
      externalId: whole,
      extraInfo: { [kept]: kept },
    });
    const { id } = await made.chat({ creator: user.id });
    await made.ask("POST", `chats/${id}/messages`, { sender: user.id, message: odd });
    expect((await made.ask("GET", `chats/${id}/messages`)).body.messages[0].message).toBe(kept);
    for (const path of [
      "chats/%00",
      "users/a%00b",
      "media/%00",
      "surveys/%ED%A0%80",
      "agents/%00",
    ]) {
      expect([path, (await made.ask("GET", path)).status]).toEqual([path, 404]);
    }
  });
});

describe("extraInfo", () => {
  test("keeps keys that have a meaning in JavaScript, without any effect", async () => {
    const made = await service(null);
    const extra =
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":"x","hasOwnProperty":1,"a":{"__proto__":[1]}}';
    const made1 = await made.ask("POST", "users", `{"name":"Ana","extraInfo":${extra}}`);
    const { id } = made1.body.user;
    const answer = await made.routes.request(`/v1/users/${id}`, {
      headers: { "x-hyper-appId": made.appId, "x-hyper-secret": made.secret },
    });
    expect(await answer.text()).toContain(`"extraInfo":${extra}`);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
    const changed = await made.ask(
      "PUT",
      `users/${id}`,
      '{"__proto__":{"name":"x"},"contact":"c"}',
    );
    expect(changed.body.user).toMatchObject({ name: "Ana", contact: "c" });
    const none = await made.ask("POST", "users", '{"__proto__":{"name":"Ana"}}');
    expect(none.status).toBe(422);
  });

  test.each([["text"], [1], [true], [[1]], [{ a: "x".repeat(65_536) }]])(
    "that is not an object, or is too large, is refused: %.40j",
    async (extraInfo) => {
      const made = await service(null);
      const [status, message] = await readRefusal(made, "POST", "users", {
        name: "Ana",
        extraInfo,
      });
      expect([status, message]).toEqual([422, expect.stringMatching(/^extraInfo: /)]);
    },
  );
});

describe("deeply nested JSON", () => {
  const lists = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
  const objects = (levels: number): string => '{"a":'.repeat(levels) + "1" + "}".repeat(levels);
  const tooDeep = "The body is nested more than 100 levels deep.";

  test.each([200, 5_000, 1_000_000])(
    "is refused before it is parsed: %d levels",
    async (levels) => {
      const made = await service(null);
      const { id, creator } = await made.chat();
      const bodies = [
        ["POST", "users", `{"name":"x","extraInfo":${objects(levels)}}`],
        ["POST", "users", `{"name":"x","extraInfo":{"a":${lists(levels)}}}`],
        ["POST", "users", objects(levels)],
        [
          "POST",
          `chats/${id}/history`,
          `{"history":[{"sender":"user","message":${lists(levels)}}]}`,
        ],
        ["POST", `chats/${id}/messages`, `{"sender":"${creator}","message":${lists(levels)}}`],
        ["POST", "chats", `{"room":1,"creator":"${creator}","history":${lists(levels)}}`],
        ["PUT", "settings", lists(levels)],
        ["PUT", "settings", `{"queue":${objects(levels)}}`],
        // Without closing brackets.
        ["POST", "users", "[".repeat(levels)],
        ["POST", "users", '{"a":'.repeat(levels)],
      ] as const;
      for (const [method, path, body] of bodies) {
        expect([body.slice(0, 40), await readRefusal(made, method, path, body)]).toEqual([
          body.slice(0, 40),
          [422, tooDeep],
        ]);
      }
    },
  );

  test("is judged by its structure, not by brackets in texts", async () => {
    const made = await service(null);
    const { id, creator } = await made.chat();
    const message = `${"[".repeat(4_990)}"\\"${"{".repeat(4_990)}\\\\`;
    const sent = await made.ask("POST", `chats/${id}/messages`, { sender: creator, message });
    expect(sent.body.message.message).toBe(message);
    const extraInfo: Json = JSON.parse(objects(90));
    const { body } = await made.ask("POST", "users", { name: "Ana", extraInfo });
    expect(body.user.extraInfo).toEqual(extraInfo);
    expect([isNestedTooDeep(lists(100)), isNestedTooDeep(lists(101))]).toEqual([false, true]);
    expect(isNestedTooDeep(`a=${lists(200)}`)).toBe(false);
  });
});

describe("fields that are missing or of the wrong type", () => {
  test.each([
    ["POST", "agents", {}, "name: is missing"],
    ["POST", "agents", { name: {} }, "name: must be a text"],
    ["POST", "agents/login", { login: "a" }, "password: is missing"],
    ["POST", "chats", { creator: "a" }, "room: is missing"],
    ["POST", "chats", { room: {}, creator: "a" }, "room: must be a number or a text"],
    ["POST", "webhooks", { events: "chats:close" }, "target: is missing"],
    ["POST", "users/a/activity", {}, "type: is missing"],
    ["POST", "users/a/activity", { type: "x" }, "type: must be among writing, not-writing,"],
    ["PUT", "settings", { queue: { active: "x" } }, "queue.active: must be true or false"],
    ["PUT", "settings", { queue: 5 }, "queue: must be an object"],
    ["PUT", "settings", { inactivity: -1 }, "inactivity: must not be negative"],
    [
      "PUT",
      "canned-answers",
      { cannedAnswers: [{ name: "a", texts: { klingon: "x" } }] },
      "cannedAnswers.0.texts.klingon: must be a language code such as en",
    ],
  ])("are named with what they must be: %s %s %j", async (method, path, body, message) => {
    const made = await service(null);
    const [status, refused] = await readRefusal(made, method, path, body);
    expect([status, refused]).toEqual([422, expect.stringContaining(message)]);
  });
});

describe("numbers and ids out of range", () => {
  test.each(["-1", "1.5", "1e309", '"1e3"', "1001", '"x"', "null", "true", '"9".repeat', "1e308"])(
    "as slots are refused: %s",
    async (slots) => {
      const made = await service(null);
      const agent = `{"name":"x","login":"x","slots":${slots}}`;
      expect((await made.ask("POST", "agents", agent)).status).toBe(422);
      expect((await made.ask("GET", "agents")).body.agents).toEqual([]);
    },
  );

  test.each([
    "length=-1",
    "length=0",
    "length=201",
    "length=1e9",
    "length=x",
    "offset=-1",
    "offset=9007199254740993",
  ])("as parts of a list are refused: %s", async (query) => {
    const made = await service(null);
    const { id } = await made.chat();
    for (const path of ["users", "agents", "chats", "media", `chats/${id}/messages`]) {
      const { status } = await made.ask("GET", `${path}?${query}`);
      expect([path, status]).toEqual([path, 422]);
    }
  });

  test.each([
    [{ invitationTimeout: 0 }],
    [{ invitationTimeout: 3601 }],
    [{ inactivity: 2_592_001 }],
    [{ inactivity: -1 }],
    [{ queue: { active: "maybe" } }],
    [{ languages: ["not a language"] }],
    [{ allowedMediaTypes: ["x".repeat(201)] }],
    [Array.from({ length: 501 }, () => "png")],
  ])("as settings are refused: %.60j", async (settings) => {
    const made = await service(null);
    const before = (await made.ask("GET", "settings")).body;
    expect((await made.ask("PUT", "settings", settings)).status).toBe(422);
    expect((await made.ask("GET", "settings")).body).toEqual(before);
  });

  test("as ids are unknown, or refused with the field's name", async () => {
    const made = await service(null);
    const creator = await made.user();
    const long = "a".repeat(10_000);
    const ids = [long, "..%2f..", "__proto__", "constructor", "%22", "*", "%25", "0", "-1", "1e9"];
    for (const id of ids) {
      for (const path of ["chats", "users", "agents", "media", "surveys", "webhooks", "apps"]) {
        const { status } = await made.ask("GET", `${path}/${id}`);
        expect([path, id.slice(0, 20), status]).toEqual([path, id.slice(0, 20), 404]);
      }
    }
    for (const room of ["", " ", long, null, {}, [1], "1e400"]) {
      const [status, message] = await readRefusal(made, "POST", "chats", { room, creator });
      expect([room, status, message]).toEqual([room, 422, expect.stringMatching(/^room: /)]);
    }
    for (const id of ["", " ", long, "1,2", null, [1, 2]]) {
      const [status, message] = await readRefusal(made, "POST", "rooms", { id });
      expect([id, status, message]).toEqual([id, 422, expect.stringMatching(/^id: /)]);
    }
    const many = Array.from({ length: 501 }, (_, index) => index).join(",");
    expect((await made.ask("GET", `agents/available?roomIds=${many}`)).status).toBe(422);
    expect((await made.ask("GET", "agents/available?roomIds=__proto__")).body.agents).toEqual(
      JSON.parse('{"__proto__":0}'),
    );
  });
});

describe("half a surrogate pair", () => {
  test("becomes U+FFFD in everything that the chat stores and returns", async () => {
    const made = await service(null);
    const half = "cut \ud83d";
    const whole = "cut \ufffd";
    const { id, creator } = await made.chat();
    const sent = await made.ask("POST", `chats/${id}/messages`, { sender: creator, message: half });
    expect(sent.status).toBe(200);
    await made.ask("PUT", `users/${creator}`, {
      extraInfo: { [half]: [half, "whole 😀", { [half]: half }] },
    });
    await made.ask("POST", `chats/${id}/history`, {
      history: [{ sender: "user", message: half, created: 1 }],
    });
    const parts = [`chats/${id}/messages`, `chats/${id}/history`, `users/${creator}`];
    const kept = await Promise.all(parts.map(async (path) => (await made.ask("GET", path)).body));
    const text = JSON.stringify(kept);
    expect(text).not.toMatch(/\\ud83d/i);
    expect(text).toContain(whole);
    expect(kept[2].user.extraInfo).toEqual({ [whole]: [whole, "whole 😀", { [whole]: whole }] });
    const log = await made.options.database.kysely.selectFrom("chat_log").select("data").execute();
    expect(JSON.stringify(log)).not.toMatch(/ud83d/i);
  });
});
