import type { Config } from "../../config/config.ts";
import type { Platform } from "../../gateway/exchange/platform.ts";
import type { RecognitionWords } from "../../locales/phrases.ts";
import type { WordsByLanguage } from "../../locales/recognition.ts";
import { LOCALES } from "../../locales/shipped.ts";
import { toSpokenLanguage } from "../../locales/tag.ts";
import { type CompiledTables, compileTables, readTables } from "./compiled-tables.ts";
import type { Fetcher } from "./platform.ts";

/** The build's configuration and texts: JSON without secrets or the build machine's paths. */
export interface Compiled {
  /** The version of Afterword. */
  readonly version: string;
  readonly config: Omit<Config, "tableSets">;
  readonly tables: CompiledTables;
}

/** For the build. */
export function toCompiled({ tableSets, ...config }: Config, version: string): Compiled {
  return {
    version,
    config: {
      ...config,
      data: "",
      sources: [],
      listen: { ...config.listen, tls: null },
      backend: { ...config.backend, content: "", database: "" },
      // Conversations are kept in Durable Objects. The address of a store may contain a password.
      state: { store: "memory", retention: config.state.retention },
      // Counts are kept in a Durable Object, for the same reason.
      insights: config.insights && { ...config.insights, store: "file" },
      recognition: wordsInScript(config.recognition),
    },
    tables: compileTables(tableSets),
  };
}

export function loadCompiled({ config, tables }: Pick<Compiled, "config" | "tables">): Config {
  return { ...config, tableSets: readTables(tables) };
}

/** English, because readers of all languages are understood in it. The others are assets. */
function wordsInScript({ en }: WordsByLanguage): WordsByLanguage {
  return en === undefined ? {} : { en };
}

/** Returns the path of a language's words among the static assets. */
export function toWordsPath(language: string): string {
  return `_afterword/words/${language}.json`;
}

/**
 * Fetches a language's words when a reader first needs them, and keeps them: `Platform.wordsOf`.
 * Requests do not wait for each other: what one began may end with it.
 */
export function createWords(
  assets: Fetcher,
  { now, log }: Pick<Platform, "now" | "log">,
): NonNullable<Platform["wordsOf"]> {
  const kept = new Map<string, RecognitionWords>();
  const failed = new Map<string, number>();
  const shipped = new Set(LOCALES.map(toSpokenLanguage));
  return async (language) => {
    const known = kept.get(language) ?? null;
    const again = (failed.get(language) ?? Number.NEGATIVE_INFINITY) + pause;
    if (known !== null || !shipped.has(language) || now() < again) return known;
    try {
      const words = await fetchWords(assets, language);
      kept.set(language, words);
      return words;
    } catch (error) {
      failed.set(language, now());
      const detail = error instanceof Error ? error.message : String(error);
      log("error", "words-missing", { language, detail });
      return null;
    }
  };
}

async function fetchWords(assets: Fetcher, language: string): Promise<RecognitionWords> {
  // The host does not matter, because the binding leads to the assets alone.
  const url = `https://assets.invalid/${toWordsPath(language)}`;
  const response = await assets.fetch(url, { signal: AbortSignal.timeout(patience) });
  if (!response.ok) throw new Error(`/${toWordsPath(language)}: ${response.status}`);
  return response.json();
}

/** Milliseconds; a reader waits for an answer meanwhile. */
const patience = 2000;
/** Milliseconds until the next attempt after a failure. */
const pause = 10_000;
