import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createNegotiator, createNegotiators } from "../../src/locales/negotiate.ts";
import { isRegionOf } from "../../src/locales/relatives.ts";
import { LOCALES } from "../../src/locales/shipped.ts";
import { languageOf, toSpokenLanguage } from "../../src/locales/tag.ts";
import type { TableSet } from "../../src/locales/types.ts";
import { tables } from "../fixtures/config.ts";
import { TAGS } from "./tags-200.ts";
import { anyText, runs } from "../fixtures/runs.ts";

const shipped = createNegotiator(setOf(LOCALES));

function setOf(locales: readonly string[], more: Partial<TableSet> = {}): TableSet {
  return tables(Object.fromEntries(locales.map((locale) => [locale, {}])), more);
}

describe("the shipped tables", () => {
  it("are asked for with at least 200 different tags", () => {
    expect(new Set(TAGS.map(([tag]) => tag)).size).toBe(TAGS.length);
    expect(TAGS.length).toBeGreaterThanOrEqual(200);
  });

  it.each(TAGS)("%s is read as %s (%s)", (tag, locale, reason) => {
    const found = shipped({ conversation: tag });
    expect({ locale: found.locale, reason: found.reason }).toEqual({ locale, reason });
  });
});

describe("sources", () => {
  it("are used in the order header, conversation, instance, Accept-Language, default", () => {
    const all = { header: "fr", conversation: "de", instance: "es", acceptLanguage: "ja" };
    expect(shipped(all)).toEqual({ locale: "fr", reason: "exact", source: "header" });
    expect(shipped({ ...all, header: null })).toMatchObject({
      locale: "de",
      source: "conversation",
    });
    expect(shipped({ ...all, header: "", conversation: undefined })).toMatchObject({
      locale: "es",
      source: "instance",
    });
    expect(shipped({ acceptLanguage: "ja" })).toMatchObject({
      locale: "ja",
      source: "accept-language",
    });
    expect(shipped({})).toEqual({ locale: "en", reason: "default", source: "none" });
  });

  it("give way to the next one when they name no table", () => {
    expect(shipped({ header: "tlh", conversation: "fr-BE" })).toMatchObject({
      locale: "fr",
      source: "conversation",
    });
    expect(shipped({ header: "__proto__", instance: "constructor" })).toMatchObject({
      locale: "en",
      reason: "default",
    });
  });
});

describe("explicit chains", () => {
  const chains = {
    "pt-pt": ["xx", "pt-BR", "es"],
    nb: ["da"],
    "zh-tw": ["zh"],
    sr: ["hr", "ru"],
    tl: ["es-MX"],
  };
  const negotiate = createNegotiator(setOf(LOCALES, { chains }));

  it.each([
    ["pt-PT", "pt-BR"],
    ["pt_pt", "pt-BR"],
    ["pt-AO", "pt-BR"], // Portuguese of Portugal is its parent, and has a chain
    ["nb-NO", "da"],
    ["zh-TW", "zh"],
    ["sr-Latn-RS", "ru"],
    ["sr-RS", "ru"],
    ["tl", "es-419"],
  ])("win over relatives: %s is read as %s", (tag, locale) => {
    expect(negotiate({ conversation: tag })).toMatchObject({ locale, reason: "chain" });
  });

  it("lose against an exact table", () => {
    const own = createNegotiator(setOf(["en", "pt-PT", "pt-BR"], { chains }));
    expect(own({ conversation: "pt-PT" })).toMatchObject({ locale: "pt-PT", reason: "exact" });
  });

  it("may point at each other without end", () => {
    const loop = createNegotiator(setOf(["en"], { chains: { aa: ["bb"], bb: ["aa"] } }));
    expect(loop({ conversation: "aa" })).toMatchObject({ locale: "en", reason: "default" });
  });
});

describe("tables of one's own", () => {
  it.each([
    [["en", "pt-BR"], "pt", "pt-BR"],
    [["en", "pt-BR"], "pt-PT", "pt-BR"],
    [["en", "pt", "pt-PT"], "pt-AO", "pt-PT"],
    [["en", "es", "es-419"], "es-MX", "es-419"],
    [["en", "es", "es-419"], "es-ES", "es"],
    [["en", "es", "es-419"], "es", "es"],
    [["en", "zh-Hant"], "zh-CN", "zh-Hant"],
    [["en", "zh"], "zh-TW", "zh"],
    [["en", "zh-TW", "zh"], "zh-Hant", "zh-TW"],
    [["en", "zh-TW", "zh-HK"], "zh-MO", "zh-HK"],
    [["en", "zh-Hant", "zh-HK"], "zh-MO", "zh-HK"],
    [["en", "zh-Hant", "zh-Hant-HK"], "zh-Hant-MO", "zh-Hant-HK"],
    [["en", "zh-HK", "zh"], "zh-Hans-MO", "zh"],
    [["en", "zh-Hant-HK", "zh-Hant-TW"], "zh-TW", "zh-Hant-TW"],
    [["en", "zh", "zh-Hant"], "gan", "zh"],
    [["en", "zh", "zh-Hant"], "hsn-CN", "zh"],
    [["en", "pt-AO", "pt-PT"], "pt-AO-ao1990", "pt-AO"],
    [["en", "pt-AO", "pt-BR"], "pt", "pt-BR"],
    [["en", "sr-Cyrl-RS", "sr-Latn-RS"], "sr-Latn-BA", "sr-Latn-RS"],
    [["en", "sr-Latn-ME", "sr-RS"], "sr-Latn-RS", "sr-Latn-ME"],
    [["en", "sr-Latn-ME", "sr-RS"], "sr-Latn", "sr-Latn-ME"],
    [["en", "he", "iw"], "he", "he"],
    [["en", "he", "iw"], "iw", "iw"],
    [["en", "??"], "fr", "en"],
    [["en", "nb"], "no", "nb"],
    [["en", "nn"], "nb", "nn"],
    [["en", "fr-CA"], "fr-FR", "fr-CA"],
    [["en", "sr", "sr-Latn"], "sr-Latn-RS", "sr-Latn"],
    [["en", "sr", "sr-Latn"], "sr-ME", "sr-Latn"],
    [["en", "fil"], "tl", "fil"],
    [["en", "tl"], "fil-PH", "tl"],
    [["en", "pt_BR"], "pt-br", "pt_BR"],
  ])("of %j serve %s with %s", (locales, tag, expected) => {
    expect(createNegotiator(setOf(locales))({ conversation: tag }).locale).toBe(expected);
  });

  it("say how they were found", () => {
    const reason = (locales: readonly string[], conversation: string) =>
      createNegotiator(setOf(locales))({ conversation }).reason;
    expect(reason(["en", "iw"], "he")).toBe("exact");
    expect(reason(["en", "pt-BR"], "pt")).toBe("sibling");
  });

  it("are found when only one channel has them", () => {
    const set = {
      ...setOf(["en"]),
      channels: {
        "": { en: { locale: "en", lines: {} } },
        voice: { fr: { locale: "fr", lines: {} } },
      },
    };
    expect(createNegotiator(set)({ conversation: "fr" }).locale).toBe("fr");
  });

  it("give their own first one when the fallback is not among them", () => {
    expect(createNegotiator(setOf(["fr", "de"], { fallback: "xx" }))({}).locale).toBe("de");
    expect(createNegotiator(setOf(["fr", "en-GB"], { fallback: "en" }))({}).locale).toBe("en-GB");
  });
});

describe("hostile input", () => {
  const nasty = [
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "\0",
    "zh-\ud800",
    "fr".repeat(1e5),
    "-".repeat(50),
    "a-b-c-d-e-f",
    "en-".repeat(30),
    "💥",
    "<fr>",
    "../fr",
    "*",
    "fr;q=1",
  ];
  const negotiate = createNegotiator(setOf(LOCALES, { chains: { "pt-pt": ["__proto__", ""] } }));

  it("never throws and always gives one of the tables", () => {
    const text = fc.oneof(
      fc.string(),
      anyText(),
      fc.constantFrom(...nasty),
      fc.stringMatching(/^[a-zA-Z0-9_-]{0,40}$/u),
    );
    fc.assert(
      fc.property(text, text, text, (header, conversation, acceptLanguage) => {
        const { locale } = negotiate({ header, conversation, acceptLanguage });
        expect(LOCALES).toContain(locale);
      }),
      { numRuns: runs(3_000) },
    );
  });

  it("names no language with half a word, or with more than a hundred characters", () => {
    for (const [conversation, locale] of [
      [" fr ", "fr"],
      ["deut", "en"],
      ["deut-AT", "en"],
      ["fr-x".padEnd(100, "-a"), "fr"],
      ["fr-x".padEnd(102, "-a"), "en"],
      ["pt-PT", "pt"],
    ] as const)
      expect([conversation, negotiate({ conversation }).locale]).toEqual([conversation, locale]);
  });

  it("gives the same answer the second time, and after many others", () => {
    const before = negotiate({ conversation: "zh-HK" });
    for (let i = 0; i < 5_000; i++) negotiate({ conversation: `x${i}` });
    expect(negotiate({ conversation: "zh-HK" })).toEqual(before);
  });

  it("takes a set without tables", () => {
    expect(
      createNegotiator({ channels: {}, chains: {}, fallback: "en" })({ conversation: "fr" }).locale,
    ).toBe("en");
  });
});

describe("negotiators of many sets", () => {
  it("are one as long as locales, chains and fallback are the same", () => {
    const negotiatorOf = createNegotiators();
    const set = setOf(["en", "fr"]);
    const shared = negotiatorOf(set);
    expect(negotiatorOf(set)).toBe(shared);
    const sameLanguages = tables({ fr: { welcome: "Salut" }, en: { welcome: "Hi" } });
    expect(negotiatorOf(sameLanguages)).toBe(shared);
    const channels = { ...sameLanguages.channels, voice: { fr: { locale: "fr", lines: {} } } };
    expect(negotiatorOf({ ...sameLanguages, channels })).toBe(shared);
  });

  it.each<[string, TableSet, string]>([
    ["locales", setOf(["de", "en", "fr"]), "de"],
    [
      "locales of a channel",
      { ...setOf(["en", "fr"]), channels: { voice: setOf(["de"]).channels[""] ?? {} } },
      "de",
    ],
    ["chains", setOf(["en", "fr"], { chains: { de: ["fr"] } }), "fr"],
    ["fallback", setOf(["en", "fr"], { fallback: "fr" }), "fr"],
  ])("differ with the set's %s", (_, set, locale) => {
    const negotiatorOf = createNegotiators();
    expect(negotiatorOf(setOf(["en", "fr"]))({ conversation: "de" }).locale).toBe("en");
    expect(negotiatorOf(set)({ conversation: "de" }).locale).toBe(locale);
  });
});

describe("the language of a tag", () => {
  it.each([
    ["pt-BR", "pt", "pt"],
    [" ZH_Hant ", "zh", "zh"],
    ["nb-NO", "nb", "no"],
    ["NN", "nn", "no"],
    ["no", "no", "no"],
    ["", "", ""],
  ])("%j is %j, and spoken it is %j", (tag, language, spoken) => {
    expect([languageOf(tag), toSpokenLanguage(tag)]).toEqual([language, spoken]);
  });
});

describe("a region’s language", () => {
  it.each([
    ["es-419", "es", true],
    ["zh-CN", "zh", true],
    ["zh-Hant", "zh", false],
    ["es", "es", false],
    ["est-EE", "es", false],
    ["ca-ES", "es", false],
    ["pt-BR", "es", false],
  ])("is, of %s, %s: %s", (tag, language, isRegion) => {
    expect(isRegionOf(tag, language)).toBe(isRegion);
  });
});
