import { hash } from "node:crypto";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { createNameLimit } from "../../src/insights/batch.ts";
import { createNotedFacts } from "../../src/insights/noted-facts.ts";
import { createInsightsStore } from "../../src/insights/store.ts";
import { openInsightsDatabase } from "../../src/insights/tables.ts";
import { medianOf } from "../statistics.ts";
import { createUnansweredTurn } from "./unanswered-turn.ts";

const [readers, inBatch, batches] = [100_000, 1000, 40];
const halfAnHour = 31 * 60_000;

/**
 * Says how long a batch takes, and for how long it keeps the event loop, while 100,000 conversations
 * are open, and then when all of them have been silent for half an hour.
 *
 * @param address of a database: a file or `postgres://…`
 */
export async function measureBatches(address: string): Promise<void> {
  const database = await openInsightsDatabase(address);
  const digest = (text: string): string => hash("sha256", text, "hex");
  const store = createInsightsStore({
    database,
    digest,
    createSalt: () => "salt",
    questions: null,
  });
  const names = createNameLimit();
  const begun = Date.now();
  const write = async (first: number, count: number, now: number) => {
    const noted = createNotedFacts({ digest, names, keepsQuestions: false });
    for (let reader = first; reader < first + count; reader++) {
      noted.note(createUnansweredTurn(`reader ${reader % readers}`, "a question", now));
    }
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    // The histogram needs a turn of the loop before and after what it measures.
    await pause(5);
    const usedBefore = process.threadCpuUsage();
    const before = performance.now();
    await store.write(noted, [], now);
    const took = performance.now() - before;
    const { user, system } = process.threadCpuUsage(usedBefore);
    await pause(5);
    delay.disable();
    return { took, lag: delay.max / 1e6, used: (user + system) / 1000 };
  };
  for (let first = 0; first < readers; first += 10_000) await write(first, 10_000, begun);
  const open = [];
  for (let round = 0; round < batches; round++) {
    open.push(await write(round * inBatch, inBatch, begun + round * 1000));
  }
  print(`a batch of ${inBatch} while ${readers} conversations are open`, open);
  const silent = [];
  for (let round = 0; round < 2 * batches; round++) {
    silent.push(await write(round * 100, 100, begun + halfAnHour + batches * 1000 + round * 1000));
  }
  print("a batch of 100 after all were silent for half an hour", silent);
  const { left } = await database.kysely
    .selectFrom("insight_lines")
    .select(({ fn }) => fn.sum<number>("left").as("left"))
    .executeTakeFirstOrThrow();
  console.log(`${left} of them left`);
  await store.close();
}

function print(
  what: string,
  measured: readonly { took: number; lag: number; used: number }[],
): void {
  const times = measured.map(({ took }) => took);
  const used = Math.max(...measured.map((one) => one.used));
  const longest = Math.max(...measured.map(({ lag }) => lag));
  console.log(
    `${what}: median ${medianOf(times).toFixed(0)}, at most ${Math.max(...times).toFixed(0)} ms; its thread computed for at most ${used.toFixed(0)} ms, and the event loop waited for at most ${longest.toFixed(0)} ms`,
  );
}
