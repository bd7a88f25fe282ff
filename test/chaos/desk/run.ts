/** A day at the desk whose tabs do not live long: `npm run chaos -- desk --help`. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import type { ChatClient } from "../../../src/api/chat/client-types.ts";
import { createClients } from "../../../src/api/clients.ts";
import { startAfterword } from "../../../bench/afterword.ts";
import { seeded } from "../../../bench/backend/random.ts";
import { flag, readOptions, whole } from "../../../bench/options.ts";
import { Agent } from "./agent.ts";
import { openLine } from "./line.ts";
import { clock, judge } from "./judge.ts";
import { readLines } from "./lines.ts";
import { Reader } from "./reader.ts";
import { watchChats } from "./truth.ts";

const options = readOptions({
  name: "npm run chaos -- desk",
  about:
    "Whether readers are served well while agents' tabs are closed, reloaded, cut from the network and killed. A gateway with its own backend, agents at the desk in Chromium, and readers who ask through the gateway.",
  options: {
    agents: whole("agents, each with a browser", 3),
    readers: whole("readers in all", 40),
    minutes: whole("how long readers come and ask", 10),
    between: whole("seconds between two things that happen to a tab, about", 45),
    slots: whole("chats that an agent can have at once", 6),
    queue: flag("chats wait in a queue"),
    seed: whole("of what is random: the same seed draws the same", 1, 0),
  },
  fails:
    "a reader waits more than 60 s for an agent who is gone, is told what is not so, misses an answer or gets it twice, or a transcript lacks a question",
});

const languages = ["en", "en", "es", "de", "fr"];
const directory = await mkdtemp(join(tmpdir(), "afterword-desk-chaos-"));
const server = await startAfterword(["serve", "--config", await writeConfig(), "--port", "0"]);
const undo: (() => Promise<unknown>)[] = [
  () => server.end("SIGTERM"),
  () => rm(directory, { recursive: true, force: true }),
];
try {
  process.exitCode = (await play(server.url)) === 0 ? 0 : 1;
} finally {
  for (const step of undo) await step();
}

async function play(url: string): Promise<number> {
  const { chat, ticketing } = createClients({
    auth: { url, apiKey: "demo-key", secret: "demo-secret" },
    chat: { url, appId: "demo-app", secret: "demo-app-secret" },
  });
  if (options.queue) await chat.changeSettings({ queue: { active: true } });
  const began = Date.now();
  const closing = began + options.minutes * 60_000;
  const happened: string[] = [];
  const seen: { readonly reader: string; readonly words: readonly string[] }[] = [];
  const agents = [];
  for (let number = 0; number < options.agents; number++) {
    const login = `desk-agent-${number + 1}`;
    const about = { name: login, login, password: login, rooms: ["1"], slots: options.slots };
    const { agent } = await chat.createAgent(about);
    agents.push(
      new Agent({
        line: await openLine(url),
        id: agent.id,
        login,
        password: login,
        random: seeded(options.seed * 1000 + number),
        between: options.between * 1000,
        over: () => Date.now() > closing + 5_000,
        note: (what) => happened.push(`${clock(Date.now(), began)} ${login} ${what}`),
        seen: (reader, words) => seen.push({ reader, words }),
      }),
    );
  }
  const truth = watchChats(chat, new Set(agents.map(({ id }) => id)));
  const free: { readonly at: number; readonly agents: ReadonlySet<string> }[] = [];
  const watching = (async () => {
    while (Date.now() < closing) {
      const able = await freeAgents(chat).catch(() => null);
      if (able !== null) free.push({ at: Date.now(), agents: able });
      await sleep(1_000);
    }
  })();
  const lines = readLines([...new Set(languages)]);
  const random = seeded(options.seed);
  const readers = Array.from({ length: options.readers }, (_, number) => {
    const lang = languages[number % languages.length] ?? "en";
    const draws = seeded(options.seed * 1000 + 500 + number);
    return new Reader({ number, lang, listens: number % 10 !== 5, random: draws, lines, url });
  });
  const work = agents.map((agent) => agent.work());
  await Promise.race([...work, sleep(20_000)]);
  const lives = readers.map(async (reader) => {
    await sleep(random() * Math.max(0, closing - 60_000 - Date.now()));
    await reader.live(() => Date.now() > closing);
  });
  const progress = setInterval(() => {
    const asked = readers.reduce((sum, reader) => sum + reader.asked.length, 0);
    process.stderr.write(
      `${clock(Date.now(), began)}: ${asked} questions, ${happened.length} tabs hurt\n`,
    );
  }, 30_000);
  const failures = (await Promise.allSettled(lives)).filter(({ status }) => status === "rejected");
  // What is under way comes to its end: chats are closed, and readers hear of it.
  await Promise.all([...work, watching]);
  clearInterval(progress);
  await sleep(3_000);
  const kept = [];
  for await (const one of chat.chats()) {
    const reader: string[] = [];
    const said: { readonly text: string; readonly at: number }[] = [];
    for await (const message of chat.messages(one.id)) {
      const text = typeof message.message === "string" ? message.message : "";
      if (message.sender === one.creator) reader.push(text);
      else if (agents.some(({ id }) => id === message.sender) && message.imported !== true) {
        said.push({ text, at: message.created });
      }
    }
    kept.push({ chat: one, reader, agents: said });
  }
  const tickets: string[] = [];
  for await (const ticket of ticketing.tickets()) tickets.push(String(ticket.id));
  for (const reader of readers) await reader.end();
  await truth.end();
  for (const agent of agents) await agent.end();

  const day = {
    truth,
    agents: new Map(agents.map(({ id, presences }) => [id, presences])),
    kept,
    tickets,
    free,
    began,
    ended: closing,
  };
  let faults = failures.length;
  let longest = 0;
  for (const failure of failures) console.log(String(Reflect.get(failure, "reason")));
  for (const reader of readers) {
    const judged = judge(reader, day);
    const wrong = seen
      .filter(({ reader: name }) => name === reader.name)
      .flatMap(({ words }) =>
        inOrder(
          words,
          reader.asked.map((one) => one.words),
        ),
      );
    longest = Math.max(longest, judged.longest);
    const violations = [...judged.violations, ...new Set(wrong)];
    if (violations.length === 0) continue;
    faults += violations.length;
    console.log(`\n${reader.name} (${reader.lang}), ${judged.chats} chats`);
    for (const violation of violations) console.log(`  NO  ${violation}`);
    for (const { at, kind, text, key = "" } of reader.timeline) {
      console.log(`      ${clock(at, began)} ${kind} ${key} ${text}`);
    }
    for (const one of kept.filter(({ reader: words }) =>
      words.some((text) =>
        reader.asked.some(({ words: asked }) => asked === text && asked.startsWith("qwxz")),
      ),
    )) {
      for (const moment of truth.chats.get(one.chat.id) ?? []) {
        const names = [...moment.agents].map((id) => id.slice(0, 8));
        console.log(
          `      ${clock(moment.at, began)} chat ${one.chat.id}`,
          `in: ${names.join()} asked: ${moment.invited?.slice(0, 8)} closed: ${moment.closed}`,
        );
      }
    }
  }
  if (faults > 0) for (const what of happened) console.log(`  ${what}`);
  const problems = agents.flatMap((agent) => agent.problems);
  for (const problem of new Set(problems)) console.log(`  the desk: ${problem}`);
  const asked = readers.reduce((sum, reader) => sum + reader.asked.length, 0);
  console.log(
    `${options.agents} agents, ${options.readers} readers, seed ${options.seed}:`,
    `${asked} questions, ${kept.length} chats, ${tickets.length} tickets,`,
    `${happened.length} tabs hurt, at most ${clock(longest, 0)} without an agent, ${faults} faults`,
  );
  return faults;
}

/** Ids of those who would be asked. */
async function freeAgents(chat: ChatClient): Promise<ReadonlySet<string>> {
  const able = new Set<string>();
  for await (const { id, online, status, load, slots } of chat.agents()) {
    if (online && status === "online" && load < slots) able.add(id);
  }
  return able;
}

/** What a desk showed must be what was asked so far. */
function inOrder(words: readonly string[], asked: readonly string[]): readonly string[] {
  const wrong = words.findIndex((one, index) => one !== asked[index]);
  return wrong === -1 ? [] : [`the desk shows “${words[wrong]}” instead of “${asked[wrong]}”`];
}

async function writeConfig(): Promise<string> {
  await mkdir(join(directory, "messages"), { recursive: true });
  const content = fileURLToPath(new URL("../../../config/backend", import.meta.url));
  const file = join(directory, "afterword.yaml");
  await writeFile(
    file,
    `version: 1
listen: { host: 127.0.0.1, port: 0 }
data: ${join(directory, "data")}
upstream: embedded
instances:
  - name: shop
    match: { apiKey: demo-key }
    language: en
    created: 2018-06-01
backend: { content: ${content}, database: ${join(directory, "backend.db")} }
state: { store: file }
escalation:
  mode: managed
  identity: { ask: [name] }
  ladder: [agents, queue, ticket]
`,
  );
  return file;
}
