import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { pageWordTypes } from "../../../build/page-words.ts";
import { FOR_PAGES, readPages } from "../../locales/tables/pages.ts";
import { TYPOGRAPHY } from "../../locales/tables/typography.ts";
import { WORDING } from "../../locales/tables/wording.ts";
import type { HandoffPhase, Intent } from "../../../src/escalation/stores/record.ts";
import { readPageWords } from "../../../src/backend/pages/load-page.ts";
import { nameCallState, namePhase, type Words } from "../../../src/pages/console/words.ts";
import { fill, LANGUAGES, languageOf, listOf } from "../../../src/pages/shared/words.ts";

const pages = new URL("../../../locales/pages/", import.meta.url);
const languages = new Map(
  (await readdir(pages)).map((name) => [
    name.replace(".yaml", ""),
    parse(readFileSync(new URL(name, pages), "utf8")),
  ]),
);

/** Names that the pages compose, such as `why-no-flag`; an upstream's state is itself a name. */
const COMPOSED = /^(?:by|call|phase|use|why)[A-Z]|^unused$/;

describe.each(["desk", "console", "findings", "playground", "header"])(
  "the words of the %s",
  (page) => {
    const wordsIn = (language: string): Readonly<Record<string, string>> =>
      languages.get(language)?.[page] ?? {};

    test("have the same names, order and places in every language, and differ from English", async () => {
      const names = await readdir(pages);
      expect(names.toSorted()).toEqual(LANGUAGES.map((one) => `${one}.yaml`).toSorted());
      const english = wordsIn("en");
      expect(await namesIn(page, english)).toEqual(Object.keys(english));
      const places = (text: string): readonly string[] =>
        [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).toSorted();
      for (const language of LANGUAGES) {
        const words = wordsIn(language);
        expect(Object.keys(words)).toEqual(
          Object.keys(english).filter((name) => Object.hasOwn(words, name)),
        );
        for (const [name, text] of Object.entries(words)) {
          const original = Reflect.get(english, name);
          expect([language, name, places(text)]).toEqual([language, name, places(original)]);
          expect(text.trim()).not.toBe("");
        }
        const same = Object.entries(words).filter(
          ([name, text]) => text === Reflect.get(english, name),
        );
        if (language !== "en")
          expect([language, same.length < 24, same.map(([name]) => name)]).toEqual([
            language,
            true,
            expect.any(Array),
          ]);
      }
    });
  },
);

test("a page gets the words of its sections in every language, and English ones for those that are missing", async () => {
  const sections = ["desk", "header"];
  const wordsIn = (language: string): object =>
    Object.assign({}, ...sections.map((section) => languages.get(language)[section]));
  const words = await readPageWords(sections);
  expect(words.size).toBe(LANGUAGES.length);
  for (const language of LANGUAGES) {
    expect(JSON.parse(words.get(`words-${language}.json`) ?? "")).toEqual({
      ...wordsIn("en"),
      ...wordsIn(language),
    });
  }
});

function consoleWords(language: string): Words {
  return languages.get(language).console;
}

/**
 * The names in a page's source, in the order of the English words for those it does not contain.
 */
async function namesIn(page: string, english: object): Promise<readonly string[]> {
  const read = (name: string): Promise<string> =>
    readFile(new URL(`../../../src/pages/${name}`, import.meta.url), "utf8");
  if (page === "header") {
    const source = await read("shared/header.html");
    const names = /data-(?:word|label)="(\w+)"/g;
    const words = new Set([...source.matchAll(names)].flatMap(([, name]) => name ?? []));
    return Object.keys(english)
      .filter((name) => words.delete(name))
      .concat(...words);
  }
  // test/pages/console/findings.test.ts asks for each of them by its code.
  if (page === "findings") return Object.keys(english);
  if (page !== "playground") {
    const folder = new URL(`../../../src/pages/${page}/`, import.meta.url);
    const files = (await readdir(folder, { recursive: true })).filter((name) =>
      /\.(?:ts|html)$/.test(name),
    );
    const source = (await Promise.all(files.map((name) => read(`${page}/${name}`)))).join("\n");
    const words = new Set([...source.matchAll(/\w+/g)].map(([name]) => name));
    return Object.keys(english).filter((name) => words.has(name) || COMPOSED.test(name));
  }
  const words = new Set<string>();
  for (const [file, names] of [
    ["index.html", /data-(?:word|label)="(\w+)"/g],
    ["client.js", /\btexts\.(\w+)/g],
    ["page.js", /\btexts\.(\w+)/g],
    ["start.js", /\btexts\.(\w+)/g],
    ["log.js", /\btexts\.(\w+)/g],
    ["why.js", /\bwords\.(\w+)/g],
    ["copies.js", /\bwords\.(\w+)/g],
  ] as const) {
    for (const [, name = ""] of (await read(`chat/${file}`)).matchAll(names)) words.add(name);
  }
  const { console } = languages.get("en");
  const missing = [...words].filter((name) => !(name in { ...console, ...english }));
  return [...Object.keys(english).filter((name) => words.has(name)), ...missing];
}

describe("the words of all pages", () => {
  test("have the names that the compiler knows (npm run schemas)", async () => {
    const known = await readFile(new URL("../page-words.d.ts", pages), "utf8");
    expect(known).toBe(pageWordTypes());
  });

  const rules = [...WORDING, ...TYPOGRAPHY].filter(({ name }) => FOR_PAGES.has(name));
  const read = readPages(fileURLToPath(pages));

  test.each(rules)("$name", ({ find }) => {
    const none = { engine: new Map(), longer: new Map() };
    expect([...find(read, none)].map(({ file, key, why }) => `${file} ${key}: ${why}`)).toEqual([]);
  });

  test("are held to every rule that is about more than a bot's lines", () => {
    expect(rules).toHaveLength(FOR_PAGES.size);
  });
});

describe("words", () => {
  test("are those of the first language that is spoken, else English", () => {
    expect(languageOf([null, "xx-YY", "fr-CA", "de"])).toBe("fr");
    expect(languageOf(["AR_eg"])).toBe("ar");
    expect(languageOf(["pt_BR", "pt"])).toBe("pt-BR");
    expect(languageOf(["pt-AO"])).toBe("pt");
    expect(languageOf(["zh-TW"])).toBe("zh-Hant");
    expect(languageOf(["zh-CN"])).toBe("zh");
    expect(languageOf(["tlh"])).toBe("en");
    expect(languageOf([])).toBe("en");
  });

  test("hold values as they are, and apart from each other where a line runs both ways", () => {
    expect(fill("{name} has {count}", { name: "$& {count}", count: 3 })).toBe("$& {count} has 3");
    expect(fill("{name} writes", { name: "محمد" })).toBe("\u2068محمد\u2069 writes");
    expect(fill("{nothing}", {})).toBe("{nothing}");
  });

  test("are not turned around by a value", () => {
    for (const name of ["\u202eeve", "\u202beve", "\u2069\u202eeve\u202c"]) {
      expect(fill("{name} is writing…", { name })).not.toMatch(/[\u202a-\u202e]/);
    }
  });

  test("join lists as the language does", () => {
    const names = ["A", "B", "C"];
    expect(listOf(names, "en")).toBe("A, B, and C");
    expect(listOf(names, "de")).toBe("A, B und C");
    expect(listOf(names, "ja")).toBe("A、B、C");
    expect(listOf(["A", "B"], "ar")).toBe("A وB");
    expect(listOf(["A", "B"], "en", "unit")).toBe("A, B");
    expect(listOf([], "en")).toBe("");
  });

  test("name each phase of a hand-over, and each state of its calls", () => {
    const phases: readonly HandoffPhase["name"][] = [
      "offered",
      "identity",
      "reaching",
      "waiting",
      "talking",
    ];
    const states: readonly Intent["state"][] = ["planned", "sent", "done", "refused", "unknown"];
    for (const language of LANGUAGES) {
      const words = consoleWords(language);
      for (const phase of phases) expect(namePhase(words, phase)).not.toBe(phase);
      for (const state of states) expect(nameCallState(words, state)).not.toBe(state);
    }
    expect(namePhase(consoleWords("de"), "talking")).toBe("Im Gespräch mit dem Team");
    expect(nameCallState(consoleWords("en"), "elsewhere")).toBe("elsewhere");
  });
});
