import { describe, expect, test } from "vitest";
import { load, MINIMAL, spoken } from "../workspace.ts";

const ONE = "instances: [{ name: a, created: 2018-06-01, variables: [name] }]\n";

async function tables(files: Record<string, string>, messages = "", instances = ONE) {
  const config = await load({ ...files, "afterword.yaml": MINIMAL + messages + instances });
  return config.tableSets[0];
}

/** Every text has a slot, so that none hides those after it. */
const SLOTTED = {
  "locales/en.yaml": 'welcome: "en {{query}}"\n',
  "locales/es.yaml": 'welcome: "es {{query}}"\n',
  "locales/pt.yaml": 'welcome: "pt {{query}}"\n',
  "locales/pt-BR.yaml": 'welcome: "pt-BR {{query}}"\n',
  "locales/zh.yaml": 'welcome: "zh {{query}}"\n',
  "locales/zh-Hant.yaml": 'welcome: "zh-Hant {{query}}"\n',
};

describe("candidates", () => {
  test("are the own line, the shipped one, relatives of the language, then the default", async () => {
    const set = await tables({
      ...SLOTTED,
      "messages/pt-BR.yaml": 'welcome: "own pt-BR {{query}}"\n',
      "messages/en.yaml": 'welcome: "own en {{query}}"\n',
    });
    expect(spoken(set, "pt-BR", "welcome")).toEqual([
      "own pt-BR own pt-BR {{query}}",
      "shipped pt-BR pt-BR {{query}}",
      "shipped pt pt {{query}}",
      "own en own en {{query}}",
      "shipped en en {{query}}",
    ]);
  });

  test("end with a text that needs no value, since nothing after it is reachable", async () => {
    const set = await tables({
      ...SLOTTED,
      "messages/pt.yaml": "welcome: Olá\n",
    });
    expect(spoken(set, "pt-BR", "welcome")).toEqual(["own pt Olá"]);
  });

  test("put the owner's text of a language before a shipped one of its region, in one script", async () => {
    const set = await tables({
      ...SLOTTED,
      "locales/es-419.yaml": 'welcome: "es-419 {{query}}"\n',
      "messages/es.yaml": 'welcome: "own es {{query}}"\n',
      "messages/pt-BR.yaml": 'welcome: "own pt-BR {{query}}"\n',
      "messages/zh.yaml": 'welcome: "own zh {{query}}"\n',
    });
    expect(spoken(set, "es-419", "welcome").slice(0, 3)).toEqual([
      "own es own es {{query}}",
      "shipped es-419 es-419 {{query}}",
      "shipped es es {{query}}",
    ]);
    expect(spoken(set, "es", "welcome").slice(0, 2)).toEqual([
      "own es own es {{query}}",
      "shipped es es {{query}}",
    ]);
    expect(spoken(set, "pt", "welcome")[0]).toBe("shipped pt pt {{query}}");
    expect(spoken(set, "zh-Hant", "welcome").slice(0, 2)).toEqual([
      "shipped zh-Hant zh-Hant {{query}}",
      "own zh own zh {{query}}",
    ]);
  });

  test("follow an explicit chain before the siblings, and the chain's tag has a table of its own", async () => {
    const set = await tables(
      SLOTTED,
      "messages: { fallback: { chains: { pt-PT: [pt-BR, es], zh-Hant: [es] } } }\n",
    );
    expect(spoken(set, "pt-PT", "welcome").map((line) => line.split(" ")[1])).toEqual([
      "pt-BR",
      "es",
      "pt",
      "en",
    ]);
    expect(spoken(set, "zh-Hant", "welcome").map((line) => line.split(" ")[1])).toEqual([
      "zh-Hant",
      "es",
      "zh",
      "en",
    ]);
    expect(set?.chains).toEqual({ "pt-pt": ["pt-BR", "es"], "zh-hant": ["es"] });
  });

  test("take Traditional Chinese first for zh-TW", async () => {
    const set = await tables({ ...SLOTTED, "messages/zh-TW.yaml": 'welcome: "own {{query}}"\n' });
    expect(spoken(set, "zh-TW", "welcome").map((line) => line.split(" ")[1])).toEqual([
      "zh-TW",
      "zh-Hant",
      "zh",
      "en",
    ]);
  });

  test("honour the order and the choice of `use`", async () => {
    const files = { ...SLOTTED, "messages/en.yaml": 'welcome: "own {{query}}"\n' };
    const swapped = await tables(files, "messages: { use: [shipped, own] }\n");
    expect(spoken(swapped, "en", "welcome")).toEqual([
      "shipped en en {{query}}",
      "own en own {{query}}",
    ]);
    const alone = await tables(files, "messages: { use: [own] }\n");
    expect(spoken(alone, "en", "welcome")).toEqual(["own en own {{query}}"]);
    expect(Object.keys(alone?.channels[""] ?? {})).toEqual(["en"]);
  });

  test("a key without a text is absent, and its name is never shown", async () => {
    const set = await tables({ "messages/fr.yaml": "end-form: Fini\n" });
    expect(set?.channels[""]?.["en"]?.lines).not.toHaveProperty("end-form");
    expect(Object.keys(set?.channels[""]?.["fr"]?.lines ?? {}).toSorted()).toEqual([
      "end-form",
      "no-results",
      "welcome",
    ]);
    const texts = JSON.stringify(set).match(/"parts":\[[^\]]*\]/g) ?? [];
    expect(texts.filter((parts) => /end-form|no-results|welcome/.test(parts))).toEqual([]);
  });

  test("tables inherit no names from Object", async () => {
    const set = await tables({});
    expect(set?.channels["constructor"]).toBeUndefined();
    expect(set?.channels[""]?.["__proto__"]).toBeUndefined();
    expect(set?.channels[""]?.["en"]?.lines["toString"]).toBeUndefined();
  });

  test("a locale named like an object's property is a locale like any other", async () => {
    const set = await tables(
      {
        "locales/en.yaml": 'welcome: "en {{query}}"\n',
        "messages/valueOf.yaml": 'welcome: "x {{query}}"\n',
        "messages/default.yaml": 'welcome: "y {{query}}"\n',
      },
      "messages: { fallback: { chains: { default: [valueof] } } }\n",
    );
    expect(spoken(set, "default", "welcome")).toEqual([
      "own default y {{query}}",
      "own valueof x {{query}}",
      "shipped en en {{query}}",
    ]);
  });
});

describe("channels", () => {
  const own = {
    "locales/en.yaml": "welcome: shipped\n",
    "messages/en.yaml": `welcome:
  text: "any {{query}}"
  channels: { voice: "voice {{query}}", whatsapp: { text: "wa {{query}}", format: text } }
`,
  };

  test("a channel's text comes first, then the text for any channel", async () => {
    const set = await tables(own);
    expect(spoken(set, "en", "welcome", "voice")).toEqual([
      "own en voice {{query}}",
      "own en any {{query}}",
      "shipped en shipped",
    ]);
    expect(spoken(set, "en", "welcome")).toEqual(["own en any {{query}}", "shipped en shipped"]);
    expect(Object.keys(set?.channels ?? {}).toSorted()).toEqual(["", "voice", "whatsapp"]);
  });

  test("a channel called like a plural form is a channel", async () => {
    const set = await tables({
      "locales/en.yaml": "welcome: x\n",
      "messages/en.yaml":
        "no-question: { channels: { one: c, other: d }, plural: { one: p1, other: p } }\n",
    });
    const [line] = set?.channels[""]?.["en"]?.lines["no-question"] ?? [];
    expect(line?.say?.plural).toMatchObject({ one: { parts: ["p1"] }, other: { parts: ["p"] } });
    expect(spoken(set, "en", "no-question", "one")).toEqual(["own en c"]);
  });

  test("the format is the channel line's, else the line's, else the instance's for the channel", async () => {
    const set = await tables(
      {
        "locales/en.yaml": "welcome: a\nno-results: b\n",
        "messages/en.yaml":
          'welcome: { text: "{{query}}", format: html, channels: { sms: { text: "{{query}}", format: text } } }\n',
      },
      "",
      "instances: [{ name: a, created: 2018-06-01, format: { default: html, voice: text } }]\n",
    );
    const format = (channel: string, key: string) =>
      set?.channels[channel]?.["en"]?.lines[key]?.[0]?.say?.text?.format;
    expect(format("", "welcome")).toBe("html");
    expect(format("sms", "welcome")).toBe("text");
    expect(format("voice", "welcome")).toBe("html");
    expect(format("voice", "no-results")).toBe("text");
    expect(format("", "no-results")).toBe("html");
  });
});

describe("plural forms", () => {
  test("every category of the language is there, a missing one filled from other", async () => {
    const set = await tables({
      "locales/en.yaml": "welcome: x\n",
      "messages/pl.yaml": 'multiple-options: { plural: { one: "1", few: "2-4", other: "rest" } }\n',
    });
    const [line] = set?.channels[""]?.["pl"]?.lines["multiple-options"] ?? [];
    expect(line?.say?.plural).toEqual({
      one: { format: "html", parts: ["1"] },
      few: { format: "html", parts: ["2-4"] },
      many: { format: "html", parts: ["rest"] },
      other: { format: "html", parts: ["rest"] },
    });
  });

  test("a `zero` form in a language without that category changes no other form", async () => {
    const set = await tables({
      "locales/en.yaml": 'multiple-options: { plural: { zero: "none", one: "1", other: "n" } }\n',
    });
    const [line] = set?.channels[""]?.["en"]?.lines["multiple-options"] ?? [];
    expect(line?.say?.plural).toEqual({
      one: { format: "html", parts: ["1"] },
      other: { format: "html", parts: ["n"] },
    });
  });

  test("a channel's plural forms borrow none of those for any channel", async () => {
    const set = await tables({
      "locales/en.yaml": "welcome: x\n",
      "messages/pl.yaml":
        "multiple-options: { plural: { few: plain few, other: plain }, channels: { voice: { plural: { other: spoken } } } }\n",
    });
    const [line] = set?.channels["voice"]?.["pl"]?.lines["multiple-options"] ?? [];
    expect(line?.say?.plural?.other?.parts).toEqual(["spoken"]);
    expect(JSON.stringify(line)).not.toContain("plain");
  });

  test("the plain text follows the plural forms, for when there is no count", async () => {
    const set = await tables({
      "locales/en.yaml":
        'multiple-options: { text: some, variants: [v1, v2], plural: { one: "1", other: n } }\n',
    });
    const lines = set?.channels[""]?.["en"]?.lines["multiple-options"] ?? [];
    expect(lines.map(({ say }) => Object.keys(say ?? {})[0])).toEqual([
      "plural",
      "variants",
      "text",
    ]);
  });
});

describe("conditions, variants and odd texts", () => {
  test("conditions are strings, in order, on the first line", async () => {
    const set = await tables({
      "locales/en.yaml": "welcome: x\n",
      "messages/en.yaml": `welcome:
  text: "plain {{query}}"
  when:
    - { env: production, userType: 3, text: "prod" }
    - { variables.Name: Ada, variants: [a, b] }
`,
    });
    const [line] = set?.channels[""]?.["en"]?.lines["welcome"] ?? [];
    expect(line?.when).toEqual([
      { when: { env: "production", userType: "3" }, text: { format: "html", parts: ["prod"] } },
      {
        when: { "variables.name": "Ada" },
        variants: [
          { format: "html", parts: ["a"] },
          { format: "html", parts: ["b"] },
        ],
      },
    ]);
    expect(line?.say?.text?.parts).toEqual(["plain ", { slot: "query" }]);
  });

  test("nothing of i18next's own syntax is read: nesting, interpolation, separators", async () => {
    const text = "a.b:c_one $t(welcome) %{x} {y} {{query}} $1 \\n";
    const set = await tables({
      "locales/en.yaml": "welcome: x\n",
      "messages/en.yaml": `no-question: '${text}'\nescalation.ticket: 'own line {{ticket}}'\n`,
    });
    expect(spoken(set, "en", "no-question")).toEqual([`own en ${text}`]);
    expect(spoken(set, "en", "escalation.ticket")).toEqual(["own en own line {{ticket}}"]);
  });

  test("the line break at the end of a YAML block is not part of the text", async () => {
    const set = await tables({ "messages/en.yaml": "welcome: |\n  one\n  two\n" });
    expect(spoken(set, "en", "welcome")).toEqual(["own en one\ntwo"]);
  });

  test("the old name of a flag is read, and warned of", async () => {
    const config = await load({
      "afterword.yaml": MINIMAL + ONE,
      "messages/en.yaml": "conversation-link: Bye\n",
    });
    expect(spoken(config.tableSets[0], "en", "follow-up-question")).toEqual(["own en Bye"]);
    expect(config.warnings).toEqual([
      expect.stringContaining("old name of the flag follow-up-question"),
    ]);
  });
});
