import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFolder } from "../fixtures/folder.ts";
import { loadConfig } from "../../src/config/load/load.ts";
import { findPackageRoot } from "../../src/config/load/package-root.ts";
import { type Running, serve } from "../../src/runtime/node/serve.ts";

const env = { DEMO: "demo-secret", CHAT: "demo-app-secret", KEY: "a-key-of-a-caller-0123456789" };

const picture = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

const directory = createFolder(afterAll);
let running: Running;

beforeAll(async () => {
  const file = join(directory, "afterword.yaml");
  await writeFile(
    file,
    `version: 1
upstream: embedded
data: ./data
backend: { content: ${join(findPackageRoot(), "config/backend")}, database: ./backend.db }
instances:
  - name: shop
    created: 2018-06-01
    credentials: { apiKey: demo-key, secret: "\${DEMO}", chatApp: demo-app, chatSecret: "\${CHAT}" }
callers:
  - name: crm
    key: "\${KEY}"
    operations:
      - ticketing.createUser
      - ticketing.createTicket
      - ticketing.ticket
      - ticketing.upload
      - ticketing.download
      - knowledge.search
      - chat.createUser
      - chat.createChat
      - chat.upload
      - chat.queueStatus
  - name: site
    origins: [https://www.example.com]
    operations: [knowledge.search]
    rate: 2/h
`,
  );
  running = await serve({ config: await loadConfig(file, { env }), port: 0, env: {}, log() {} });
});
afterAll(() => running.close());

async function ask(path: string, body?: object | FormData, headers: Record<string, string> = {}) {
  const isForm = body instanceof FormData;
  const answer = await fetch(running.url + path, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      "x-afterword-caller-key": env.KEY,
      ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, text };
}

/** Returns a member of a JSON answer by its path; undefined if there is none. */
function member(text: string, ...path: readonly string[]): unknown {
  let value: unknown = JSON.parse(text);
  for (const name of path) {
    value = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  }
  return value;
}

describe("a caller of the embedded backend", () => {
  it("opens a ticket with a file, and reads both", async () => {
    const user = await ask("/ticketing/v1/users", { name: "Ada", address: "ada@example.com" });
    expect(user.status).toBe(200);
    const content = Buffer.from("a picture, nearly").toString("base64");
    const media = await ask("/ticketing/v1/media", { name: "a.txt", content });
    expect(media.status).toBe(200);
    const ticket = await ask("/ticketing/v1/tickets", {
      message: "It does not turn on.",
      creator: member(user.text, "uuid"),
      attachments: [String(member(media.text, "uuid"))],
    });
    expect(ticket.status).toBe(200);
    const read = await ask(`/ticketing/v1/tickets/${String(member(ticket.text, "uuid"))}/`);
    expect([read.status, member(read.text, "id")]).toEqual([200, member(ticket.text, "uuid")]);
    const download = await ask(`/ticketing/v1/media/${String(member(media.text, "uuid"))}/content`);
    expect([download.status, download.text]).toEqual([200, "a picture, nearly"]);
    expect((await ask("/ticketing/v1/tickets")).status).toBe(403);
  });

  it("searches, and its page does so too until its rate is used up", async () => {
    expect((await ask("/knowledge/v1/search", { query: "delivery" })).status).toBe(200);
    const page = () =>
      fetch(`${running.url}/knowledge/v1/search`, {
        method: "POST",
        headers: { origin: "https://www.example.com", "content-type": "application/json" },
        body: '{"query":"delivery"}',
      });
    const answers = [await page(), await page(), await page()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers[2]?.headers.get("retry-after")).toMatch(/^\d+$/);
    for (const { headers } of answers) {
      expect(headers.get("access-control-allow-origin")).toBe("https://www.example.com");
    }
  });

  it("begins a chat and sends a file in it", async () => {
    const user = await ask("/chat/v1/users", { name: "Ada" });
    expect(user.status).toBe(200);
    const id: unknown = member(user.text, "user", "id");
    const chat = await ask("/chat/v1/chats", { room: 1, creator: id });
    expect(chat.status).toBe(200);
    const form = new FormData();
    form.set("chatId", String(member(chat.text, "chat", "id")));
    form.set("senderId", String(id));
    form.set("media", new File([picture], "a.png", { type: "image/png" }));
    const sent = await ask("/chat/v1/media", form);
    expect([sent.status, sent.text]).toEqual([200, expect.stringContaining('"media"')]);
    expect((await ask("/chat/v1/queues/status")).status).toBe(200);
    expect((await ask("/chat/v1/apps")).status).toBe(403);
  });
});
