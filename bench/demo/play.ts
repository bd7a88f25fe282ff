import { createHash, hash, randomBytes } from "node:crypto";
import { rm, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClients } from "../../src/api/clients.ts";
import type { ConversationAnswer } from "../../src/api/chatbot/types.ts";
import { openBackend } from "../../src/backend/node.ts";
import { projectsFrom } from "../../src/backend/chatbot/projects.ts";
import type { Config } from "../../src/config/config.ts";
import { createGatewayApp } from "../../src/gateway/gateway.ts";
import { createNameLimit } from "../../src/insights/batch.ts";
import type { Fact, HandOverStage } from "../../src/insights/facts.ts";
import { createNotedFacts } from "../../src/insights/noted-facts.ts";
import { createInsightsStore } from "../../src/insights/store.ts";
import { type InsightsDatabase, openInsightsDatabase } from "../../src/insights/tables.ts";
import { keepQuestions } from "../../src/runtime/node/insights.ts";
import { createEmbeddedTransport } from "../../src/runtime/node/embedded.ts";
import { withDemoAccess } from "../../src/runtime/node/credentials/demo-credentials.ts";
import { createNodePlatform } from "../../src/runtime/node/platform.ts";
import { createWebExchange } from "../../src/runtime/web/gateway.ts";
import { READERS, type Readers } from "./readers.ts";

/** Questions that contents answer, by language. */
export type Known = Readonly<Record<string, readonly string[]>>;

export interface PlayOptions {
  readonly config: Config;
  readonly known: Known;
  /** Numbers of days since the epoch, in UTC. */
  readonly days: readonly number[];
  /** Conversations of an ordinary day. */
  readonly perDay: number;
  /** Called after each day. */
  readonly onDay: (played: number, messages: number) => void;
}

const oneDay = 86_400_000;

/**
 * Plays days of a shop's conversations through the gateway, its backend and the counting code, with
 * a simulated clock. Every run is the same.
 *
 * @returns a database with the counts, in a separate folder
 */
export async function playDays(
  options: PlayOptions,
): Promise<{ readonly database: InsightsDatabase; close(): Promise<void> }> {
  const { days, perDay, onDay } = options;
  const folder = await mkdtemp(join(tmpdir(), "afterword-demo-"));
  const database = await openInsightsDatabase(join(folder, "insights.db"));
  const { insights } = options.config;
  const digest = (text: string): string => hash("sha256", text, "hex");
  const questions = insights && keepQuestions(insights, options.config, null);
  const createSalt = (): string => randomBytes(32).toString("hex");
  const store = createInsightsStore({ database, digest, createSalt, questions });
  const noting = { digest, names: createNameLimit(), keepsQuestions: questions !== null };
  const shop = await openShop(options);
  let messages = 0;
  for (const [index, day] of days.entries()) {
    const random = createRandom(day);
    // A slow rise, and quiet Sundays.
    const weekday = new Date(day * oneDay).getUTCDay();
    const busy = (weekday === 0 ? 0.5 : weekday === 6 ? 0.75 : 1) * (0.85 + (index % 60) / 100);
    const count = Math.max(1, Math.round(perDay * busy * (0.9 + 0.2 * random())));
    for (let visit = 0; visit < count; visit++) {
      await shop.play(day * oneDay + timeOfDay(random), random);
    }
    const facts = shop.takeFacts();
    messages += facts.filter(({ kind }) => kind === "turn").length;
    const noted = createNotedFacts(noting);
    for (const fact of facts) noted.note(fact);
    await store.write(noted, [], (day + 1) * oneDay - 1);
    onDay(index + 1, messages);
  }
  // The last readers of a day count as gone at the beginning of the next one.
  await store.write(createNotedFacts(noting), [], ((days.at(-1) ?? 0) + 1) * oneDay + 31 * 60_000);
  await shop.close();
  return {
    database,
    async close() {
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Milliseconds since midnight: mostly from nine to twenty-two, and never across midnight. */
function timeOfDay(random: () => number): number {
  const hour = random() < 0.85 ? 9 + 13 * random() : 23 * random();
  return Math.floor(hour * 3_600_000);
}

/** The shop's gateway and backend in this process, without a listener. */
async function openShop({ config, known }: PlayOptions) {
  let now = 0;
  let facts: Fact[] = [];
  const backend = await openBackend({
    content: config.backend.content,
    database: null,
    signingKeys: [randomBytes(32)],
    demo: true,
    projects: projectsFrom(config.instances),
    bases: (product) => `embedded:${product}`,
    limits: null,
    now: () => now,
  });
  const access = { demo: true, entries: [], file: null, closed: false };
  const platform = createNodePlatform({
    transport: createEmbeddedTransport((request, bindings) => backend.app.fetch(request, bindings)),
    log: () => undefined,
  });
  const gateway = createGatewayApp({
    config: withDemoAccess(config, access),
    platform: { ...platform, now: () => now },
    routeKeys: [randomBytes(32)],
    exchangeOf: (request) => createWebExchange(request),
    version: "",
    admin: { token: null, opensLoopback: false },
    insights: {
      note: (fact) => facts.push(fact),
      report: () => Promise.reject(new Error("a demo has no report")),
      erase: () => Promise.reject(new Error("a demo has nothing to erase")),
      dismiss: () => Promise.reject(new Error("a demo has nothing to dismiss")),
    },
  });
  const clientOf = (apiKey: string, source: string) =>
    createClients({
      auth: { url, apiKey, secret: "demo-secret" },
      source,
      now: () => now,
      sleep: () => Promise.resolve(),
      fetch: async (address, init) => gateway.app.request(address, init),
    }).chatbot;
  const bots = {
    web: clientOf("demo-key", "web"),
    whatsapp: clientOf("demo-key", "whatsapp-bot"),
    modern: clientOf("demo-modern", "web"),
  };
  return {
    async play(at: number, random: () => number): Promise<void> {
      now = at;
      const readers = chooseReaders(random);
      const which = random();
      const bot = which < 0.06 ? "modern" : which < 0.22 ? "whatsapp" : "web";
      const conversation = await bots[bot].start({ lang: readers.language });
      const instance = bot === "modern" ? "modern" : "shop";
      const key = hash("sha256", `${instance}\n${conversation.sessionToken}`, "hex");
      const visit = createVisit(readers, known[readers.language] ?? known["en"] ?? [], random);
      let answers: readonly ConversationAnswer[] = [];
      for (let turn = visit.next(answers); turn !== null; turn = visit.next(answers)) {
        now += Math.round(8000 + 50_000 * random());
        if (turn.kind === "say") answers = await conversation.send(turn.said);
        else if (turn.kind === "rate") await conversation.rate(turn.code, turn.value);
        else for (const stage of turn.stages) noteStage(stage, instance, key);
      }
    },
    takeFacts(): readonly Fact[] {
      const taken = facts;
      facts = [];
      return taken;
    },
    close: () => backend.close(),
  };

  function noteStage(stage: HandOverStage, instance: string, conversation: string): void {
    now += 4000;
    facts.push({ kind: "hand-over", at: now, instance, conversation, stage });
  }
}

/** Nothing listens at this address. */
const url = "http://127.0.0.1:8787";

function chooseReaders(random: () => number): Readers {
  let left = random();
  for (const readers of READERS) {
    left -= readers.share;
    if (left < 0) return readers;
  }
  return READERS[0] ?? missing();
}

function missing(): never {
  throw new Error("unreachable: a shop without readers");
}

type Turn =
  | {
      readonly kind: "say";
      readonly said:
        | { readonly message: string }
        | { readonly option: number | string }
        | { readonly directCall: string };
    }
  | { readonly kind: "rate"; readonly code: string; readonly value: number }
  /** No person takes chats over here, so the stages are recorded as they would happen. */
  | { readonly kind: "hand-over"; readonly stages: readonly HandOverStage[] };

/** Creates one reader's steps. */
function createVisit(readers: Readers, known: readonly string[], random: () => number) {
  let step = 0;
  const maxSteps = 2 + Math.floor(5 * random());
  const say = (message: string): Turn => ({ kind: "say", said: { message } });
  const ask = (): Turn => {
    const kind = random();
    if (kind < 0.2) return say(chooseOne(chooseOne(readers.unanswered, random), random));
    if (kind < 0.3 && readers.vague.length > 0) return say(chooseOne(readers.vague, random));
    if (kind < 0.32) return say("");
    if (kind < 0.33) return say("Hallo ".repeat(60));
    return say(chooseOne(known, random));
  };
  return {
    next(answers: readonly ConversationAnswer[]): Turn | null {
      if (step++ === 0) return { kind: "say", said: { directCall: "sys-welcome" } };
      const last = answers.at(-1);
      if (step === 2) return random() < 0.93 ? ask() : null;
      if (last === undefined || step > maxSteps) return null;
      if (last.options.length > 0) {
        const chosen = chooseOne(last.options, random);
        return random() < 0.78 ? { kind: "say", said: { option: chosen.value } } : null;
      }
      if (last.flags.includes("refinement")) {
        return random() < 0.8 ? say(chooseOne(known, random)) : null;
      }
      const isFailure = last.flags.some((flag) => FAILURES.has(flag)) || last.contents === null;
      if (!isFailure) return reactToAnswer(last);
      if (random() < readers.leaving) return null;
      if (readers.person === "" || random() < 0.72) return ask();
      step = maxSteps;
      return { kind: "hand-over", stages: chooseStages(random) };
    },
  };

  function reactToAnswer(last: ConversationAnswer): Turn | null {
    const code = last.contents?.rateCode ?? null;
    if (code !== null && random() < 0.12) {
      step = maxSteps;
      return { kind: "rate", code, value: random() < 0.78 ? 1 : 2 };
    }
    return random() < 0.35 ? ask() : null;
  }
}

const FAILURES: ReadonlySet<string> = new Set(["no-results", "no-question", "no-subset-match"]);

function chooseStages(random: () => number): readonly HandOverStage[] {
  if (random() < 0.28) return ["offered"];
  const end = random();
  return ["offered", "accepted", end < 0.61 ? "person" : end < 0.88 ? "ticket" : "nobody"];
}

function chooseOne<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)] ?? items[0] ?? missing();
}

/** Returns pseudo-random numbers from 0 up to 1, the same with every run. */
function createRandom(seed: number): () => number {
  let count = 0;
  let bytes = Buffer.alloc(0);
  return () => {
    const at = (count++ % 8) * 4;
    if (at === 0) bytes = createHash("sha256").update(`${seed} ${count}`).digest();
    return bytes.readUInt32LE(at) / 2 ** 32;
  };
}
