import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import type { Config } from "../../src/config/config.ts";
import { loadConfig } from "../../src/config/load/load.ts";
import { isPostgresAddress } from "../../src/database-address.ts";
import { copyDemo, listCountedDays } from "./copy-demo.ts";
import { openInsightsDatabase } from "../../src/insights/tables.ts";
import { addressOf } from "../../src/runtime/node/insights.ts";
import { readOptions, text, whole } from "../options.ts";
import { type Known, playDays } from "./play.ts";

const oneDay = 86_400_000;

export interface DemoOptions {
  /** The configuration of the shop. */
  readonly config: Config;
  /** How many days before today are played. */
  readonly days: number;
  readonly perDay: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly onDay: (played: number, of: number, messages: number) => void;
}

/**
 * Plays the days before today into the store of a configuration's insights. Days with counts stay
 * as they are.
 *
 * @returns the number of played days; null if nothing is counted
 */
export async function playDemo(options: DemoOptions): Promise<number | null> {
  const { config, days, perDay, now, onDay } = options;
  if (config.insights === null) return null;
  const address = addressOf(config.insights, config.data);
  if (!isPostgresAddress(address)) await mkdir(dirname(address), { recursive: true });
  const store = await openInsightsDatabase(address);
  try {
    const counted = await listCountedDays(store);
    const today = Math.floor(now / oneDay);
    const wanted = Array.from({ length: days }, (_, index) => today - days + index);
    const played = wanted.filter((day) => !counted.has(day));
    if (played.length === 0) return 0;
    const demo = await playDays({
      config,
      known: await readKnown(config.backend.content),
      days: played,
      perDay,
      onDay: (done, messages) => onDay(done, played.length, messages),
    });
    try {
      await copyDemo(demo.database, store, now);
    } finally {
      await demo.close();
    }
    return played.length;
  } finally {
    await store.close();
  }
}

/** Reads titles and other phrases of the shop's contents, which its bot can answer. */
async function readKnown(content: string): Promise<Known> {
  const known: Record<string, readonly string[]> = {};
  for (const language of ["en", "fr", "es"]) {
    const file = await readFile(join(content, `shop.${language}.yaml`), "utf8");
    const { contents }: { readonly contents: readonly KnownContent[] } = parse(file);
    known[language] = contents
      .filter(({ hidden }) => hidden !== true)
      .flatMap(({ title, alternatives = [] }) => [title, ...alternatives]);
  }
  return known;
}

interface KnownContent {
  readonly title: string;
  readonly alternatives?: readonly string[];
  readonly hidden?: boolean;
}

function showProgress(played: number, of: number, messages: number): void {
  if (!process.stdout.isTTY && played < of && played % 10 !== 0) return;
  const end = process.stdout.isTTY && played < of ? "\r" : "\n";
  process.stdout.write(`day ${played} of ${of}, ${messages} messages${end}`);
}

if (import.meta.main) {
  const shopFile = fileURLToPath(new URL("../../config/afterword.yaml", import.meta.url));
  const options = readOptions({
    name: "npm run demo:traffic --",
    about:
      "Plays a month of a small shop in English, French and Spanish into the insights of `npm start`, so that the console has something to show. Days with counts stay as they are. `afterword insights erase --demo` erases what was played.",
    options: {
      days: whole("days before today", 30),
      "per-day": whole("conversations of an ordinary day", 80),
      config: text("the shop's configuration", "FILE", shopFile),
    },
    fails: "nothing is counted with this configuration",
  });
  const played = await playDemo({
    config: await loadConfig(options.config),
    days: options.days,
    perDay: options["per-day"],
    now: Date.now(),
    onDay: showProgress,
  });
  if (played === null) {
    console.error(`${options.config} has no insights: add \`insights: { store: file }\``);
    process.exitCode = 1;
  } else if (played === 0) {
    console.log(
      "all of these days have counts already; `afterword insights erase --demo` erases played ones",
    );
  } else {
    console.log(
      "played: see the view Insights of the console, or `npm run -s afterword -- insights`",
    );
    console.log("`npm run -s afterword -- insights erase --demo` erases what was played");
  }
}
