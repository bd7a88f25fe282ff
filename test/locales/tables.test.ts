// Suite: slow
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createFolder } from "../fixtures/folder.ts";
import { loadContent } from "../../src/backend/content/load.ts";
import { findPackageRoot } from "../../src/config/load/package-root.ts";
import { LOCALES } from "../../src/locales/shipped.ts";
import { LANGUAGES, readLanguage } from "./tables/languages.ts";
import { readPages } from "./tables/pages.ts";
import { readTable, readTables, type ReadTable, type Tables } from "./tables/read.ts";
import type { Fault, References, Rule, Spoil } from "./tables/rule.ts";
import { TYPOGRAPHY } from "./tables/typography.ts";
import { idleSharedWords, WORDING } from "./tables/wording.ts";

const shipped = join(findPackageRoot(), "locales");
const references: References = {
  engine: (await loadContent(join(findPackageRoot(), "config", "backend"))).texts,
  longer: new Map([...LANGUAGES].map(([locale, { longer }]) => [locale, longer])),
};
const tables = readTables(shipped);
const RULES = [...WORDING, ...TYPOGRAPHY];

function faults(rule: Rule, read = tables, compared = references): readonly string[] {
  return [...rule.find(read, compared)].map(shown);
}

function shown({ file, key, why }: Fault): string {
  return `${file}${key === null ? "" : ` ${key}`}: ${why}`;
}

describe("the shipped tables", () => {
  test("are one for each shipped locale: at least 30 languages and two regions", () => {
    expect([...tables.keys()].toSorted()).toEqual([...LOCALES].toSorted());
    expect(LOCALES.filter((locale) => !locale.includes("-")).length).toBeGreaterThanOrEqual(30);
    expect(LOCALES).toEqual(expect.arrayContaining(["es-419", "fr-CA", "pt-BR", "zh-Hant"]));
    expect([...LANGUAGES.keys()].toSorted()).toEqual([...LOCALES].toSorted());
  });

  test.each(RULES)("$name", (rule) => {
    expect(faults(rule)).toEqual([]);
  });

  test.each(LOCALES)("say on top how %s addresses the reader", (locale) => {
    const text = readFileSync(join(shipped, `${locale}.yaml`), "utf8");
    expect(text).toMatch(/^# \p{Lu}[^:\n]+: .{10,}/u);
  });

  test("have every word that is said to be spelled like an English one", () => {
    expect([...idleSharedWords(tables)]).toEqual([]);
  });
});

test.each(LOCALES)("the table of %s says at its top how it speaks to readers", (locale) => {
  const text = readFileSync(join(findPackageRoot(), "locales", `${locale}.yaml`), "utf8");
  expect(text).toMatch(/^# \p{Lu}[\p{L} ]+.{40,}/u);
});

describe("the words of the pages", () => {
  const pages = [...readPages(join(shipped, "pages"))].map(([locale, { texts }]) => ({
    locale,
    textOf: (key: string): string => texts.get(key)?.[0] ?? "",
    texts: [...texts].map(([key, [text = ""]]) => ({ key, text })),
  }));

  test.each(pages)("mark lines in $locale by letters of the legend", ({ textOf }) => {
    const [yours = "", shipped = "", inherited = "", ...others] = Array.from(
      textOf("console.letters").toLowerCase(),
    );
    expect(new Set([yours, shipped, inherited, ...others]).size).toBe(5);
    expect(textOf("console.yours").toLowerCase()).toContain(yours);
    expect(textOf("console.inherited").toLowerCase()).toContain(inherited);
    // The first letter of Afterword, which some scripts write in their own.
    expect("aаαأא").toContain(shipped);
  });

  // "1 of 1 chats", "1 times": pages have no plural forms, so the noun must precede the number.
  const invariable =
    /^(?:unread|ungelesen|sin leer|irakurri gabe|olvasatlan|ongelezen|okunmamış|alkalommal|aldiz|fois|keer|kez|chat|txat)$/u;

  test.each(pages)("put no noun in $locale behind a number that may be 1", ({ locale, textOf }) => {
    if (new Intl.PluralRules(locale).resolvedOptions().pluralCategories.length === 1) return;
    for (const key of ["desk.unread", "desk.load", "console.times"]) {
      const [, noun] = /\{\{(?:count|most)\}\} (?!\S+ \{)(.+)$/u.exec(textOf(key)) ?? [];
      if (noun !== undefined) expect(noun).toMatch(invariable);
    }
  });
});

describe("a copy of the tables with a mistake", () => {
  const copy = createFolder(afterAll);
  cpSync(shipped, copy, { recursive: true });

  /** The findings of a rule in a copy with one changed line. */
  function faultsOf(rule: Rule, { locale, key, text }: Spoil): readonly string[] {
    const file = join(copy, `${locale}.yaml`);
    const good = readFileSync(file, "utf8");
    const line = text === null ? "" : `${key}: ${JSON.stringify(text)}\n`;
    writeFileSync(
      file,
      good.replace(new RegExp(`^${key}: .*\n`, "mu"), () => line),
    );
    // The other files of the copy are as they were shipped.
    const found = faults(rule, new Map(tables).set(locale, readTable(file)));
    writeFileSync(file, good);
    return found;
  }

  const cases = RULES.flatMap((rule) =>
    rule.spoils.map((spoil) => ({ rule, spoil, name: rule.name, ...spoil })),
  );

  test.each(cases)("$name: $locale $key $text", ({ rule, spoil }) => {
    expect(faultsOf(rule, spoil)).toEqual([
      expect.stringMatching(new RegExp(`^${spoil.locale}\\.yaml ${spoil.key}: `, "u")),
    ]);
  });

  test("has a wrong line for every rule, except the one about whole files", () => {
    expect(RULES.filter(({ spoils }) => spoils.length === 0)).toEqual([WORDING[0]]);
  });

  test("is reported when a table is missing, is one too many, or does not load", () => {
    const [files] = WORDING;
    const he = join(copy, "he.yaml");
    const good = readFileSync(he, "utf8");
    const found = (): readonly string[] =>
      files === undefined ? [] : faults(files, readTables(copy));
    rmSync(he);
    expect(found()).toEqual([expect.stringMatching(/^he\.yaml: /u)]);
    writeFileSync(he, `${good}welcom: x\n`);
    expect(found()).toEqual([expect.stringMatching(/^he\.yaml: .*welcom/u)]);
    writeFileSync(he, good);
    writeFileSync(join(copy, "sr.yaml"), good);
    expect(found()).toEqual([expect.stringMatching(/^sr\.yaml: /u)]);
    rmSync(join(copy, "sr.yaml"));
    expect(found()).toEqual([]);
  });
});

describe("the list of longer texts", () => {
  const [length] = WORDING.filter(({ name }) => name.includes("1.6"));
  const long: Tables = new Map(tables).set("de", {
    ...ofLocale("de"),
    texts: new Map(ofLocale("de").texts).set("end-form", ["Vielen Dank. ".repeat(9)]),
  });

  test("excuses what it names, and complains about what nothing needs", () => {
    if (length === undefined) throw new Error("there is no rule about length");
    const excused = new Map([["de", { "end-form": "because" }]]);
    expect(faults(length, long)).toEqual([expect.stringMatching(/^de\.yaml end-form: /u)]);
    expect(faults(length, long, { ...references, longer: excused })).toEqual([]);
    expect(faults(length, tables, { ...references, longer: excused })).toEqual([
      "de.yaml end-form: is an exception that nothing needs",
    ]);
  });

  test("takes no entry without a reason", () => {
    const terms = "terms: { ticket: Ticket, chat: Chat, agent: Team }\n";
    expect(readLanguage("de", `${terms}longer: { welcome: "so" }`).longer).toEqual({
      welcome: "so",
    });
    expect(() => readLanguage("de", `${terms}longer: { welcome: }`)).toThrow("welcome");
    expect(() => readLanguage("de", `${terms}longer: { welcome: " " }`)).toThrow("welcome");
  });
});

function ofLocale(locale: string): ReadTable {
  const table = tables.get(locale);
  if (table === undefined) throw new Error(`there is no table of ${locale}`);
  return table;
}
