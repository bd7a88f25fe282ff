import { mkdir, rename, symlink, writeFile } from "node:fs/promises";
import { Agent, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";

/** Two tables under one name, of which the other one is put in force with every swap. */
export interface Swaps {
  /** The configuration file; its messages are `messages/` beside it. */
  readonly file: string;
  /**
   * Puts the other table there: by turns by switching a link, and by writing all files in place.
   */
  swap(): Promise<void>;
}

/** What came back while tables were swapped. */
export interface SwapCounts {
  readonly swaps: number;
  readonly requests: number;
  /** Answers of which every text was of one table. */
  readonly wholly: { readonly A: number; readonly B: number };
  /** Answers of two tables, or of none. */
  readonly mixed: number;
  /** Requests without an answer, or with another status than 200. */
  readonly failed: number;
  readonly seconds: number;
  /** Milliseconds from request to answer. */
  readonly latencies: readonly number[];
}

/**
 * The flags of the engine's answer. French has a text for the first, and inherits the second: one
 * answer, two files.
 */
export const engineAnswer: string = JSON.stringify({
  answers: ["no-results", "welcome"].map((flag) => ({
    type: "answer",
    message: "the engine's own",
    messageList: ["the engine's own"],
    flags: [flag],
  })),
});

/**
 * Writes a configuration for an engine at `origin` into an empty directory; table A is in force.
 */
export async function writeTables(directory: string, origin: string): Promise<Swaps> {
  const file = join(directory, "afterword.yaml");
  await writeFile(
    file,
    `version: 1
data: ./data
upstream: { auth: "${origin}", apis: { chatbot: "${origin}" } }
messages: { dir: ./messages, use: [own] }
instances: [{ name: bot, match: {}, language: fr, created: 2018-06-01 }]
`,
  );
  for (const name of ["one", "other"]) await mkdir(join(directory, name));
  let [active, spare] = ["one", "other"];
  let swaps = 0;
  await writeTable(join(directory, active), "A");
  await symlink(active, join(directory, "messages"));
  return {
    file,
    async swap() {
      swaps += 1;
      const table = swaps % 2 === 0 ? "A" : "B";
      if (swaps % 4 < 2) return writeTable(join(directory, active), table);
      [active, spare] = [spare, active];
      await writeTable(join(directory, active), table);
      await symlink(active, join(directory, "messages_new"));
      await rename(join(directory, "messages_new"), join(directory, "messages"));
    },
  };
}

async function writeTable(directory: string, table: "A" | "B"): Promise<void> {
  await writeFile(join(directory, "fr.yaml"), `no-results: "${table} en français"\n`);
  await writeFile(join(directory, "en.yaml"), `welcome: "${table} in English"\n`);
}

export interface SwapPlan {
  /** The gateway. */
  readonly url: string;
  readonly connections: number;
  readonly swaps: number;
  /**
   * Milliseconds between two swaps, at least; a swap also waits until the one before is in force.
   */
  readonly every: number;
  /** Milliseconds between an answer and the next request on a connection. */
  readonly pause: number;
}

/** Asks on all connections without end while tables are swapped. */
export async function askThroughSwaps(plan: SwapPlan, { swap }: Swaps): Promise<SwapCounts> {
  const counts = { A: 0, B: 0, mixed: 0, failed: 0 };
  const latencies: number[] = [];
  let over = false;
  const start = performance.now();
  const clients = Array.from({ length: plan.connections }, () => client());
  await wait(plan.every);
  for (let made = 0; made < plan.swaps; made++) {
    const before = await snapshotOf(plan.url);
    const slot = wait(plan.every);
    await swap();
    while ((await snapshotOf(plan.url)) === before) await wait(10);
    await slot;
  }
  over = true;
  await Promise.all(clients);
  const { A, B, mixed, failed } = counts;
  return {
    swaps: plan.swaps,
    requests: A + B + mixed + failed,
    wholly: { A, B },
    mixed,
    failed,
    seconds: (performance.now() - start) / 1000,
    latencies,
  };

  async function client(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!over) {
      const asked = performance.now();
      counts[await kindOfAnswer(plan.url, agent)] += 1;
      latencies.push(performance.now() - asked);
      await wait(plan.pause);
    }
    agent.destroy();
  }
}

async function kindOfAnswer(url: string, agent: Agent): Promise<"A" | "B" | "mixed" | "failed"> {
  try {
    const { status, text } = await ask(`${url}/v1/conversation/message`, agent, "{}");
    if (status !== 200) return "failed";
    const said = [...text.matchAll(/"message":"([^"]*)"/g)].map(([, message]) => message);
    for (const table of ["A", "B"] as const) {
      if (said.join() === `${table} en français,${table} in English`) return table;
    }
    return "mixed";
  } catch {
    return "failed";
  }
}

async function snapshotOf(url: string): Promise<string> {
  return (await ask(`${url}/_afterword/version`, undefined, null)).text;
}

async function ask(
  url: string,
  agent: Agent | undefined,
  body: string | null,
): Promise<{ status: number; text: string }> {
  const outgoing = request(url, { method: body === null ? "GET" : "POST", agent });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once("response", resolve);
    outgoing.once("error", reject);
  });
  outgoing.end(body ?? undefined);
  const incoming = await answered;
  return { status: incoming.statusCode ?? 0, text: (await buffer(incoming)).toString("utf8") };
}
