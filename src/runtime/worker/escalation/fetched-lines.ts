import type { LateLines } from "../../../gateway/escalation/late-lines.ts";
import type { Platform } from "../../../gateway/platform.ts";
import { createSpeakers, type Speakers } from "../../../locales/speaker.ts";
import { spokenLanguage } from "../../../locales/spoken-form.ts";
import { unpackTables } from "../packed-tables.ts";
import type { Fetcher } from "../platform.ts";
import { hasWords, type LanguageWords, learnWords } from "./known-words.ts";
import type { LanguageFile } from "./language-file.ts";

/** Takes lines from the worker's own assets. */
export type FetchesLines = (
  /** Absent: there are none, and everything is said in the fallback's language. */
  assets: Fetcher | undefined,
  platform: Pick<Platform, "now" | "log">,
) => LateLines;

/**
 * Fetches a language's lines and words when they are first needed, and keeps them while the isolate
 * lives, for all that runs in it. Nobody waits for what another request is fetching: that may end
 * with its request.
 *
 * @param folder of the deployment's files: those of another deployment would be other lines
 * @param locales for which there is a file; texts that were pushed later may speak others
 * @param words that need not be fetched
 */
export function createFetchedLines(
  folder: string,
  locales: readonly string[],
  words: readonly LanguageWords[],
): FetchesLines {
  const known = new Map<string, Spoken>();
  const failed = new Map<string, number>();
  learnWords(words);

  return (assets, { now, log }) => {
    return {
      ready(locale, urgent) {
        if (known.has(locale) || !locales.includes(locale)) return null;
        const isPaused = now() - (failed.get(locale) ?? -pause) < pause;
        // Where nothing is bound nothing will be there a moment later.
        return isPaused && !(urgent && assets) ? null : look(locale);
      },
      understands: (locale) => hasWords(spokenLanguage(locale)),
      say(instance, key, scene, count) {
        const { instances, speakers } = known.get(scene.locale) ?? {};
        const set = instances?.get(instance);
        return set === undefined ? null : (speakers?.say(set, key, scene, count) ?? null);
      },
    };

    async function look(locale: string): Promise<void> {
      try {
        if (assets === undefined) throw new Error("AFTERWORD_LINES is not bound");
        const signal = AbortSignal.timeout(patience);
        // Of an address a binding reads the path alone.
        const answer = await assets.fetch(`https://lines/${folder}/${locale}.json`, { signal });
        if (!answer.ok) throw new Error(`answered ${answer.status}`);
        const file: LanguageFile = JSON.parse(await answer.text());
        const speakers = createSpeakers(unpackTables(file.tables));
        const instances = new Map(Object.entries(file.instances));
        // What is known is not fetched again: a damaged file must fail before that.
        learnWords(file.words);
        known.set(locale, { speakers, instances });
      } catch (error) {
        failed.set(locale, now());
        const detail = error instanceof Error ? error.message : String(error);
        log("warn", "lines-not-fetched", { locale, detail });
      }
    }
  };
}

interface Spoken {
  readonly speakers: Speakers;
  /** Its number among the sets by the name of an instance. */
  readonly instances: ReadonlyMap<string, number>;
}

/**
 * Milliseconds. A reader waits no longer for words; what could not be had is looked for again after
 * the pause.
 */
const patience = 1000;
const pause = 10_000;
