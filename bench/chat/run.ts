/**
 * Live chat under load: `npm run bench:chat -- [--chats N] [--agents N] [--rooms N] [--rate N]
 * [--messages N] [--transport sse|websocket] [--database ADDRESS] [--name NAME] [--profile DIR]`.
 * Messages are offered at a fixed rate to a backend in a process of its own; agents and the app's
 * server listen in another. Exit code 1 when a message is lost, comes twice or out of the order of
 * its chat, or p99 from the start of the POST to the receipt is over the goal.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { describeMachine, loadAverage } from "../machine.ts";
import type { FromListeners, Heard, ToListeners } from "./listeners.ts";
import { startChatBackend } from "./process.ts";
import { quantile } from "./quantile.ts";
import { demoChat, makeScene } from "./held-chats.ts";
import { sendMessages } from "./send.ts";
import type { Sent } from "./send.ts";

const { values } = parseArgs({
  options: {
    chats: { type: "string", default: "500" },
    agents: { type: "string", default: "50" },
    rooms: { type: "string", default: "5" },
    rate: { type: "string", default: "500" },
    messages: { type: "string", default: "25000" },
    transport: { type: "string", default: "sse" },
    database: { type: "string" },
    name: { type: "string", default: "chat" },
    profile: { type: "string" },
    goal: { type: "string", default: "250" },
  },
});
const transport = values.transport === "websocket" ? "websocket" : "sse";
const options = {
  chats: Number(values.chats),
  agents: Number(values.agents),
  rooms: Number(values.rooms),
  rate: Number(values.rate),
  messages: Number(values.messages),
  transport,
  database: values.database === undefined ? "sqlite" : "postgres",
} as const;
const goal = Number(values.goal);
const loadBefore = loadAverage();
const directory = await mkdtemp(join(tmpdir(), "afterword-bench-chat-"));
try {
  const backend = await startChatBackend(
    values.database ?? join(directory, "backend.db"),
    0,
    values.profile ?? null,
  );
  try {
    console.error(`making ${options.agents} agents and ${options.chats} chats`);
    const scene = await makeScene(demoChat(backend.url), options);
    const listeners = fork(fileURLToPath(new URL("listeners.ts", import.meta.url)), {
      serialization: "advanced",
    });
    let received = 0;
    let heard: Heard | null = null;
    const ready = Promise.withResolvers<void>();
    listeners.on("message", (message: FromListeners) => {
      if (message.kind === "ready") ready.resolve();
      else if (message.kind === "progress") received = message.messages;
      else heard = message;
    });
    listeners.send({ url: backend.url, scene, transport } satisfies ToListeners);
    await ready.promise;
    await sleep(500);
    console.error(`sending ${options.messages} messages, ${options.rate} a second`);
    const before = backend.cpu();
    const sent = await sendMessages(backend.url, scene, options);
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

async function report(sent: Sent, heard: Heard, cpu: number): Promise<void> {
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
    /** Milliseconds of the backend's, in all its threads. */
    cpuPerMessage: Number(cpu.toFixed(2)),
    answer: summary(sent.answers),
    receipt,
  };
  const place = new URL("../results/", import.meta.url);
  await mkdir(place, { recursive: true });
  await writeFile(new URL(`${values.name}.json`, place), `${JSON.stringify(result, null, 2)}\n`);
  const lost = acknowledged - Math.min(heard.messages, heard.toAgents);
  const faultless = lost === 0 && heard.duplicates === 0 && heard.outOfOrder === 0;
  console.log(
    `${acknowledged} of ${sent.sent} messages acknowledged at ${result.perSecond}/s in ${options.chats} chats; ` +
      `${lost} lost, ${heard.duplicates} twice, ${heard.outOfOrder} out of order; ${heard.events} events in ${options.agents + 1} streams (${transport})`,
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
