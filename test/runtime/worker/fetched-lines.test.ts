import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { OWN_LINES } from "../../../src/locales/own-lines.ts";
import { meaningsIn } from "../../../src/locales/polar-meanings.ts";
import { spokenLanguage } from "../../../src/locales/spoken-form.ts";
import { patternsIn } from "../../../src/escalation/spoken-patterns.ts";
import { createNegotiator } from "../../../src/locales/negotiate.ts";
import { createSpeakers } from "../../../src/locales/speaker.ts";
import type { Scene, Utterance } from "../../../src/locales/types.ts";
import { unbundleConfig } from "../../../src/runtime/worker/bundle.ts";
import { compileForWorker } from "../../../src/runtime/worker/compile-config.ts";
import { createFetchedLines } from "../../../src/runtime/worker/escalation/fetched-lines.ts";
import { languageFiles } from "../../../src/runtime/worker/escalation/language-file.ts";

const { config, bundled } = await compileForWorker(
  join(import.meta.dirname, "../../../bench/worker/handing-over.yaml"),
  {},
);
const files = languageFiles(config);
const german = files.get("de");
const negotiate = createNegotiator(
  config.tableSets[0] ?? { channels: {}, chains: {}, fallback: "en" },
);

describe("lines that are fetched", () => {
  it("are, with those of the script, all that is said in every language", async () => {
    const { late } = bench();
    const [whole, kept] = [config, unbundleConfig(bundled)].map(({ tableSets }) =>
      createSpeakers(tableSets),
    );
    for (const locale of files.keys()) {
      await late().ready(locale);
      for (const key of OWN_LINES) {
        const scene = sceneIn(locale);
        const said = kept?.say(0, key, scene, 2) ?? late().say("shop", key, scene, 2);
        expect(told(said)).toEqual(told(whole?.say(0, key, scene, 2)));
        expect(said).not.toBeNull();
      }
    }
  });

  it("come with the words of their language, and English, as Node has them", () => {
    for (const [locale, { words }] of files) {
      const language = spokenLanguage(locale);
      expect(words.map(([known]) => known)).toEqual([...new Set([language, "en"])]);
      for (const [known, person, polar] of JSON.parse(JSON.stringify(words))) {
        expect(person).toEqual(patternsIn(known));
        expect([known, person === null, polar === null]).toEqual([known, false, false]);
        for (const [phrase, meaning] of meaningsIn(known) ?? []) {
          expect([phrase, polar[meaning].split("|").includes(phrase)]).toEqual([phrase, true]);
        }
      }
    }
  });

  it("are fetched once for all that runs in an isolate", async () => {
    const { late, asked } = bench();
    await late().ready("de");
    expect(late().ready("de")).toBeNull();
    expect(late().say("shop", "escalation.offer", sceneIn("de"), null)).not.toBeNull();
    expect(late().say("shop", "escalation.offer", sceneIn("fr"), null)).toBeNull();
    expect(late().say("constructor", "escalation.offer", sceneIn("de"), null)).toBeNull();
    expect(asked).toEqual(["https://lines/folder/de.json"]);
  });

  it.each([
    ["there is no binding", null],
    ["the file is of another deployment", () => new Response("", { status: 404 })],
    ["the file is damaged", () => new Response('{"tables":')],
    ["the file is something else", () => new Response("{}")],
    ["the file has no words", () => new Response(JSON.stringify({ ...german, words: undefined }))],
    ["nobody answers", () => Promise.reject(new Error("network"))],
  ])(
    "are not waited for again within ten seconds when %s, and the log says so",
    async (_, answer) => {
      const { late, log, time } = bench(answer);
      await late().ready("de");
      expect(late().say("shop", "escalation.offer", sceneIn("de"), null)).toBeNull();
      expect(late().ready("de")).toBeNull();
      // A reader who would be misread waits for one more try, where one may help.
      expect(late().ready("de", true) === null).toBe(answer === null);
      expect(log).toEqual(["warn lines-not-fetched de"]);
      time.now += 10_000;
      expect(late().ready("de")).not.toBeNull();
    },
  );

  it("are not looked for in a language that the deployment lacks: its texts were pushed", async () => {
    const { late, asked, log } = bench();
    await late().ready("eo", true);
    expect(late().ready("eo")).toBeNull();
    expect([asked, log]).toEqual([[], []]);
  });

  it("are waited for a second at most", async () => {
    const { late, log } = bench((signal) => {
      const { promise, reject } = Promise.withResolvers<Response>();
      signal?.addEventListener("abort", () => reject(new Error("timeout")));
      return promise;
    });
    await late().ready("de");
    expect(log).toEqual(["warn lines-not-fetched de"]);
  });
});

type Answer = (signal: AbortSignal | null | undefined) => Response | Promise<Response>;

/** An isolate; `late` gives what each of its requests has. */
function bench(answer?: Answer | null) {
  const asked: string[] = [];
  const log: string[] = [];
  const time = { now: 1_000_000 };
  const fetchLines = createFetchedLines("folder", [...files.keys()], []);
  const assets = {
    async fetch(url: string, { signal }: RequestInit) {
      asked.push(url);
      const [, locale = ""] = /folder\/(.+)\.json$/.exec(url) ?? [];
      return answer?.(signal) ?? new Response(JSON.stringify(files.get(locale)));
    },
  };
  const platform = {
    now: () => time.now,
    log: (level: string, event: string, { locale }: { locale?: unknown } = {}) =>
      void log.push(`${level} ${event} ${String(locale)}`),
  };
  return {
    late: () => fetchLines(answer === null ? undefined : assets, platform),
    asked,
    log,
    time,
  };
}

function sceneIn(language: string): Scene {
  return {
    locale: negotiate({ header: language }).locale,
    channel: "",
    facts: { instance: "shop", channel: "", env: null, userType: null, source: null, lang: null },
    variables: new Map([["ticket", "T1"]]),
    query: () => null,
    seed: () => ["seed"],
    now: () => 0,
  };
}

function told(utterance: Utterance | null | undefined): unknown {
  return utterance && [new TextDecoder().decode(utterance.json), utterance.source];
}
