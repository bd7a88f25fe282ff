import * as fc from "fast-check";
import { Parser } from "htmlparser2";
import { describe, expect, it } from "vitest";
import { createNegotiator } from "../../src/locales/negotiate.ts";
import { createLineTable } from "../../src/locales/lines.ts";
import { toPlainText } from "../../src/locales/plain-text.ts";
import { PLACEHOLDERS } from "../../src/locales/slots.ts";
import type { Line, LineContext, TableSet } from "../../src/locales/types.ts";
import { channel, line, phrase, tables, template } from "../fixtures/config.ts";
import { anyText, runs } from "../fixtures/runs.ts";

const decoder = new TextDecoder();

/** The text as the client's parser reads it, with the rule that produced it. */
function say(
  set: TableSet,
  scene: Partial<LineContext> = {},
  count: number | null = null,
  key = "key",
) {
  const locale = createNegotiator(set)({ header: "en" }).locale;
  const rendering = createLineTable(set).render(key, { ...quiet, locale, ...scene }, () => count);
  if (rendering === null) return null;
  const text: unknown = JSON.parse(decoder.decode(rendering.json));
  return { text: String(text), ...rendering.source };
}

const quiet: Omit<LineContext, "locale"> = {
  channel: "",
  facts: { instance: "shop", channel: "", env: null, userType: null, source: null, lang: null },
  variables: new Map(),
  query: () => null,
  seed: () => ["session"],
  now: () => Date.UTC(2026, 10, 21, 23, 59),
};

const asks = (typed: string): Partial<LineContext> => ({ query: () => typed });

function en(...lines: readonly (string | Line)[]): TableSet {
  return tables({ en: { key: lines.map((one) => (typeof one === "string" ? line(one) : one)) } });
}

function conditional(...whens: readonly Record<string, string>[]): TableSet {
  const when = whens.map((fields, index) => ({ when: fields, text: template(`Case ${index}`) }));
  return en({ ...line("Default"), when });
}

function forms(locale: string, plural: Record<string, string>): TableSet {
  const parsed = Object.entries(plural).map(([name, text]) => [name, template(text)]);
  return en(phrase({ plural: Object.fromEntries(parsed) }, locale));
}

function figures(locale: string): TableSet {
  return en(line("{{date}}|{{maxLength}}|{{count}}", locale));
}

describe("a plain line", () => {
  it("is the first candidate's text, with where it comes from", () => {
    const set = tables({ en: { key: [line("Ours"), line("Theirs", "en", "shipped")] } });
    expect(say(set)).toEqual({ text: "Ours", locale: "en", origin: "own", rule: "key" });
  });

  it("survives any text", () => {
    fc.assert(
      fc.property(anyText({ minLength: 1 }), (text) => {
        const answer = say(tables({ en: { key: `x${text.replaceAll("{{", "")}` } }));
        expect(answer?.text).toBe(`x${text.replaceAll("{{", "")}`);
      }),
    );
  });

  it.each(["", "  ", "\u200b\n"])(
    "that is blank (%j) gives way to the next, and at last to nothing",
    (blank) => {
      expect(say(en(blank, "Seen"))?.text).toBe("Seen");
      expect(say(en(blank))).toBeNull();
    },
  );

  it("without a text is absent", () => {
    expect(say(en("x"), {}, null, "other")).toBeNull();
    expect(say(en("x"), {}, null, "__proto__")).toBeNull();
    expect(say(en("x"), {}, null, "constructor")).toBeNull();
    expect(say(en())).toBeNull();
  });
});

describe("a channel", () => {
  const set = tables(
    { en: { key: "Written", other: "Everywhere" } },
    {
      channels: {
        "": channel({ en: { key: "Written", other: "Everywhere" } }),
        voice: channel({ en: { key: "Spoken" } }),
      },
    },
  );

  it.each([
    ["voice", "Spoken"],
    ["", "Written"],
    ["fax", "Written"],
    ["__proto__", "Written"],
    ["constructor", "Written"],
  ])("%j says %s", (name, text) => {
    expect(say(set, { channel: name })?.text).toBe(text);
  });

  it("without a line of its own for a key uses the general one", () => {
    expect(say(set, { channel: "voice" }, null, "other")?.text).toBe("Everywhere");
  });

  it("says its own words beside other channels and languages", () => {
    const [en, fr] = [{ key: "Written" }, { key: "Écrit" }];
    const voice = channel({ en: { key: "Spoken" } });
    const several = tables({ en, fr }, { channels: { "": channel({ en, fr }), voice } });
    const lines = createLineTable(several);
    const textFor = (header: string, name: string): unknown => {
      const { locale } = createNegotiator(several)({ header });
      const rendered = lines.render("key", { ...quiet, locale, channel: name }, () => null);
      return JSON.parse(decoder.decode(rendered?.json));
    };
    const places = [
      ["en", ""],
      ["en", "voice"],
      ["fr", ""],
      ["fr", "voice"],
    ] as const;
    for (let time = 0; time < 2; time++) {
      const texts = places.map(([header, name]) => textFor(header, name));
      expect(texts).toEqual(["Written", "Spoken", "Écrit", "Écrit"]);
    }
  });

  it("without any text in every table is absent", () => {
    expect(say({ channels: {}, chains: {}, fallback: "en" })).toBeNull();
  });
});

describe("the tables of a configuration", () => {
  it("do not borrow each other's channels", () => {
    const plain = tables({ en: { key: "Plain" } });
    const voice = tables(
      { en: { key: "Written" } },
      {
        channels: {
          "": channel({ en: { key: "Written" } }),
          voice: channel({ en: { key: "Spoken" } }),
        },
      },
    );
    const locale = createNegotiator(plain)({}).locale;
    const textFor = (set: TableSet, name: string): unknown => {
      const scene = { ...quiet, locale, channel: name };
      return JSON.parse(
        decoder.decode(createLineTable(set).render("key", scene, () => null)?.json),
      );
    };
    expect([textFor(plain, "voice"), textFor(voice, "voice"), textFor(voice, "")]).toEqual([
      "Plain",
      "Spoken",
      "Written",
    ]);
  });

  it("name the place of a list of lines by the key it is asked for", () => {
    const list = [line("Same")];
    const set = tables({ en: { key: list, other: list } });
    expect(say(set, {}, null, "key")?.rule).toBe("key");
    expect(say(set, {}, null, "other")?.rule).toBe("other");
  });
});

describe("a condition", () => {
  const facts = {
    instance: "shop",
    channel: "web",
    env: "production",
    userType: "b2b",
    source: "WhatsApp-Bot",
    lang: "FR",
  };
  const scene: Partial<LineContext> = { facts, variables: new Map([["plan", "gold"]]) };
  it.each<[Record<string, string>, boolean]>([
    [{ instance: "shop" }, true],
    [{ instance: "Shop" }, false],
    [{ channel: "web" }, true],
    [{ env: "Production" }, true],
    [{ channel: "Web" }, false],
    [{ userType: "b2b" }, true],
    [{ userType: "B2B" }, false],
    [{ source: "whatsapp-bot" }, true],
    [{ lang: "fr" }, true],
    [{ "variables.plan": "gold" }, true],
    [{ "variables.PLAN": "gold" }, true],
    [{ "variables.plan": "Gold" }, false],
    [{ "variables.constructor": "gold" }, false],
    [{ env: "production", userType: "b2b" }, true],
    [{ env: "production", userType: "b2c" }, false],
    [{ nonsense: "production" }, false],
    [{ toString: "x" }, false],
  ])("%j holds: %s", (when, holds) => {
    expect(say(conditional(when), scene)?.text).toBe(holds ? "Case 0" : "Default");
  });

  it("is tried in order, and the first that holds wins", () => {
    const set = conditional({ env: "development" }, { env: "production" }, { userType: "b2b" });
    expect(say(set, scene)).toMatchObject({ text: "Case 1", rule: "key.when[1]" });
  });

  it("that does not hold says nothing where there is no other line", () => {
    const when = [{ when: { env: "production" }, text: template("Live") }];
    const set = en({ locale: "en", origin: "own", when });
    expect(say(set, scene)?.text).toBe("Live");
    expect(say(set)).toBeNull();
  });

  it("on an unknown value never holds", () => {
    expect(say(conditional({ env: "null" }), {})?.text).toBe("Default");
    expect(say(conditional({ env: "" }), {})?.text).toBe("Default");
  });

  it("whose text lacks a value gives way to the next", () => {
    const set = en({
      ...line("Default"),
      when: [{ when: { env: "production" }, text: template("For {{query}}") }],
    });
    expect(say(set, scene)?.text).toBe("Default");
    expect(say(set, { ...scene, ...asks("tea") })?.text).toBe("For \u2068tea\u2069");
  });
});

describe("variants", () => {
  const options = ["A", "B", "C"].map((text) => template(text));
  const set = en(phrase({ variants: options }));
  const pick = (...seed: string[]) => say(set, { seed: () => seed })?.text;

  it("are the same for the same session, key and request", () => {
    expect(new Set(Array.from({ length: 20 }, () => pick("s", "{}"))).size).toBe(1);
  });

  it("are chosen by bytes as by the text they stand for", () => {
    const bytes = (text: string) => say(set, { seed: () => [new TextEncoder().encode(text)] });
    for (let i = 0; i < 20; i++) expect(bytes(`séance ${i}`)?.text).toBe(pick(`séance ${i}`));
  });

  it("are chosen the same in every release", () => {
    const chosen = Array.from({ length: 12 }, (_, i) => pick(`session-${i}`, "hello")).join("");
    expect(chosen).toMatchInlineSnapshot(`"AACCBCABCABB"`);
  });

  it("are spread evenly over sessions, and over requests", () => {
    for (const seed of [(i: number) => [`s${i}`, "x"], (i: number) => ["s", `x${i}`]]) {
      const counts = new Map<string, number>();
      for (let i = 0; i < 900; i++) {
        const text = pick(...seed(i)) ?? "";
        counts.set(text, (counts.get(text) ?? 0) + 1);
      }
      for (const text of ["A", "B", "C"]) expect(counts.get(text)).toBeGreaterThan(225);
    }
  });

  it("that lack a value give way to another variant", () => {
    const mixed = en(
      phrase({ variants: [template("{{query}}"), template("Plain"), template("{{query}}")] }),
    );
    for (let i = 0; i < 30; i++) {
      expect(say(mixed, { seed: () => [`${i}`] })).toMatchObject({
        text: "Plain",
        rule: "key.variants[1]",
      });
    }
  });
});

describe("plural forms", () => {
  const arabic = { zero: "z", one: "1", two: "2", few: "f", many: "m", other: "o" };

  it.each([
    ["ar", 0, "z"],
    ["ar", 1, "1"],
    ["ar", 2, "2"],
    ["ar", 3, "f"],
    ["ar", 11, "m"],
    ["ar", 100, "o"],
    ["pl", 2, "f"],
    ["pl", 5, "m"],
    ["ru", 21, "1"],
    ["ja", 1, "o"],
    ["en", 1, "1"],
    ["en", 0, "o"],
    ["no", 1, "1"],
    ["not a tag", 1, "o"],
  ])("in %s of %d are %s", (locale, count, expected) => {
    expect(say(forms(locale, arabic), {}, count)?.text).toBe(expected);
  });

  it("fall to other when a category is missing", () => {
    expect(say(forms("pl", { one: "1", other: "{{count}} inne" }), {}, 3)).toMatchObject({
      text: "3 inne",
      rule: "key.plural.other",
    });
  });

  it("need a count", () => {
    expect(say(forms("en", arabic))).toBeNull();
  });
});

describe("values", () => {
  it("are escaped in html and left alone in text", () => {
    const evil = `<img src=x onerror="a('&')">`;
    expect(say(en("Q: {{query}}"), asks(evil))?.text).toBe(
      "Q: \u2068&lt;img src=x onerror=&quot;a(&#39;&amp;&#39;)&quot;&gt;\u2069",
    );
    const plain = en(phrase({ text: template("Q: {{query}}", "text") }));
    expect(say(plain, asks(evil))?.text).toBe(`Q: ${evil}`);
  });

  it.each([
    ["Your number is {{name}}.", "3JD-2", "Your number is 3JD-2."],
    ["Nothing for {{name}}.", "שלום", "Nothing for \u2068שלום\u2069."],
    ["رقم الطلب {{name}}.", "3JD-2", "رقم الطلب \u20683JD-2\u2069."],
    ["لا شيء عن {{name}}.", "سؤال", "لا شيء عن سؤال."],
    ["رقم الطلب {{name}}.", "12345", "رقم الطلب 12345."],
    ["{{name}}", "שלום", "שלום"],
  ])(
    "in plain text (%j) are isolated only where their direction differs",
    (text, name, expected) => {
      const plain = en(phrase({ text: template(text, "text") }));
      expect(say(plain, { variables: new Map([["name", name]]) })?.text).toBe(expected);
    },
  );

  it.each([
    ["iphone 12", "iphone%2012"],
    ["a&b=c #d", "a%26b%3Dc%20%23d"],
    ["50% off", "50%25%20off"],
    ["it's (50%)!*", "it%27s%20%2850%25%29%21%2A"],
    ["  ann@example.com\n", "ann%40example.com"],
    ["\u202eשלום", "%D7%A9%D7%9C%D7%95%D7%9D"],
  ])("in an address (%j) are percent-encoded, without marks of direction", (typed, encoded) => {
    for (const [before, after] of [
      ['<a href="https://shop.example/search?q=', '">Search</a>'],
      ["<A HREF='mailto:help@shop.example?subject=", "'>Write</A>"],
      ["<a class=x href=https://shop.example/", "/now>Go</a>"],
      ['<img alt="" src = "https://shop.example/?x=1&amp;q=', '"/>'],
      ['<b title=">">x</b> <form\naction="/find?q=', '&amp;z=1">'],
      ['<div data-href="/find?q=', '"></div>'],
      ["<p onclick=\"find('", "')\">x</p>"],
      ["<p style='background: url(", ")'>x</p>"],
    ]) {
      const variables = new Map([["name", typed]]);
      const text = `${before}{{query}}|{{name}}${after}`;
      expect(say(en(text), { ...asks(typed), variables })?.text).toBe(
        `${before}${encoded}|${encoded}${after}`,
      );
    }
  });

  it("in an address are figures for programs, and the whole question", () => {
    const long = "shoes ".repeat(30).trim();
    const text = '<a href="/?q={{query}}&d={{date}}&m={{maxLength}}&c={{count}}">{{count}}</a>';
    expect(say(en({ ...line(text, "ar-EG") }), asks(long), 1234)?.text).toBe(
      `<a href="/?q=${encodeURIComponent(long)}&d=2026-11-21&m=256&c=1234">١٬٢٣٤</a>`,
    );
  });

  it("in other attributes stay within them, isolated only where people read them", () => {
    const render = (text: string): string | undefined => say(en(text), asks(`a "b" c=d`))?.text;
    expect(render('<b title="For {{query}}">')).toBe(
      '<b title="For \u2068a &quot;b&quot; c=d\u2069">',
    );
    expect(render('<b data-query="{{query}}">')).toBe(
      '<b data-query="a&#32;&quot;b&quot;&#32;c&#61;d">',
    );
    expect(render("<b title={{query}}>")).toBe("<b title=a&#32;&quot;b&quot;&#32;c&#61;d>");
  });

  it.each([
    [
      "<!-- <a href='{{query}}' --> {{query}}",
      "<!-- <a href='\u2068x y\u2069' --> \u2068x y\u2069",
    ],
    ["1 < 2 href='{{query}}'", "1 < 2 href='\u2068x y\u2069'"],
    ["<a href='/'>href=\"{{query}}\"</a>", "<a href='/'>href=\"\u2068x y\u2069\"</a>"],
    ["<input disabled>{{query}}", "<input disabled>\u2068x y\u2069"],
    ["<a href=/x>{{query}}", "<a href=/x>\u2068x y\u2069"],
    ["<a href>{{query}}", "<a href>\u2068x y\u2069"],
  ])("outside of an attribute (%j) are text as before", (text, expected) => {
    expect(say(en(text), asks("x y"))?.text).toBe(expected);
  });

  it("never leave the attribute they stand in, and an address gives them back", () => {
    const attribute = fc.constantFrom(
      "href",
      "SRC",
      "Action",
      "title",
      "data-x",
      "data-url",
      "value",
    );
    const quote = fc.constantFrom('"', "'", "");
    fc.assert(
      fc.property(anyText(), attribute, quote, (typed, name, mark) => {
        const text = `<p class="c"><i ${name}=${mark}/x?q={{query}}${mark} lang=en>y</i></p>`;
        const answer = say(en(text), asks(typed));
        if (answer === null) return;
        const elements: [string, Record<string, string>][] = [];
        const parser = new Parser({
          onopentag: (tag, attributes) => elements.push([tag, attributes]),
        });
        parser.end(answer.text);
        expect(elements.map(([tag]) => tag)).toEqual(["p", "i"]);
        const { [name.toLowerCase()]: value = "", ...others } = elements[1]?.[1] ?? {};
        expect(others).toEqual({ lang: "en" });
        expect(value.startsWith("/x?q=")).toBe(true);
        if (!["href", "SRC", "Action", "data-url"].includes(name)) return;
        const given = decodeURIComponent(value.slice("/x?q=".length));
        expect(given).toBe(toPlainText(typed).slice(0, 256).toWellFormed());
      }),
      { numRuns: runs(1_000) },
    );
  });

  it("are never expanded again", () => {
    const scene = { ...asks("{{name}} {{query}}"), variables: new Map([["name", "{{date}}"]]) };
    expect(say(en("{{query}}/{{name}}"), scene)?.text).toBe(
      "\u2068{{name}} {{query}}\u2069/\u2068{{date}}\u2069",
    );
  });

  it("never add markup or leave their isolate, whatever is typed", () => {
    fc.assert(
      fc.property(anyText(), (typed) => {
        const answer = say(en("<b>{{query}}</b>"), asks(typed));
        if (answer === null) return;
        expect(answer.text).toMatch(/^<b>\u2068[^<>"'\u2066-\u2069]*\u2069<\/b>$/u);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it("cut a long query at 60 characters and a variable never", () => {
    const long = "x".repeat(61);
    expect(say(en("{{query}}"), asks(long))?.text).toBe(`\u2068${"x".repeat(60)}…\u2069`);
    expect(say(en("{{name}}"), { variables: new Map([["name", long]]) })?.text).toBe(
      `\u2068${long}\u2069`,
    );
  });

  it("are counted before they are escaped", () => {
    expect(say(en("{{query}}"), asks("&".repeat(60)))?.text).toBe(
      `\u2068${"&amp;".repeat(60)}\u2069`,
    );
  });

  it.each(["", "  \n", "\u200b", "\u202e"])("that are blank (%j) are none", (blank) => {
    expect(say(en("For {{query}}", "Plain"), asks(blank))?.text).toBe("Plain");
  });

  it("that are missing lead to the next text without them, and at last to nothing", () => {
    expect(say(en("{{query}}", "{{name}}", "Plain"))?.text).toBe("Plain");
    expect(say(en("{{query}}", "{{toString}}"))).toBeNull();
    expect(say(en("{{count}}", "Plain"))?.text).toBe("Plain");
  });

  it("have a place in every line, and these are the names of their places", () => {
    expect(PLACEHOLDERS).toEqual(["query", "date", "maxLength", "count"]);
    for (const name of PLACEHOLDERS)
      expect(say(en(`{{${name}}}`), asks("tea"), 1)?.text).toMatch(/tea|2026|256|1/);
  });

  it("of date, maxLength and count are written for the line's own locale", () => {
    expect(say(figures("en"), {}, 1234)?.text).toBe("November 21, 2026|256|1,234");
    expect(say(figures("fr"), {}, 1234)?.text).toBe("21 novembre 2026|256|1\u202f234");
    expect(say(figures("not a tag"), {}, 1234)?.text).toBe("2026-11-21|256|1234");
    expect(say(figures("en"), { now: () => Number.NaN }, 1)).toBeNull();
  });
});
