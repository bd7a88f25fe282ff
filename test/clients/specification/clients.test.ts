import { expect, test } from "vitest";
import { createClients, createConnection } from "../../../src/api/clients.ts";
import { createKnowledgeClient } from "../../../src/api/knowledge/client.ts";
import { json } from "../../api/scripted-service.ts";
import { service } from "../../api/service.ts";

/** The spellings that typed clients send where a service accepts two, and that they read both. */

const auth = (url: string): { url: string; apiKey: string; secret: string } => ({
  url,
  apiKey: "key-1",
  secret: "secret-1",
});

const conversing = (answer: object) =>
  service((request, response) => {
    const started = request.url.endsWith("/conversation");
    json(response, 200, started ? { sessionToken: "s-1", sessionId: "i-1" } : answer);
  });

test("clients send the key under the specification's name, unless another is configured", async () => {
  const { service: scripted, clients } = await conversing({ answers: [] });
  await clients.chatbot.start();
  expect(scripted.seen.map(({ headers }) => headers["x-vendor-key"])).toContain("key-1");
  expect(scripted.seen.some(({ headers }) => "x-inbenta-key" in headers)).toBe(false);

  const other = await service((_request, response) => json(response, 200, { sessionToken: "s" }));
  const named = createClients({
    auth: { ...auth(other.service.url), keyHeader: "x-inbenta-key" },
  });
  await named.chatbot.start();
  for (const { headers } of other.service.seen) {
    expect([headers["x-inbenta-key"], headers["x-vendor-key"]]).toEqual(["key-1", undefined]);
  }
});

test("clients send JSON, a token as Bearer, no slash at the end, and nothing with a GET", async () => {
  const { service: scripted, clients } = await conversing({ answers: [] });
  const conversation = await clients.chatbot.start();
  await conversation.send({ message: "hi" });
  await conversation.history();
  const [message, history] = ["message", "history"].map((name) =>
    scripted.seen.find(({ url }) => url.endsWith(`/v1/conversation/${name}`)),
  );
  expect(message?.headers).toMatchObject({
    authorization: expect.stringMatching(/^Bearer token-\d+$/),
    "content-type": "application/json",
    "x-inbenta-session": "Bearer s-1",
  });
  expect(history?.headers["content-type"]).toBeUndefined();
  expect(history?.headers["content-length"]).toBeUndefined();
  expect(scripted.seen.every(({ url }) => !url.endsWith("/"))).toBe(true);
});

test("clients ask a service only below /v1 of the address that discovery named", async () => {
  const { service: scripted, clients } = await service((_request, response) =>
    json(response, 200, { uuid: 7, data: [], hasMore: false }),
  );
  await clients.ticketing.createUser({ name: "A", address: "a@example.test" });
  await clients.ticketing.findUser("a@example.test");
  const paths = scripted.seen.map(({ method, url }) => `${method} ${url.split("?")[0]}`);
  expect(paths).toEqual([
    "POST /v1/auth",
    "GET /v1/apis",
    "POST /case/v1/users",
    "GET /case/v1/users",
  ]);
});

test.each([
  ["POST /v1/auth", "/v1/auth"],
  ["GET /v1/apis", "/v1/apis"],
])("%s carries what the specification shows", async (_name, path) => {
  const { service: scripted, clients } = await conversing({ answers: [] });
  await clients.auth.current();
  const request = scripted.seen.find(({ url }) => url === path);
  expect(request?.headers["x-vendor-key"]).toBe("key-1");
  if (path === "/v1/apis") expect(request?.headers.authorization).toBe("Bearer token-1");
  else expect(JSON.parse(request?.body ?? "")).toEqual({ secret: "secret-1" });
});

test.each(["extendedContentsAnswer", "extendedContentAnswer"])(
  "an answer of the type %s is read, its type kept",
  async (type) => {
    const answer = { type, message: "m", messageList: ["m"], flags: [], subAnswers: [] };
    const { clients } = await conversing({ answers: [answer] });
    const conversation = await clients.chatbot.start();
    expect(await conversation.send({ message: "hi" })).toMatchObject([{ type, message: "m" }]);
  },
);

test.each([
  ["a number", 7],
  ["text", "7"],
  ["a word", "no"],
])("an option goes back as it came: %s", async (_name, value) => {
  const options = [{ label: "l", value }];
  const { service: scripted, clients } = await conversing({
    answers: [{ type: "multipleChoiceQuestion", message: "m", options }],
  });
  const conversation = await clients.chatbot.start();
  const [answer] = await conversation.send({ message: "hi" });
  await conversation.send({ option: answer?.options[0]?.value ?? "" });
  expect(JSON.parse(scripted.seen.at(-1)?.body ?? "")).toEqual({ option: value });
});

test.each([
  ["uuid as a number", { uuid: 7 }, 7],
  ["uuid as a UUID", { uuid: "6f9619ff-8b86-4011-b42d-00c04fc964ff" }, expect.any(String)],
  ["id", { id: 7 }, 7],
])("what a service created is read from %s", async (_name, body, uuid) => {
  const { clients } = await service((_request, response) => json(response, 200, body));
  const user = await clients.ticketing.createUser({ name: "A", address: "a@example.test" });
  expect(user).toMatchObject({ uuid });
});

test.each([
  ["nothing", undefined, null],
  ["null", null, null],
  ["an empty text", "", null],
  ["a text", "good", "good"],
])(
  "a rating goes out as an integer, and an empty comment as null: %s",
  async (_name, comment, expected) => {
    const { service: scripted, clients } = await conversing({ success: true });
    const conversation = await clients.chatbot.start();
    await conversation.rate("rate.1", 2, comment);
    expect(JSON.parse(scripted.seen.at(-1)?.body ?? "")).toEqual({
      type: "rate",
      data: { code: "rate.1", value: 2, comment: expected },
    });
  },
);

test.each([
  [3, "3"],
  [[3, 5], "3,5"],
  ["3,5", "3,5"],
])(
  "categories go out with commas, and a knowledge session without Bearer: %j",
  async (categoryId, sent) => {
    const { service: scripted } = await service((_request, response) =>
      json(response, 200, { results: [], hasMore: false }),
    );
    const { caller } = createConnection({ auth: auth(scripted.url) });
    const client = createKnowledgeClient(caller, "deployed");
    expect(await Array.fromAsync(client.contents({ categoryId }, { session: "k-1" }))).toEqual([]);
    const { url = "", headers } = scripted.seen.at(-1) ?? {};
    expect(new URL(url, scripted.url).searchParams.get("categoryId")).toBe(sent);
    expect(headers?.["x-inbenta-session"]).toBe("k-1");
  },
);

test.each([
  ["deployed", "/know/v1/contents/7/user-questions", "/know/v1/user-questions/8/contents"],
  ["seed", "/know/v1/content/7/user-questions", "/know/v1/user-question/8/contents"],
] as const)(
  "user questions are asked for in the configured spelling: %s",
  async (wire, of, back) => {
    const { service: scripted } = await service((_request, response) =>
      json(response, 200, { results: [], hasMore: false }),
    );
    const client = createKnowledgeClient(
      createConnection({ auth: auth(scripted.url) }).caller,
      wire,
    );
    await Array.fromAsync(client.userQuestionsOf(7));
    await Array.fromAsync(client.contentsOfUserQuestion(8));
    const paths = scripted.seen.map(({ url }) => url.split("?")[0]);
    expect(paths.slice(-2)).toEqual([of, back]);
  },
);
