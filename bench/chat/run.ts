/** Live chat under load: `npm run bench -- chat --help`. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describeMachine, loadAverage } from "../machine.ts";
import type { FromListeners, ListenerReport, ToListeners } from "./listeners.ts";
import { startBackend } from "../backend/process.ts";
import { quantile } from "../statistics.ts";
import { demoChat, holdChats } from "./held-chats.ts";
import { sendMessages } from "./send.ts";
import type { Sent } from "./send.ts";
import { oneOf, optionalText, readOptions, text, whole } from "../options.ts";

const { database, goal, name, profile, ...chosen } = readOptions({
  name: "npm run bench -- chat",
  about:
    "Live chat under load. Messages are offered at a fixed rate to a backend in a process of its own; agents and the app's server listen in another. Writes bench/results/NAME.json.",
  options: {
    chats: whole("open chats", 500),
    agents: whole("agents, each with a stream", 50),
    rooms: whole("rooms", 5),
    rate: whole("messages a second", 500),
    messages: whole("messages in all", 25_000),
    transport: oneOf("how events come", "sse", "websocket"),
    database: optionalText("address of a PostgreSQL database", "ADDRESS", "a new SQLite file"),
    name: text("of the file with the results", "NAME", "chat"),
    profile: optionalText("a folder for the backend's CPU profile", "DIR", "none is taken"),
    goal: whole("milliseconds for p99 from the start of the POST to the receipt", 250),
  },
  fails: "a message is lost, comes twice or out of the order of its chat, or p99 is over the goal",
});
const options = { ...chosen, database: database === null ? "sqlite" : "postgres" };
const loadBefore = loadAverage();
const directory = await mkdtemp(join(tmpdir(), "afterword-bench-chat-"));
try {
  const backend = await startBackend(database ?? join(directory, "backend.db"), {
    nodeOptions: profile === null ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`],
  });
  try {
    console.error(`making ${options.agents} agents and ${options.chats} chats`);
    const held = await holdChats(demoChat(backend.url), options);
    const listeners = fork(fileURLToPath(new URL("listeners.ts", import.meta.url)), {
      serialization: "advanced",
    });
    let received = 0;
    let heard: ListenerReport | null = null;
    const ready = Promise.withResolvers<void>();
    listeners.on("message", (message: FromListeners) => {
      if (message.kind === "ready") ready.resolve();
      else if (message.kind === "progress") received = message.messages;
      else heard = message;
    });
    listeners.send({ url: backend.url, held, transport: options.transport } satisfies ToListeners);
    await ready.promise;
    await sleep(500);
    console.error(`sending ${options.messages} messages, ${options.rate} a second`);
    const before = backend.cpu();
    const sent = await sendMessages(backend.url, held, options);
    const cpu = ((backend.cpu() - before) * 1000) / sent.sent;
    for (let wait = 0; wait < 100 && received < sent.sent; wait += 1) await sleep(100);
    await sleep(300);
    const gone = once(listeners, "exit");
    listeners.send("over");
    await gone;
    if (heard === null) throw new Error("the listeners have ended without a word");
    await report(sent, heard, cpu);
  } finally {
    await backend.end("SIGTERM");
  }
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function report(sent: Sent, heard: ListenerReport, cpu: number): Promise<void> {
  const acknowledged = sent.sent - sent.refused;
  const receipt = summary(heard.latencies);
  const result = {
    when: new Date().toISOString().slice(0, 16),
    machine: describeMachine(process.version),
    options,
    loadBefore,
    loadAfter: loadAverage(),
    sent: sent.sent,
    acknowledged,
    perSecond: Math.round(sent.sent / sent.seconds),
    receivedByApp: heard.messages,
    receivedByAgents: heard.toAgents,
    duplicates: heard.duplicates,
    outOfOrder: heard.outOfOrder,
    events: heard.events,
    /** Milliseconds of the backend's CPU time, in all its threads. */
    cpuPerMessage: Number(cpu.toFixed(2)),
    answer: summary(sent.answers),
    receipt,
  };
  const place = new URL("../results/", import.meta.url);
  await mkdir(place, { recursive: true });
  await writeFile(new URL(`${name}.json`, place), `${JSON.stringify(result, null, 2)}\n`);
  const lost = acknowledged - Math.min(heard.messages, heard.toAgents);
  const faultless = lost === 0 && heard.duplicates === 0 && heard.outOfOrder === 0;
  console.log(
    `${acknowledged} of ${sent.sent} messages acknowledged at ${result.perSecond}/s in ${options.chats} chats; ` +
      `${lost} lost, ${heard.duplicates} twice, ${heard.outOfOrder} out of order; ${heard.events} events in ${options.agents + 1} streams (${options.transport})`,
  );
  console.log(
    `POST to answer: median ${result.answer.median} ms, p99 ${result.answer.p99} ms; ` +
      `POST to receipt: median ${receipt.median} ms, p99 ${receipt.p99} ms (goal ${goal}), longest ${receipt.longest} ms; ` +
      `${result.cpuPerMessage} ms of CPU a message; load average ${result.loadAfter}`,
  );
  process.exitCode = faultless && sent.refused === 0 && receipt.p99 <= goal ? 0 : 1;
}

function summary(all: readonly number[]) {
  const sorted = Float64Array.from(all).sort();
  const at = (share: number): number => Number(quantile(sorted, share).toFixed(1));
  return { median: at(0.5), p90: at(0.9), p99: at(0.99), longest: at(1) };
}
