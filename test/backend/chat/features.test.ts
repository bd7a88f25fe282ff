// Suite: slow
import { describe, expect, test } from "vitest";
import { findFileKind } from "../../../src/backend/http/files.ts";
import { isAllowed } from "../../../src/config/schema/media-types.ts";
import { agentIn } from "../../../src/backend/chat/agents/assign.ts";
import { DEFAULT_MEDIA_TYPES } from "../../../src/api/chat/states.ts";
import { png, service } from "./service.ts";
import type { Answered, Service } from "./service.ts";

const base64 = Buffer.from(png).toString("base64");

function multipart(fields: Record<string, string>, name = "a.png", bytes = png): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set("media", new Blob([Uint8Array.from(bytes)], { type: "image/png" }), name);
  return form;
}

describe("files", () => {
  test("are sent in a chat as multipart, and come back byte for byte, harmless to a browser", async () => {
    const { ask, chat, routes, appId, secret } = await service(null);
    const { id, creator } = await chat();
    const sent = await ask("POST", "media", multipart({ chatId: id, senderId: creator }));
    expect(sent.body.media).toMatchObject({ name: "a.png", type: "image/png", size: png.length });
    const { body } = await ask("GET", `chats/${id}/messages`);
    const { url, type, name } = sent.body.media;
    expect(body.messages).toMatchObject([
      { sender: creator, type: "media", message: { url, type, name } },
    ]);
    for (const path of [`/v1${url}`, url]) {
      const file = await routes.request(`${path}?appId=${appId}&secret=${secret}`);
      expect(new Uint8Array(await file.arrayBuffer())).toEqual(png);
      expect(file.headers.get("content-disposition")).toMatch(/^attachment/);
      expect(file.headers.get("content-security-policy")).toContain("sandbox");
      expect(file.headers.get("x-content-type-options")).toBe("nosniff");
    }
    const listed = await ask("GET", `media?chatId=${id}`);
    expect(listed.body.media).toEqual([sent.body.media]);
  });

  test("come in pieces if they are large, so that a slow reader keeps little in memory", async () => {
    const { ask, chat, routes, appId, secret } = await service(null);
    const { id, creator } = await chat();
    const large = Uint8Array.from({ length: 1_000_003 }, (_, at) => png[at] ?? at % 251);
    const form = multipart({ chatId: id, senderId: creator }, "a.png", large);
    const { url } = (await ask("POST", "media", form)).body.media;
    const file = await routes.request(`${url}?appId=${appId}&secret=${secret}`);
    expect(file.headers.get("content-length")).toBe(String(large.length));
    const pieces: Uint8Array[] = [];
    for await (const piece of file.body ?? []) pieces.push(piece);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(131_072);
    expect(Buffer.concat(pieces).equals(large)).toBe(true);
  });

  test.each([
    ["json", (text: string) => JSON.parse(text).history],
    ["csv", (text: string) => text.split("\r\n").slice(1, -1)],
  ])(
    "the events of a long chat come in pieces as %s, complete and in order",
    async (format, read) => {
      const { ask, chat, routes, appId, secret } = await service(null);
      const { id } = await chat();
      const history = Array.from({ length: 240 }, (_, at) => ({
        sender: "user",
        message: `line ${at} ${"x".repeat(2000)}`,
      }));
      expect((await ask("POST", `chats/${id}/history`, { history })).status).toBe(200);
      const query = `format=${format}&appId=${appId}&secret=${secret}`;
      const answer = await routes.request(`/v1/chats/${id}/history?${query}`);
      expect(answer.status).toBe(200);
      const pieces: Uint8Array[] = [];
      for await (const piece of answer.body ?? []) pieces.push(piece);
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(300_000);
      const events = read(Buffer.concat(pieces).toString());
      const lines = events.flatMap(
        (event: unknown) => /line \d+/u.exec(JSON.stringify(event)) ?? [],
      );
      expect(lines.map(String)).toEqual(history.map((_, at) => `line ${at}`));
    },
  );

  test.each([
    ["JSON", (ids: Record<string, string>) => ({ name: "a.png", content: base64, ...ids })],
    ["multipart", multipart],
  ])("are sent as %s to no chat if `chatId` is empty", async (_, toBody) => {
    const { ask, chat } = await service(null);
    const { id, creator } = await chat();
    for (const senderId of ["", creator]) {
      const sent = await ask("POST", "media", toBody({ chatId: "", senderId }));
      expect([sent.status, sent.body.media?.name]).toEqual([200, "a.png"]);
    }
    expect((await ask("GET", `chats/${id}/messages`)).body.messages).toEqual([]);
    const nobody = await ask("POST", "media", toBody({ chatId: id, senderId: "" }));
    expect([nobody.status, nobody.body.error.message]).toEqual([422, "senderId: is missing"]);
  });

  test("are sent as JSON, kept for an hour until a message names them, and then for good", async () => {
    const { ask, chat, time, sweep } = await service(null);
    const { id, creator } = await chat();
    const upload = (): Promise<Answered> =>
      ask("POST", "/media", { name: "a.png", content: base64 });
    const [kept, lost] = [await upload(), await upload()];
    const message = { url: kept.body.media.url };
    const answer = await ask("POST", `chats/${id}/messages`, {
      sender: creator,
      type: "media",
      message,
    });
    expect(answer.body.message).toMatchObject({ type: "media", message: { name: "a.png" } });
    time.advance(3601);
    await sweep();
    expect((await ask("GET", `media/${kept.body.media.id}`)).status).toBe(200);
    expect((await ask("GET", `media/${lost.body.media.id}`)).status).toBe(410);
    const late = { sender: creator, type: "media", message: lost.body.media };
    expect((await ask("POST", `chats/${id}/messages`, late)).status).toBe(410);
  });

  test.each([
    ["invalid base64", { name: "a.png", content: "%%%" }, 422],
    ["an empty file", { name: "a.png", content: "" }, 422],
    ["a type that is not allowed", { name: "a.exe", content: base64 }, 403],
    ["a name of another type", { name: "a.pdf", content: base64 }, 403],
    ["an unknown chat", { name: "a.png", content: base64, chatId: "x", senderId: "y" }, 404],
    ["a chat without a sender", { name: "a.png", content: base64, chatId: "x" }, 422],
    ["too many bytes", { name: "a.png", content: "A".repeat(9_786_712) }, 413],
    ["nothing", {}, 422],
  ] as const)("are refused for %s", async (_name, body, status) => {
    const { ask } = await service(null);
    expect((await ask("POST", "media", body)).status).toBe(status);
  });

  test("and broken multipart, oversize bodies and fields of the wrong kind are refused", async () => {
    const { ask, routes, appId, secret, chat } = await service(null);
    const { id, creator } = await chat();
    const headers = { "x-hyper-appId": appId, "x-hyper-secret": secret };
    const broken = await routes.request("/v1/media", {
      method: "POST",
      headers: { ...headers, "content-type": "multipart/form-data; boundary=x" },
      body: "nothing of the kind",
    });
    expect(broken.status).toBe(422);
    const big = multipart(
      { chatId: id, senderId: creator },
      "a.png",
      new Uint8Array(7_340_033).fill(1),
    );
    expect((await ask("POST", "media", big)).status).toBe(413);
    const huge = await ask("POST", "users", JSON.stringify({ name: "x".repeat(10_485_761) }));
    expect(huge.status).toBe(413);
    const closed = await ask("DELETE", `chats/${id}`);
    expect(closed.status).toBe(200);
    const late = await ask("POST", "media", multipart({ chatId: id, senderId: creator }));
    expect(late.status).toBe(409);
  });

  test("have a name that is read quickly, however long it is", () => {
    const name = `${". ".repeat(2_000_000)}a${".".repeat(2_000_000)}`;
    expect(findFileKind(name, "", png).name).toHaveLength(255);
  });

  test("may be of the types named in guides until the settings name others", () => {
    for (const extension of [
      "jpeg",
      "png",
      "pdf",
      "xls",
      "xlsx",
      "doc",
      "docx",
      "mp4",
      "avi",
      "mp3",
    ]) {
      expect(isAllowed(DEFAULT_MEDIA_TYPES, findFileKind(`a.${extension}`, "", png))).toBe(true);
    }
    for (const extension of ["aac", "wav", "wma", "ogg", "oga", "m4a", "gif"]) {
      expect(isAllowed(DEFAULT_MEDIA_TYPES, findFileKind(`a.${extension}`, "", png))).toBe(true);
    }
    expect(isAllowed(["image/*"], findFileKind("a.webp", "", png))).toBe(true);
    expect(isAllowed([".PNG"], findFileKind("a.png", "", png))).toBe(true);
    expect(isAllowed([""], findFileKind("a", "", png))).toBe(false);
    expect(findFileKind("../../etc/x\u0000.svg", "image/svg+xml", png)).toMatchObject({
      name: "x.svg",
      type: "image/svg+xml",
    });
  });
});

describe("settings", () => {
  test.each([
    ["bare", (list: unknown) => list],
    ["wrapped", (list: unknown) => ({ allowedMediaTypes: list })],
    ["wrapped in settings", (list: unknown) => ({ settings: { mediaTypes: list } })],
  ] as const)(
    "store exactly the list of media types, %s; an empty one allows nothing",
    async (_name, wrap) => {
      const { ask } = await service(null);
      const list = ["image/png", "b", "a", "image/png", " pdf", "\u0000"];
      for (const path of ["/v1/settings", "/settings"]) {
        expect((await ask("PUT", path, wrap(list))).body.settings.allowedMediaTypes).toEqual(list);
      }
      expect((await ask("GET", "settings")).body.settings.allowedMediaTypes).toEqual(list);
      expect((await ask("PUT", "settings", wrap([]))).body.settings.allowedMediaTypes).toEqual([]);
      const refused = await ask("POST", "media", { name: "a.png", content: base64 });
      expect([refused.status, refused.body.error.message]).toEqual([
        403,
        "File type is not allowed",
      ]);
    },
  );

  test("change one by one, and without the secret show the queue, the languages and the files alone", async () => {
    const { ask, routes, appId } = await service(null);
    await ask("PUT", "settings", { queue: { active: "1" }, languages: ["en"] });
    await ask("PUT", "settings", { invitationTimeout: 5 });
    const all = await ask("GET", "settings");
    expect(all.body.settings).toMatchObject({
      queue: { active: true },
      languages: ["en"],
      invitationTimeout: 5,
      allowedMediaTypes: DEFAULT_MEDIA_TYPES,
    });
    const seen = await routes.request("/v1/settings/", { headers: { "x-hyper-appId": appId } });
    const allowedMediaTypes = expect.arrayContaining(["image/png"]);
    expect(await seen.json()).toEqual({
      settings: { queue: { active: true }, languages: ["en"], allowedMediaTypes },
    });
  });

  test.each([
    [[1]],
    [{ queue: 1 }],
    [{ inactivity: -1 }],
    [{ allowedMediaTypes: "png" }],
    [[["a"]]],
  ])("refuse %j", async (body) => {
    const { ask } = await service(null);
    expect((await ask("PUT", "settings", body)).status).toBe(422);
  });
});

describe("users", () => {
  test("get 409 for an externalId that is taken, are found by it, and can be changed", async () => {
    const { ask, askOther } = await service(null);
    const made = await ask("POST", "users", { name: "Ana", externalId: "crm-1", extraInfo: [] });
    const { id } = made.body.user;
    const again = await ask("POST", "users", { name: "Bo", externalId: "crm-1" });
    expect([again.status, again.body.error.code]).toEqual([409, 409]);
    expect((await askOther("POST", "users", { name: "Bo", externalId: "crm-1" })).status).toBe(200);
    const found = await ask("GET", "users/?externalId=crm-1");
    expect(found.body.users.map((user: { id: string }) => user.id)).toEqual([id]);
    const change = { contact: "a@example.test", extraInfo: { plan: "gold", deep: { a: [1] } } };
    const changed = await ask("PUT", `users/${id}`, change);
    expect(changed.body.user).toMatchObject({ name: "Ana", externalId: "crm-1", ...change });
    await ask("POST", "users", { name: "Cy", externalId: "crm-2" });
    expect((await ask("PUT", `users/${id}`, { externalId: "crm-2" })).status).toBe(409);
  });

  test("act with their own token in their own chats, and in no other", async () => {
    const { ask, askAs, chat, agent } = await service(null);
    const { body } = await ask("POST", "users", { name: "Ana" });
    const { token } = body.session;
    const mine = await askAs(token, "POST", "chats", { room: 1, creator: body.user.id });
    expect(mine.status).toBe(200);
    const { id } = mine.body.chat;
    expect((await askAs(token, "POST", `chats/${id}/messages`, { message: "Hi" })).status).toBe(
      200,
    );
    const other = await chat();
    const forged = { sender: other.creator, message: "x" };
    expect((await askAs(token, "POST", `chats/${id}/messages`, forged)).status).toBe(403);
    expect((await askAs(token, "POST", `chats/${other.id}/messages`, forged)).status).toBe(403);
    expect((await askAs(token, "GET", `chats/${other.id}/messages`)).status).toBe(404);
    expect((await askAs(token, "DELETE", `chats/${other.id}`)).status).toBe(404);
    expect((await askAs(token, "GET", `users/${other.creator}`)).status).toBe(404);
    expect((await askAs(token, "PUT", `users/${other.creator}`, { name: "x" })).status).toBe(403);
    expect((await askAs(token, "GET", "chats")).body.chats).toHaveLength(1);
    expect((await askAs(token, "GET", `agents/${await agent()}`)).status).toBe(403);
    expect((await askAs(token, "POST", "chats", { room: 1, creator: other.creator })).status).toBe(
      403,
    );
    expect((await askAs(token, "DELETE", `chats/${id}`)).status).toBe(200);
  });
});

describe("agents", () => {
  async function signedIn(
    made: Service,
    more: object = {},
  ): Promise<{ id: string; token: string }> {
    const id = await made.agent({ login: "Sam@Example", online: false, ...more });
    const credentials = { email: "sam@example", password: "a long password" };
    const { body } = await made.ask("POST", "agents/login", credentials);
    return { id, token: body.session.token };
  }

  test("log in and out, and their invitations pass to others when they leave", async () => {
    const made = await service(null);
    const { ask, askAs, chat } = made;
    const { id, token } = await signedIn(made);
    expect((await ask("GET", `agents/${id}`)).body.agent.online).toBe(true);
    const one = await chat();
    await ask("GET", `chats/${one.id}/assign`);
    expect((await askAs(token, "POST", "agents/logout")).status).toBe(200);
    expect((await ask("GET", `chats/${one.id}`)).body.chat.status).toBe("active");
    expect((await made.eventsOf(one.id)).slice(-2)).toEqual([
      "invitations:reject",
      "forever:alone",
    ]);
    expect((await askAs(token, "GET", "chats")).status).toBe(401);
  });

  test("are signed out when their token has run out", async () => {
    const made = await service(null);
    const { id } = await signedIn(made);
    made.time.advance(12 * 3600 + 1);
    await made.chores();
    expect((await made.ask("GET", `agents/${id}`)).body.agent.online).toBe(false);
  });

  test("are locked out for a minute after ten wrong passwords", async () => {
    const made = await service(null);
    await signedIn(made);
    const login = (password: string): Promise<Answered> =>
      made.ask("POST", "agents/login", { login: "sam@example", password });
    for (let n = 0; n < 10; n += 1) expect((await login("wrong")).status).toBe(401);
    expect((await login("a long password")).status).toBe(429);
    made.time.advance(61);
    expect((await login("a long password")).status).toBe(200);
    expect((await made.ask("POST", "agents/login", { login: "x", password: "y" })).status).toBe(
      401,
    );
  });

  test("have passwords of at least twelve characters that are not among the usual ones", async () => {
    const made = await service(null);
    const { id } = await signedIn(made);
    const put = (password: string): Promise<Answered> =>
      made.ask("PUT", `agents/${id}`, { password });
    const short = "password: must have at least 12 characters";
    for (const password of ["12345678", "Sonnenblume", "🐝🐝🐝🐝🐝🐝🐝🐝"]) {
      expect([password, (await put(password)).body.error]).toEqual([
        password,
        { code: 422, message: short },
      ]);
    }
    const common =
      "password: is among the passwords that attackers try first. Choose one that is harder to guess";
    const tried = [
      "123456789012",
      "Password2026!",
      "passwordpassword",
      "QwertyUiop12",
      "aaaaaaaaaaaa",
    ];
    for (const password of [...tried, "abcabcabcabcabc", "1q2w3e4r5t6y", "!!welcome1234"]) {
      expect([password, (await put(password)).body.error]).toEqual([
        password,
        { code: 422, message: common },
      ]);
      const agent = { name: "Kim", login: "kim", password };
      expect((await made.ask("POST", "agents", agent)).status).toBe(422);
    }
    for (const password of ["correct lamp horse", "密码密码安全的长长密码啊", "kT9#vq2LmZ0!"]) {
      expect([password, (await put(password)).status]).toEqual([password, 200]);
      const login = { login: "sam@example", password };
      expect((await made.ask("POST", "agents/login", login)).status).toBe(200);
    }
  });

  test("change user info only with the right to, and only of users in their chats", async () => {
    const made = await service(null);
    const { ask, askAs, chat, user } = made;
    const { id, token } = await signedIn(made);
    const { id: chatId, creator } = await chat();
    const edit = (who: string): Promise<Answered> =>
      askAs(token, "PUT", `users/${who}`, { contact: "new@example.test" });
    expect((await edit(creator)).status).toBe(403);
    await ask("POST", `chats/${chatId}/join`, { userId: id });
    expect((await edit(creator)).body.user.contact).toBe("new@example.test");
    expect((await edit(await user())).status).toBe(403);
    await ask("PUT", `agents/${id}`, { rights: { CHAT_EDIT_USER_INFO: false } });
    const refused = await edit(creator);
    expect([refused.status, refused.body.error.message]).toEqual([
      403,
      "This agent does not have the right CHAT_EDIT_USER_INFO.",
    ]);
    await ask("PUT", `agents/${id}`, { rights: { CHAT_EDIT_USER_INFO: "true" } });
    expect((await edit(creator)).status).toBe(200);
    await ask("DELETE", `chats/${chatId}`);
    expect((await edit(creator)).status).toBe(403);
  });

  test("close with a reason, which users neither see nor give", async () => {
    const made = await service(null);
    const { ask, askAs } = made;
    const { id, token } = await signedIn(made);
    const { body } = await ask("POST", "users", { name: "Ana" });
    const own = body.session.token;
    const { id: chatId } = (await askAs(own, "POST", "chats", { room: 1, creator: body.user.id }))
      .body.chat;
    await ask("POST", `chats/${chatId}/join`, { userId: id });
    await askAs(token, "DELETE", `chats/${chatId}`, { userId: id, reason: "abuse" });
    const reasonFor = async (who: string): Promise<unknown> =>
      (await askAs(who, "GET", `chats/${chatId}`)).body.chat.closeReason;
    expect([await reasonFor(token), await reasonFor(own)]).toEqual(["abuse", undefined]);
    expect((await ask("GET", "chats")).body.chats[0].closeReason).toBe("abuse");
    for (const path of [`chats/${chatId}/history`, "chats", `chats/${chatId}/messages`]) {
      expect(JSON.stringify((await askAs(own, "GET", path)).body)).not.toContain("abuse");
    }
    const other = (await askAs(own, "POST", "chats", { room: 1, creator: body.user.id })).body.chat
      .id;
    await askAs(own, "DELETE", `chats/${other}`, { reason: "the user's own" });
    expect((await ask("GET", `chats/${other}`)).body.chat.closeReason).toBeUndefined();
  });

  test("need a right to replace the canned answers, but not to read them", async () => {
    const made = await service(null);
    const { ask, askAs } = made;
    const { id, token } = await signedIn(made);
    const all = [{ name: "hello", texts: { en: "Hello {user}", "de-AT": "Servus {user}" } }];
    const change = (cannedAnswers: unknown): Promise<Answered> =>
      askAs(token, "PUT", "canned-answers", { cannedAnswers });
    expect((await askAs(token, "GET", "canned-answers")).body.cannedAnswers).toEqual([]);
    const refused = await change(all);
    expect([refused.status, refused.body.error.message]).toEqual([
      403,
      "This agent does not have the right CHAT_EDIT_CANNED_ANSWERS.",
    ]);
    await ask("PUT", `agents/${id}`, { rights: { CHAT_EDIT_CANNED_ANSWERS: true } });
    expect((await change(all)).body.cannedAnswers).toEqual(all);
    expect((await askAs(token, "GET", "canned-answers")).body.cannedAnswers).toEqual(all);
    for (const wrong of [
      [{ name: "two words", texts: {} }],
      [{ name: "hello", texts: { "not a language": "x" } }],
      [...all, ...all],
    ]) {
      expect((await change(wrong)).status).toBe(422);
    }
    expect((await ask("GET", "canned-answers")).body.cannedAnswers).toEqual(all);
    expect((await ask("GET", `agents/${id}`)).body.agent.rights.CHAT_EDIT_USER_INFO).toBe(true);
    expect((await change([])).body.cannedAnswers).toEqual([]);
  });

  test("get a generated password, which is shown once", async () => {
    const { ask } = await service(null);
    const made = await ask("POST", "agents", { name: "Sam", login: "sam" });
    expect(made.body.password).toMatch(/^[\w-]{43}$/);
    const again = await ask("POST", "agents", { name: "Sam", login: " SAM " });
    expect(again.status).toBe(409);
    const seen = JSON.stringify((await ask("GET", `agents/${made.body.agent.id}`)).body);
    expect(seen).not.toMatch(/password|pbkdf2/);
  });
});

test("a history is exported as JSON, and as CSV without formulas that a spreadsheet would run", async () => {
  const { ask, chat } = await service(null);
  const { id, creator } = await chat();
  const text = '=HYPERLINK("x"),\n"quoted"';
  await ask("POST", `chats/${id}/messages`, { sender: creator, message: text });
  const csv = await ask("GET", `chats/${id}/history?format=CSV`);
  expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(csv.body.split("\r\n")[0]).toBe('"id","time","trigger","person","type","text","imported"');
  expect(csv.body).toContain(`"'=HYPERLINK(""x""),\n""quoted"""`);
  expect((await ask("GET", `chats/${id}/history?format=xml`)).status).toBe(422);
});

test("an empty list counts as an empty body, as PHP writes it, and no other list does", async () => {
  const { ask, chat } = await service(null);
  const { id } = await chat();
  expect((await ask("PUT", `chats/${id}`, [])).status).toBe(200);
  expect((await ask("PUT", `chats/${id}`, [1])).status).toBe(422);
  expect((await ask("DELETE", `chats/${id}`, [])).status).toBe(200);
});

test("a survey's address contains the source that it is about", async () => {
  const { ask } = await service(null);
  const made = await ask("POST", "/surveys", { name: "S", url: "https://survey.test/s?a=1" });
  const { id } = made.body.survey;
  const one = await ask("GET", `/surveys/${id}?sourceType=ticket&sourceId=7%267`);
  expect(one.body.survey.url).toBe("https://survey.test/s?a=1&sourceType=ticket&sourceId=7%267");
  expect((await ask("GET", "surveys/")).body.surveys).toHaveLength(1);
  expect((await ask("POST", "surveys", { name: "S", url: "javascript:1" })).status).toBe(422);
});

test.each([
  ['{"userId":"a1"}', "a1"],
  ['{"agentId":7}', "7"],
  ['{"agent":{"id":"a1"}}', "a1"],
  ['"a1"', "a1"],
  ["a1\n", "a1"],
  ["", null],
  ["{}", null],
  ["null", null],
  ["not an id", null],
  ["[1]", null],
])("an address that answers %j chooses the agent %j", (text, agent) => {
  expect(agentIn(text)).toBe(agent);
});

describe("a user whose name a client does not know", () => {
  test.each([
    [null, "fr", "Invité"],
    [" ", "nb", "Gjest"],
    ["", "tlh", "Guest"],
  ])("signs up with %j and is called, in a chat in %s, %s", async (name, lang, called) => {
    const { ask } = await service(null);
    const made = await ask("POST", "users", { name, externalId: "tg-5843" });
    expect(made.body.user.name).toBe("Guest");
    const creator = made.body.user.id;
    const opened = await ask("POST", "chats", { creator, room: 1, lang });
    expect(opened.status).toBe(200);
    expect((await ask("GET", `users/${creator}`)).body.user.name).toBe(called);
  });

  test("keeps the name that it is given later", async () => {
    const { ask } = await service(null);
    const { id } = (await ask("POST", "users", { name: null })).body.user;
    await ask("PUT", `users/${id}`, { name: "Ana" });
    await ask("POST", "chats", { creator: id, room: 1, lang: "fr" });
    expect((await ask("GET", `users/${id}`)).body.user.name).toBe("Ana");
  });
});
