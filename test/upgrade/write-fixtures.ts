/**
 * Writes test/fixtures/upgrade-788c09d/ anew: stores as Afterword at commit 788c09d leaves them
 * when its gateway is killed (SIGKILL) while conversations are in every state.
 *
 *     git worktree add --detach ../base 788c09d && (cd ../base && npm ci)
 *     node test/upgrade/write-fixtures.ts ../base
 *
 * Needs redis-server and PostgreSQL (with pg_dump). What is written holds the demo credentials'
 * data and nothing else.
 */
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { fillBackend, people, startBackend } from "./write/backend.ts";
import { type Fates, openBetween } from "./between.ts";
import { copyToRedis } from "./write/redis.ts";
import { copyToObjects } from "./write/objects.ts";
import { dumpPostgres } from "./write/postgres.ts";
import { addUnreachable, sealedCopy } from "./write/records.ts";
import {
  begin,
  firstOption,
  type Process,
  root,
  send,
  startAfterword,
  type Talk,
  until,
} from "./stage.ts";
import type { Kept, Noted } from "./fixtures.ts";

const [given = ""] = process.argv.slice(2);
const checkout = resolve(given);
const fixtures = join(root, "test/fixtures/upgrade-788c09d");
const directory = await mkdtemp(join(tmpdir(), "afterword-upgrade-"));
const database = join(directory, "backend", "backend.db");
const data = join(directory, "data");
const content = join(checkout, "config/backend");
const admin = "admin-of-the-fixtures";
const online = "GET /v1/agents/online";

const backend = await startBackend(checkout, content, database);
const between = await openBetween(backend.url);
const routes: Record<string, string> = {};
const talks = new Map<string, Talk>();
const notes: Record<string, Noted> = {};
let gateway = await startGateway(Date.now() - 25 * 3_600_000);

try {
  const { chat, sam } = await people(backend.url);

  // A day ago: calls that are given up.
  await handOver("ticket-given-up", "tickets", (call) =>
    call === "POST /ticketing/v1/tickets" ? 429 : "pass",
  );
  await handOver("ticket-in-doubt", "tickets", (call) =>
    call === "POST /ticketing/v1/tickets"
      ? "lose"
      : call === "GET /ticketing/v1/tickets"
        ? 500
        : "pass",
  );
  await handOver("chat-in-doubt", "people", chatIsLost);
  await gateway.end("SIGTERM");
  gateway = await startGateway();
  await until("what was given up", async () => {
    const states = await statesOf(["ticket-given-up", "ticket-in-doubt", "chat-in-doubt"]);
    return states.every((all) =>
      all.every((state) => state === "done" || state === "refused" || state === "unknown"),
    );
  });

  // Tickets.
  await handOver("ticket-made", "tickets");
  await handOver("ticket-refused", "tickets", (call) =>
    call === "POST /ticketing/v1/tickets" ? 403 : "pass",
  );
  await handOver("ticket-unknown", "tickets", (call) =>
    call === "POST /ticketing/v1/tickets"
      ? "lose"
      : call === "GET /ticketing/v1/tickets"
        ? 405
        : "pass",
  );

  // Without a call.
  await talk("quiet", "people", "es", {
    "x-inbenta-env": "preproduction",
    "x-inbenta-user-type": "3",
    "x-inbenta-source": "web",
  });
  await say("quiet", "hola");
  await talk("counted", "people");
  await say("counted", "qwxz zzyx");
  await talk("rated", "people");
  await say("rated", "hello");
  await rate("rated", 2);
  await offer("offered", "people");
  await offer("declined", "people");
  await say("declined", "no");
  await offer("asked-name", "forms");
  await choose("asked-name");
  await offer("asked-email", "forms");
  await choose("asked-email");
  await say("asked-email", "Ada Lovelace");
  await say("asked-email", "no address at all");
  await offer("asked-consent", "forms");
  await choose("asked-consent");
  await say("asked-consent", "Ada Lovelace");
  await say("asked-consent", "ada@example.test");
  await offer("offered-unheard", "people");
  await offer("asked-unheard", "forms");
  await choose("asked-unheard");
  await offer("out-of-hours", "people");
  await talk("signal-counted", "signal");
  await say("signal-counted", "qwxz zzyx");

  // Chats.
  await handOver("chat-refused", "people", (call) => (call === "POST /v1/chats" ? 403 : "pass"));
  await handOver("chat-waiting", "people");
  await withAgent("chat-talking");
  await withAgent("chat-unread");
  await sam.send(chatOf("chat-unread"), { message: "Are you still there?" });
  await withAgent("chat-file");
  const upload = {
    name: "plan.txt",
    bytes: new TextEncoder().encode("the plan"),
    type: "text/plain",
  };
  await sam.upload(upload, { chatId: chatOf("chat-file") });
  await say("chat-file", "and the plan?");
  await withAgent("chat-alone");
  await sam.leave(chatOf("chat-alone"));
  await say("chat-alone", "hello?");
  await withAgent("chat-last-words");
  await sam.send(chatOf("chat-last-words"), { message: "My last words" });
  between.rule(keyOf("chat-last-words"), (call) =>
    /^GET .*\/messages$/u.test(call) ? 500 : "pass",
  );
  await sam.close(chatOf("chat-last-words"));
  await say("chat-last-words", "hello?");
  await withAgent("second-time");
  await sam.close(chatOf("second-time"));
  await until("the bot again", async () =>
    (await say("second-time", "qwxz zzyx")).some(({ flags }) => flags.includes("no-results")),
  );
  await say("second-time", "vvkq jjxq plugh");
  await say("second-time", "I want to talk to a person");
  await withAgent("listening");
  await listened("listening");
  await chat.changeSettings({ queue: { active: true } });
  await handOver("chat-queued", "line");

  // What is never looked at by a turn is looked at every 15 seconds.
  await until("words that nobody was told", () => unsaidIn("chat-unread"));

  // To be tried again soon.
  await chat.changeSettings({ queue: { active: false } });
  await handOver("chat-sent", "people", chatIsLost);
  await handOver("chat-to-close", "hasty", (call) =>
    call.startsWith("DELETE /v1/chats/") ? 500 : "pass",
  );
  await until("a chat that is let go", async () => {
    await say("chat-to-close", "is anybody there?");
    return (await statesOf(["chat-to-close"]))[0]?.includes("sent");
  });
  await handOver("ticket-planned", "tickets", (call) =>
    call === "POST /ticketing/v1/tickets" ? 429 : "pass",
  );
  await handOver("ticket-sent", "tickets", (call) =>
    call === "POST /ticketing/v1/tickets"
      ? "lose"
      : call === "GET /ticketing/v1/tickets"
        ? 500
        : "pass",
  );
  await handOver("ticket-sent-in-vain", "tickets", (call) =>
    call.endsWith("/v1/tickets") ? 500 : "pass",
  );

  // In the middle of a call.
  await offer("ticket-midway", "tickets", (call) =>
    call === "POST /ticketing/v1/tickets" ? "do and hang" : "pass",
  );
  await offer("ticket-midway-in-vain", "tickets", (call) =>
    call === "POST /ticketing/v1/tickets" ? "hang" : "pass",
  );
  await offer("on-the-way", "both");
  await offer("chat-midway", "people", (call) =>
    call === "POST /v1/chats" ? "do and hang" : "pass",
  );
  await offer("chat-midway-in-vain", "people", (call) =>
    call === "POST /v1/chats" ? "hang" : "pass",
  );
  await discover();
  const midway = ["ticket-midway", "ticket-midway-in-vain", "chat-midway", "chat-midway-in-vain"];
  for (const label of midway) void choose(label).catch(() => undefined);
  await until("chats in the middle", () => arrived(midway.slice(2), "POST /v1/chats"));
  await chat.changeSettings({ queue: { active: true } });
  // The step before asks as well, and is told that there is a queue.
  const asked = between.calls.filter(({ call }) => call === online).length;
  between.rule("", (call, before) => (call === online && before > asked ? "hang" : "pass"));
  void choose("on-the-way").catch(() => undefined);
  await until("tickets in the middle", () =>
    arrived(midway.slice(0, 2), "POST /ticketing/v1/tickets"),
  );
  await until(
    "a call about agents",
    () => between.calls.filter(({ call }) => call === online).length > asked + 1,
  );
  await gateway.end("SIGKILL");
  const killed = Date.now();
  await chat.changeSettings({ queue: { active: false } });
  await fillBackend(backend.url, checkout, database, content);
  await backend.end("SIGKILL");

  await rm(join(fixtures, "stores"), { recursive: true, force: true });
  await mkdir(join(fixtures, "stores"), { recursive: true });
  compact(join(data, "state.db"), join(fixtures, "stores/state.db"));
  await addUnreachable(checkout, join(fixtures, "stores/state.db"), killed, talks, keyOf);
  await sealedCopy(
    checkout,
    join(fixtures, "stores/state.db"),
    join(fixtures, "stores/state-sealed.db"),
    killed,
  );
  compact(database, join(directory, "backend-copy.db"));
  await writeFile(
    join(fixtures, "stores/backend.db.gz"),
    gzipSync(await readFile(join(directory, "backend-copy.db")), { level: 9 }),
  );
  await cp(data, join(fixtures, "stores/data"), {
    recursive: true,
    filter: (file) => !/state\.db/u.test(file),
  });
  await cp(join(directory, "backend"), join(fixtures, "stores/backend"), {
    recursive: true,
    filter: (file) => !/backend\.db/u.test(file),
  });
  const kept: Kept = {
    killed,
    routes,
    conversations: Object.fromEntries(
      Array.from(talks, ([label, one]) => [
        label,
        { ...one, key: keyOf(label), chat: null, events: null, ...notes[label] },
      ]),
    ),
  };
  await writeFile(join(fixtures, "conversations.json"), `${JSON.stringify(kept, null, 1)}\n`);
  await copyToRedis(
    checkout,
    join(fixtures, "stores/state.db"),
    join(fixtures, "stores/redis.json"),
    killed,
  );
  await copyToObjects(
    checkout,
    join(fixtures, "stores/state.db"),
    join(fixtures, "stores/objects.json"),
    killed,
  );
  await dumpPostgres(checkout, content, join(fixtures, "stores/postgres.sql"));
} finally {
  await gateway.end("SIGKILL");
  await backend.end("SIGKILL");
  await between.close();
  await rm(directory, { recursive: true, force: true });
}

function startGateway(at?: number): Promise<Process> {
  return startAfterword(["serve", "--config", join(fixtures, "afterword.yaml"), "--port", "0"], {
    checkout,
    env: { DATA: data, SERVICE: between.url, STORE: "file", AFTERWORD_ADMIN_TOKEN: admin },
    ...(at !== undefined && { at }),
  });
}

function talkOf(label: string): Talk {
  const known = talks.get(label);
  if (known === undefined) throw new Error(`no conversation ${label}`);
  return known;
}

function keyOf(label: string): string {
  const { instance, session } = talkOf(label);
  return createHash("sha256").update(`${instance}\n${session}`).digest("hex");
}

async function talk(
  label: string,
  instance: string,
  lang = "en",
  extra: Record<string, string> = {},
): Promise<void> {
  talks.set(label, await begin(gateway.url, instance, lang, extra));
}

async function say(label: string, message: string) {
  const answers = await send(gateway.url, talkOf(label), { message });
  note(label, answers);
  return answers;
}

async function choose(label: string): Promise<void> {
  note(
    label,
    await send(gateway.url, talkOf(label), { message: "", option: notes[label]?.option }),
  );
}

function note(label: string, answers: Awaited<ReturnType<typeof send>>): void {
  const option = firstOption(answers);
  const events = answers.findLast(
    ({ attributes }) => attributes?.["AFTERWORD_EVENTS"] !== undefined,
  );
  notes[label] = {
    ...notes[label],
    last: answers.map(({ message }) => message),
    ...(option !== undefined && { option }),
    ...(events !== undefined && { events: String(events.attributes?.["AFTERWORD_EVENTS"]) }),
  };
}

/** To the offer of a person. */
async function offer(label: string, instance: string, fates?: Fates): Promise<void> {
  await talk(label, instance);
  if (fates !== undefined) between.rule(keyOf(label), fates);
  await say(label, "qwxz zzyx");
  await say(label, "vvkq jjxq plugh");
}

async function handOver(label: string, instance: string, fates?: Fates): Promise<void> {
  await offer(label, instance, fates);
  await choose(label);
  const opened = between.calls.findLast(
    ({ call, key }) => call === "POST /v1/chats" && key === keyOf(label),
  );
  if (opened === undefined) return;
  for (const [id, key] of await openChats())
    if (key === keyOf(label)) notes[label] = { ...notes[label], chat: id };
}

async function openChats(): Promise<readonly (readonly [string, string])[]> {
  const { chat } = await people(backend.url);
  const found: [string, string][] = [];
  for await (const one of chat.chats()) found.push([one.id, one.externalId.slice(3, 67)]);
  return found;
}

async function withAgent(label: string): Promise<void> {
  const { sam } = await people(backend.url);
  if (talks.has(label)) throw new Error(label);
  await handOver(label, "people");
  await sam.accept(chatOf(label));
  await sam.send(chatOf(label), { message: "Sam here" });
  await until("Sam", async () =>
    (await say(label, "hello?")).some(({ message }) => message === "Sam here"),
  );
}

function chatOf(label: string): string {
  const id = notes[label]?.chat;
  if (id === undefined || id === null) throw new Error(`no chat of ${label}`);
  return id;
}

/** It is opened, and nobody can find out. */
function chatIsLost(call: string, before: number) {
  if (call === "POST /v1/chats") return "lose";
  return call === "GET /v1/users" && before > 0 ? 500 : "pass";
}

async function rate(label: string, value: number): Promise<void> {
  const { headers, instance } = talkOf(label);
  const response = await fetch(`${gateway.url}/${instance}/v1/tracking/events`, {
    method: "POST",
    headers,
    body: JSON.stringify({ type: "rate", data: { code: "x", value } }),
  });
  if (!response.ok) console.error(`a rating was answered ${response.status}`);
}

/** Reads the reader's stream to its last event; notes the id. */
async function listened(label: string): Promise<void> {
  const { sam } = await people(backend.url);
  const { headers } = talkOf(label);
  const ending = new AbortController();
  const response = await fetch(gateway.url + String(notes[label]?.events), {
    headers,
    signal: ending.signal,
  });
  let text = "";
  const decoder = new TextDecoder();
  const reading = (async () => {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk);
  })().catch(() => undefined);
  await sam.send(chatOf(label), { message: "Over the stream" });
  await until("an event", () => text.includes("Over the stream"));
  ending.abort();
  await reading;
  notes[label] = {
    ...notes[label],
    lastEvent: /^id: (\d+)$/gmu.exec(text.slice(text.lastIndexOf("id: ")))?.[1] ?? "",
  };
}

async function statesOf(labels: readonly string[]): Promise<readonly (readonly string[])[]> {
  const rows = new DatabaseSync(join(data, "state.db"), { readOnly: true });
  try {
    return labels.map((label) => {
      const found = rows.prepare("SELECT value FROM escalations WHERE key = ?").get(keyOf(label));
      const { record } = JSON.parse(String(found?.["value"] ?? '{"record":{"intents":[]}}')) as {
        record: { intents: readonly { state: string }[] };
      };
      return record.intents.map(({ state }) => state);
    });
  } finally {
    rows.close();
  }
}

function unsaidIn(label: string): boolean {
  const rows = new DatabaseSync(join(data, "state.db"), { readOnly: true });
  try {
    const found = rows.prepare("SELECT value FROM escalations WHERE key = ?").get(keyOf(label));
    const { record } = JSON.parse(String(found?.["value"])) as {
      record: { told: number; lastSaying: number };
    };
    return record.lastSaying > record.told;
  } finally {
    rows.close();
  }
}

function arrived(labels: readonly string[], call: string): boolean {
  return labels.every((label) =>
    between.calls.some((one) => one.done && one.call === call && one.key === keyOf(label)),
  );
}

/** Routes of the addresses that discovery names. */
async function discover(): Promise<void> {
  const key = { "x-inbenta-key": "demo-key", "content-type": "application/json" };
  const base = `${gateway.url}/discovered/v1`;
  const login = await fetch(`${base}/auth`, {
    method: "POST",
    headers: key,
    body: '{"secret":"demo-secret"}',
  });
  const { accessToken } = (await login.json()) as { accessToken: string };
  const response = await fetch(`${base}/apis`, {
    headers: { ...key, authorization: `Bearer ${accessToken}` },
  });
  const { apis } = (await response.json()) as { apis: Record<string, string> };
  for (const [name, address] of Object.entries(apis)) routes[name] = new URL(address).pathname;
}

/** What a killed process has left, in one file. */
function compact(from: string, to: string): void {
  const left = new DatabaseSync(from);
  left.exec(`VACUUM INTO '${to}'`);
  left.close();
}
