import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type Clients, createClients } from "../../../../src/api/clients.ts";
import { findPackageRoot } from "../../../../src/config/load/package-root.ts";
import { loadConfig } from "../../../../src/runtime/node/index.ts";
import { type Running, serve } from "../../../../src/runtime/node/serve.ts";
import { afterword } from "../../../cli/terminal.ts";
import {
  openedChat,
  sayYes,
  startTalk,
  type Talk,
  until,
} from "../../../escalation/hand-over/bed.ts";
import { createFolder } from "../../../fixtures/folder.ts";

// Checking the password of a real agent is slow.
vi.setConfig({ testTimeout: 60_000 });

interface OwnBot {
  readonly file: string;
  /** Runs `afterword backend …` for this bot; returns the JSON that it prints. */
  backend(...args: readonly string[]): Promise<Record<string, string>>;
  check(): Promise<string>;
  start(env?: Record<string, string>): Promise<Started>;
}

interface Started {
  readonly running: Running;
  /** Details of the log's lines about missing credentials. */
  readonly missing: readonly string[];
}

const managed = "escalation: { mode: managed, identity: { ask: [] }, chat: { poll: 1s } }";

async function ownBot(
  more = managed,
  instances = "instances: [{ name: my-bot, match: {}, created: 2018-06-01 }]",
): Promise<OwnBot> {
  const folder = createFolder();
  const file = join(folder, "afterword.yaml");
  await mkdir(join(folder, "backend", "texts"), { recursive: true });
  const texts = join("backend", "texts", "en.yaml");
  await copyFile(join(findPackageRoot(), "config", texts), join(folder, texts));
  await writeFile(
    join(folder, "backend", "contents.en.yaml"),
    `language: en
contents:
  - { id: 1, title: Opening hours, answer: Ten to six. }
  - id: 2
    title: Reading group
    answer: We meet on Thursdays.
    form:
      name: reading-group
      fields:
        - { name: name, question: "<b>What</b> is your name?" }
        - { name: email, type: email, question: "And your address, {{name}}?" }
        - { name: born, type: date, question: Born on? }
        - { name: day, type: list, question: Which day?, values: [{ label: Thursday, value: thu }] }
      finished: "See you, {{name}} ({{born}}): {{ticket}}."
`,
  );
  await writeFile(
    file,
    `version: 1\nupstream: embedded\ndata: ./data\nbackend: { content: ./backend, database: ./data/backend.db }\n${instances}\n${more}\n`,
  );
  return {
    file,
    async backend(...args) {
      const end = await afterword(["backend", ...args, "--config", file]);
      if (end.code !== 0) throw new Error(end.error);
      return end.out.startsWith("{") ? JSON.parse(end.out) : {};
    },
    check: async () => (await afterword(["check", "--config", file])).out,
    async start(env = {}) {
      const config = await loadConfig(file, { env });
      const missing: string[] = [];
      const running = await serve({
        config,
        port: 0,
        env,
        log: (_level, event, fields) => {
          if (event === "escalation-credentials") missing.push(String(fields?.["detail"]));
        },
      });
      onTestFinished(() => running.close());
      return { running, missing };
    },
  };
}

type Key = Readonly<Record<string, string>>;

function clientsOf({ url }: Running, { apiKey = "", secret = "" }: Key, app: Key = {}): Clients {
  return createClients({
    auth: { url, apiKey, secret },
    chat: { url, appId: app["appId"] ?? "", secret: app["secret"] ?? "" },
  });
}

function talkWith({ url }: Running, { apiKey = "", secret = "" }: Key): Promise<Talk> {
  return startTalk(url, "en", {}, { apiKey, secret });
}

async function titles({ ticketing }: Clients): Promise<readonly string[]> {
  const all = [];
  for await (const ticket of ticketing.tickets()) all.push(ticket.title);
  return all;
}

const demoKey = { apiKey: "demo-key", secret: "demo-secret" };

describe("a conversation with the owner's bot", () => {
  test.each([
    ["the owner's key", false],
    ["the chat page's key", true],
  ])("that began with %s becomes a ticket in the owner's project", async (_, demo) => {
    const bot = await ownBot();
    const key = await bot.backend("key", "add", "first", "--format", "json");
    const { running } = await bot.start();
    await sayYes(await talkWith(running, demo ? demoKey : key));
    expect(await titles(clientsOf(running, key))).toHaveLength(1);
    expect(await titles(clientsOf(running, demoKey))).toEqual([]);
  });

  test("reaches the agents of the own app, and its ticket is on their desk", async () => {
    const bot = await ownBot();
    const key = await bot.backend("key", "add", "first", "--format", "json");
    const app = await bot.backend("app", "add", "desk", "--format", "json");
    await bot.backend("app", "tie", "desk", "main");
    const agent = ["agent", "add", "sam", "--room", "7", "--tickets", "--format", "json"] as const;
    const added = await afterword(["backend", ...agent, "--config", bot.file]);
    expect(added.error).toContain("created room 7 of desk: there was none with this id");
    const sam: Record<string, string> = JSON.parse(added.out);
    const { running, missing } = await bot.start();
    expect(missing).toEqual([]);
    expect(await bot.check()).toContain(" 0 warnings");
    const doctor = await afterword(["doctor", "--config", bot.file]);
    expect(doctor).toMatchObject({ code: 0, error: "" });

    // Nobody is signed in yet.
    await sayYes(await talkWith(running, key));
    const { chat } = clientsOf(running, key, app);
    const { token } = await chat.login("sam", sam["password"] ?? "");
    const headers = { "x-hyper-appId": app["appId"] ?? "", "x-hyper-token": token ?? "" };
    const desk = await fetch(`${running.url}/v1/tickets`, { headers });
    expect(await desk.text()).toContain("vvkq jjxq plugh");

    await sayYes(await talkWith(running, demoKey));
    const opened = await openedChat(chat);
    expect(String(opened.room)).toBe("7");
  });

  test("a key, an app and a room that are made while it runs are used without a restart", async () => {
    const bot = await ownBot();
    await bot.backend("key", "add", "first");
    const { running, missing } = await bot.start();
    expect(missing).toEqual([
      expect.stringContaining("afterword backend app add NAME, then afterword backend app tie"),
    ]);
    const app = await bot.backend("app", "add", "desk", "--format", "json");
    await bot.backend("app", "tie", "desk", "main");
    const sam = await bot.backend("agent", "add", "sam", "--room", "1", "--format", "json");
    const { chat } = clientsOf(running, demoKey, app);
    await chat.login("sam", sam["password"] ?? "");
    await until(async () => {
      await sayYes(await talkWith(running, demoKey));
      for await (const one of chat.chats()) return one;
      return null;
    });
  });

  test("never becomes a ticket of the demo project, whatever is missing", async () => {
    const two = "instances: [{ name: a, match: { apiKey: demo-key }, created: 2018-06-01 }]";
    const bot = await ownBot(managed, two);
    const one = await bot.backend("key", "add", "one", "--project", "one", "--format", "json");
    await bot.backend("key", "add", "two", "--project", "two");
    const { running, missing } = await bot.start();
    expect(missing).toEqual([
      expect.stringMatching(/several projects: one, two\. .*apiKey, secret/u),
    ]);
    await sayYes(await talkWith(running, demoKey));
    expect(await titles(clientsOf(running, demoKey))).toEqual([]);
    expect(await titles(clientsOf(running, one))).toEqual([]);
  });

  test("goes to the project whose key the instance names, or whose name it has", async () => {
    const bot = await ownBot(managed, "instances: [{ name: two, match: {}, created: 2018-06-01 }]");
    const keys = ["one", "two"].map((name) =>
      bot.backend("key", "add", name, "--project", name, "--format", "json"),
    );
    const [one = {}, two = {}] = await Promise.all(keys);
    const { running } = await bot.start();
    await sayYes(await talkWith(running, one));
    expect(await titles(clientsOf(running, one))).toEqual([]);
    expect(await titles(clientsOf(running, two))).toHaveLength(1);
  });
});

describe("a form without a webhook", () => {
  test.each([
    ["the owner's key", false],
    ["the chat page's key", true],
  ])("becomes a ticket in the owner's project, with %s", async (_, demo) => {
    const bot = await ownBot("");
    const key = await bot.backend("key", "add", "first", "--format", "json");
    const { running } = await bot.start();
    const { say, session } = await talkWith(running, demo ? demoKey : key);
    await say("Reading group");
    await say("Ada Lovelace\u200f");
    await say("(Ada@Example.com)");
    await say("10/12/1815");
    const last = await say("Thursday");
    const { ticketing } = clientsOf(running, key);
    const all = await Array.fromAsync(ticketing.tickets());
    expect(all).toHaveLength(1);
    const [ticket] = all;
    expect(last.map(({ message }) => message)[0]).toBe(
      `See you, Ada Lovelace (10 December 1815): ${ticket?.full_uuid}.`,
    );
    expect(last.at(-1)?.flags).toEqual(["end-form"]);
    expect(ticket?.title).toBe("Reading group");
    const [name, mail, , day, about] = (ticket?.message ?? "").split("\n\n");
    expect([name, mail, day]).toEqual([
      "What is your name?\nAda Lovelace",
      "And your address, Ada Lovelace?\nAda@example.com",
      "Which day?\nThursday",
    ]);
    expect(about).toMatch(/^reading-group · en · \S+$/u);
    expect(JSON.stringify(ticket)).toContain("We meet on Thursdays.");
    expect(JSON.stringify(ticket)).not.toContain(session);
    const users = await Array.fromAsync(ticketing.users());
    expect(users).toMatchObject([{ name: "Ada Lovelace", address: "Ada@example.com" }]);
  });

  test("that says ticket: false has a warning, at its line", async () => {
    const bot = await ownBot("");
    const content = join(bot.file, "..", "backend", "contents.en.yaml");
    const written = await readFile(content, "utf8");
    expect(await bot.check()).toContain(" 0 warnings");
    await writeFile(
      content,
      written.replace("name: reading-group", "name: reading-group\n      ticket: false"),
    );
    expect(await bot.check()).toMatch(
      /contents\.en\.yaml:9:\d+: warning: .*\[form-goes-nowhere\]/u,
    );
    await writeFile(
      content,
      written.replace(
        "name: reading-group",
        "name: reading-group\n      webhook: https://hooks.example.com/\n      ticket: true",
      ),
    );
    expect(await bot.check()).toMatch(/error: .*webhook or becomes a ticket/u);
  });
});

describe("check says what is missing, at its place", () => {
  test("an app, then a room, then which room", async () => {
    const bot = await ownBot();
    expect(await bot.check()).toContain(" 0 warnings");
    await bot.backend("key", "add", "first");
    expect(await bot.check()).toMatch(
      /afterword\.yaml:5:\d+: warning: "my-bot" hands over .*\[missing-credentials\][^]*backend app add NAME/u,
    );
    await bot.backend("app", "add", "desk");
    await bot.backend("app", "tie", "desk", "main");
    expect(await bot.check()).toContain("afterword backend room add 1 --app");
    await bot.backend("room", "add", "1");
    expect(await bot.check()).toContain(" 0 warnings");
    await bot.backend("room", "add", "2");
    expect(await bot.check()).toContain("credentials: { room: 1 }");
  });

  test("on a public address, that there is no key yet", async () => {
    const bot = await ownBot(
      "listen: { publicUrl: https://bot.example.com, trustProxies: [10.0.0.1] }",
    );
    expect(await bot.check()).toMatch(/warning: [^]*afterword backend key add NAME/u);
    await bot.backend("key", "add", "first");
    expect(await bot.check()).toContain(" 0 warnings");
  });
});

describe("on an address that others reach", () => {
  const listen = "listen: { publicUrl: https://bot.example.com, trustProxies: [10.0.0.1] }";

  test("the first cure that a refused start names is a key", async () => {
    const bot = await ownBot(listen);
    await expect(bot.start()).rejects.toThrow(
      /make a key of your own with afterword backend key add NAME --config \S+afterword\.yaml, or set AFTERWORD_DEMO_CREDENTIALS/u,
    );
  });

  test("with a key in the database it starts, and the demo credentials do not work", async () => {
    const bot = await ownBot(listen);
    const key = await bot.backend("key", "add", "first", "--format", "json");
    const { running } = await bot.start();
    const login = ({ apiKey = "", secret = "" }: Key): Promise<Response> =>
      fetch(`${running.url}/v1/auth`, {
        method: "POST",
        headers: { "x-inbenta-key": apiKey, "content-type": "application/json" },
        body: JSON.stringify({ secret }),
      });
    expect((await login(key)).status).toBe(200);
    expect((await login(demoKey)).status).toBe(401);
    await bot.backend("key", "revoke", "first");
    await running.close();
    await expect(bot.start()).rejects.toThrow(/demo credentials/u);
  });
});
