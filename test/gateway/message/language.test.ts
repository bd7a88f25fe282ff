import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bot, type BotFiles, ENGINE, shippedText, startBot } from "../conversations.ts";

/** A bot for the tests of one group. */
function botOf(files: BotFiles): () => Bot {
  let bot: Bot | null = null;
  beforeAll(async () => {
    bot = await startBot(files);
  });
  afterAll(async () => {
    await bot?.close();
  });
  return () => {
    if (bot === null) throw new Error("the bot has not started");
    return bot;
  };
}

let sessions = 0;
const newSession = (): string => `s-${++sessions}`;
const nothing = (locale: string): Promise<string> => shippedText(locale, "no-results");

describe("the language of an answer", () => {
  const bot = botOf({
    messages: "{ acceptLanguage: true, fallback: { default: it } }",
    instances: [
      "name: spanish, match: { apiKey: es }, language: es",
      "name: klingon, match: { apiKey: tlh }, language: tlh",
      "name: silent, match: {}",
    ],
  });
  interface Said {
    readonly header?: string;
    readonly conversation?: string;
    readonly key?: string;
    readonly browser?: string;
  }
  const most = { conversation: "de", key: "es", browser: "ja" };

  it.each<[string, Said, string]>([
    ["the header", { ...most, header: "fr" }, "fr"],
    ["the conversation", most, "de"],
    ["the instance", { key: "es", browser: "ja" }, "es"],
    ["the browser", { browser: "ja" }, "ja"],
    ["the default", {}, "it"],
    ["the conversation after an unknown header", { ...most, header: "tlh" }, "de"],
    [
      "the instance after two unknown tags",
      { ...most, header: "tlh", conversation: "xx-YY" },
      "es",
    ],
    [
      "the browser after an unknown instance",
      { conversation: "qaa", key: "tlh", browser: "qaa, tlh;q=0.9, ko;q=0.2, ja;q=0.5" },
      "ja",
    ],
    [
      "the default after nothing but unknown tags",
      { header: "tlh", key: "tlh", browser: "*" },
      "it",
    ],
  ])("is that of %s", async (_, { header, conversation, key, browser }, locale) => {
    const session = newSession();
    const instance = key === undefined ? [] : [`X-Inbenta-Key: ${key}`];
    if (conversation !== undefined)
      await bot().start(session, { lang: conversation, headers: instance });
    const headers = [
      ...instance,
      ...(header === undefined ? [] : [`X-Afterword-Locale: ${header}`]),
      ...(browser === undefined ? [] : [`Accept-Language: ${browser}`]),
    ];
    expect(await bot().ask("no-results", { session, headers })).toBe(await nothing(locale));
  });

  it.each([
    ["zh-TW", "zh-Hant"],
    ["zh-HK", "zh-Hant"],
    ["zh-Hant-MO", "zh-Hant"],
    ["zh_CN", "zh"],
    ["zh-SG", "zh"],
    ["pt-AO", "pt"],
    ["pt-BR", "pt-BR"],
    ["PT_br", "pt-BR"],
    ["nb", "no"],
    ["nn-NO", "no"],
    ["iw", "he"],
    ["in", "id"],
    ["de-CH-1996", "de"],
    ["fr_CA.UTF-8", "fr-CA"],
    ["es-419", "es"],
    ["vi-VN", "vi"],
  ])("for %s is %s, said by the conversation, the header or the browser", async (tag, locale) => {
    const session = newSession();
    await bot().start(session, { lang: tag });
    const expected = await nothing(locale);
    const ask = (headers: readonly string[], known = ""): Promise<string> =>
      bot().ask("no-results", { session: known, headers });
    expect(await ask([], session)).toBe(expected);
    expect(await ask([`X-Afterword-Locale: ${tag}`])).toBe(expected);
    if (!/[_.]/.test(tag)) expect(await ask([`Accept-Language: ${tag};q=0.8`])).toBe(expected);
  });

  it.each<[string, unknown]>([
    ["a name that objects inherit", "__proto__"],
    ["another one", "constructor"],
    ["a path", "../../locales/fr"],
    ["markup", "<script>alert(1)</script>"],
    ["a placeholder", "{{query}}"],
    ["no subtag", "-"],
    ["the wildcard", "*"],
    ["the undetermined language", "und"],
    ["a private tag", "x-fr"],
    ["letters that look Latin", "ｆｒ"],
    ["a lone surrogate", "\ud800"],
    ["a control character", "\u0000fr"],
    ["a megabyte of subtags", "fr-".repeat(10_000)],
    ["blanks", "   "],
    ["a number", 7],
    ["a list", ["fr"]],
    ["a mapping", { fr: 1 }],
    ["null", null],
  ])("is the instance's when a conversation starts in %s", async (_, lang) => {
    const session = newSession();
    const headers = ["X-Inbenta-Key: es"];
    await bot().start(session, { lang, headers });
    expect(await bot().ask("no-results", { session, headers })).toBe(await nothing("es"));
  });

  it.each([
    "__proto__",
    "%66%72",
    "fr-".repeat(1000),
    "\u00fc\u00ff",
    "\\u0066r",
    "'; --",
    "{{a}}",
  ])("is the instance's for the header %j", async (tag) => {
    const headers = ["X-Inbenta-Key: es", `X-Afterword-Locale: ${tag}`, `Accept-Language: ${tag}`];
    expect(await bot().ask("no-results", { headers })).toBe(await nothing("es"));
  });

  it("is the same for every line of a conversation, and another in the next one", async () => {
    const [one, other] = [newSession(), newSession()];
    await bot().start(one, { lang: "fr" });
    await bot().start(other, { lang: "uk" });
    for (const flag of ["welcome", "no-question", "form-retry"]) {
      expect(await bot().ask(flag, { session: one })).toBe(await shippedText("fr", flag));
      expect(await bot().ask(flag, { session: other })).toBe(await shippedText("uk", flag));
    }
  });
});

describe("the browser's languages", () => {
  const bot = botOf({ instances: ["name: a, match: {}"] });

  it("are used only if the configuration enables them", async () => {
    const headers = ["Accept-Language: fr"];
    expect(await bot().ask("no-results", { headers })).toBe(await nothing("en"));
  });
});

describe("an explicit chain", () => {
  const bot = botOf({
    messages:
      "{ fallback: { default: en, chains: { pt-PT: [pt-BR, es], nb: [sv], sr: [ru], gsw: [xx, de] } } }",
    instances: ["name: a, match: {}"],
  });

  it.each([
    ["pt-PT", "pt-BR"],
    ["pt", "pt"],
    ["nb", "sv"],
    ["no", "no"],
    ["sr", "ru"],
    ["sr-Latn-RS", "ru"],
    ["gsw-CH", "de"],
  ])("wins over relatives and siblings: %s is %s", async (tag, locale) => {
    const headers = [`X-Afterword-Locale: ${tag}`];
    expect(await bot().ask("no-results", { headers })).toBe(await nothing(locale));
  });
});

describe("{{query}}", () => {
  const bot = botOf({
    own: {
      en: `no-results: { text: 'No "{{query}}".', channels: { sms: { text: 'No {{query}}.', format: text } } }\n`,
      he: "no-results: 'לא מצאתי {{query}}.'\n",
    },
    instances: ["name: a, match: {}, channels: { sms-bot: sms }"],
  });
  const ask = (message: unknown, headers: readonly string[] = []): Promise<string> =>
    bot().ask("no-results", { body: { message }, headers });
  const textFor = (query: string): string => `No "\u2068${query}\u2069".`;

  it.each([
    ["as it was typed", "  Red SHOES  ", "Red SHOES"],
    ["in any script", "ملابس 日本語 🧦", "ملابس 日本語 🧦"],
    [
      "with its markup as text",
      `<b>"R&D"</b> 'x'`,
      "&lt;b&gt;&quot;R&amp;D&quot;&lt;/b&gt; &#39;x&#39;",
    ],
    ["with its braces as text", "{{date}} {{query}} {{name}}", "{{date}} {{query}} {{name}}"],
    ["with nothing of i18next's in it", "$t(welcome) {{- query}}", "$t(welcome) {{- query}}"],
    ["on one line", "a\r\n\tb\u2028c", "a b c"],
    ["without direction marks of its own", "a\u202eb\u2067c\u2069\u2069d", "abcd"],
    ["with quotes and backslashes whole", 'a\\"b\\n', "a\\&quot;b\\n"],
  ])("stands in the answer %s", async (_, message, query) => {
    expect(await ask(message)).toBe(textFor(query));
  });

  it("is cut after 60 characters as a reader counts them", async () => {
    const family = "👨‍👩‍👧";
    expect(await ask(family.repeat(60))).toBe(textFor(family.repeat(60)));
    expect(await ask(family.repeat(61))).toBe(textFor(`${family.repeat(60)}…`));
    expect(await ask("é".normalize("NFD").repeat(70))).toBe(
      textFor(`${"é".normalize("NFD").repeat(60)}…`),
    );
  });

  it("is isolated, so that it can't turn a sentence that runs the other way", async () => {
    const headers = ["X-Afterword-Locale: he"];
    expect(await ask("iPhone 15 (red)", headers)).toBe("לא מצאתי \u2068iPhone 15 (red)\u2069.");
  });

  it("is not escaped in a channel of plain text", async () => {
    expect(await ask("<b>R&D", ["X-Inbenta-Source: sms-bot"])).toBe("No <b>R&D.");
  });

  it.each<[string, unknown]>([
    ["nothing was typed", { message: "" }],
    ["only blanks were typed", { message: " \u00a0\n" }],
    ["an option was chosen", { message: "shoes", option: 0 }],
    ["a direct call was made", { message: "shoes", directCall: "sys-welcome" }],
    ["there is no message", {}],
    ["the message is no text", { message: { a: 1 } }],
    ["only what can't be seen was typed", { message: "\u200b\u2068\u2069" }],
  ])("leaves the word to the shipped line when %s", async (_, body) => {
    expect(await bot().ask("no-results", { body })).toBe(await nothing("en"));
  });
});

describe("channels and conditions", () => {
  const own = `welcome:
  text: "any"
  channels: { whatsapp: "on whatsapp", voice: "aloud", web: "on the web" }
  when:
    - { env: production, userType: 3, text: "production, type 3" }
    - { source: kiosk, text: "at the kiosk" }
    - { lang: fr, text: "in French" }
    - { variables.plan: gold, text: "Gold for {{name}}" }
    - { variables.plan: gold, text: "Gold" }
`;
  const bot = botOf({
    own: { en: own },
    messages: "{ fallback: { default: en, chains: { fr: [en] } } }",
    instances: [
      "name: shop, match: { apiKey: k }, language: en, channel: web, channels: { WhatsApp-Bot: whatsapp }, variables: [plan, name]",
      "name: rest, match: {}, language: en",
    ],
  });
  const key = "X-Inbenta-Key: k";

  it.each([
    ["the instance's", [key], "on the web"],
    ["that of the source", [key, "X-Inbenta-Source: whatsapp-bot"], "on whatsapp"],
    ["that of the source in any case", [key, "X-Inbenta-Source: WHATSAPP-BOT"], "on whatsapp"],
    [
      "the header's",
      [key, "X-Inbenta-Source: whatsapp-bot", "X-Afterword-Channel: voice"],
      "aloud",
    ],
    [
      "the instance's when the source is unknown",
      [key, "X-Inbenta-Source: __proto__"],
      "on the web",
    ],
    ["none when the header names an unknown one", [key, "X-Afterword-Channel: constructor"], "any"],
    ["none where the instance has none", [], "any"],
  ])("the channel is %s", async (_, headers, text) => {
    expect(await bot().ask("welcome", { headers })).toBe(text);
  });

  it("what the conversation's start said holds for its later turns", async () => {
    const started = newSession();
    const headers = ["X-Inbenta-Env: Production", "X-Inbenta-User-Type: 3"];
    await bot().start(started, { headers });
    expect(await bot().ask("welcome", { session: started })).toBe("production, type 3");
    // A later header does not change what the start said; without a start it is all there is.
    const later = ["X-Inbenta-Env: development", "X-Inbenta-User-Type: 1"];
    expect(await bot().ask("welcome", { session: started, headers: later })).toBe(
      "production, type 3",
    );
    expect(await bot().ask("welcome", { session: newSession(), headers })).toBe(
      "production, type 3",
    );
    expect(await bot().ask("welcome", { session: newSession(), headers: later })).toBe("any");
  });

  it("the source of the start decides channel and conditions of later turns", async () => {
    const [kiosk, whatsapp] = [newSession(), newSession()];
    await bot().start(kiosk, { headers: ["X-Inbenta-Source: Kiosk"] });
    await bot().start(whatsapp, { headers: [key, "X-Inbenta-Source: whatsapp-bot"] });
    expect(await bot().ask("welcome", { session: kiosk })).toBe("at the kiosk");
    expect(await bot().ask("welcome", { session: whatsapp, headers: [key] })).toBe("on whatsapp");
  });

  it("the language that is compared is the one the conversation asked for", async () => {
    const session = newSession();
    await bot().start(session, { lang: "FR" });
    expect(await bot().ask("welcome", { session })).toBe(await shippedText("fr", "welcome"));
    await bot().start(session, { lang: "fr", headers: ["X-Inbenta-Source: kiosk"] });
    expect(await bot().ask("welcome", { session, headers: ["X-Afterword-Locale: en"] })).toBe(
      "at the kiosk",
    );
    await bot().start(session, { lang: "fr" });
    expect(await bot().ask("welcome", { session, headers: ["X-Afterword-Locale: en"] })).toBe(
      "in French",
    );
  });
});

describe("variants", () => {
  const variants = ["A {{query}}", "B", "C"];
  const bot = botOf({
    own: { en: `no-results: { variants: ${JSON.stringify(variants)} }\n` },
    instances: ["name: a, match: {}"],
  });

  it("stay the same when a client sends the same message again", async () => {
    for (const message of ["shoes", "socks", "hats"]) {
      const asked = { session: newSession(), body: { message } };
      const first = await bot().ask("no-results", asked);
      for (let retry = 0; retry < 5; retry++) {
        expect(await bot().ask("no-results", asked)).toBe(first);
      }
    }
  });

  it("are all used, over the messages of many conversations", async () => {
    const texts = new Set<string>();
    for (let turn = 0; turn < 40; turn++) {
      texts.add(await bot().ask("no-results", { session: newSession(), body: { message: "x" } }));
    }
    expect([...texts].toSorted()).toEqual(["A \u2068x\u2069", "B", "C"]);
  });

  it("that lack a value leave the word to the next", async () => {
    for (let turn = 0; turn < 20; turn++) {
      const asked = { session: newSession(), body: { message: "x", option: 1 } };
      expect(await bot().ask("no-results", asked)).toMatch(/^[BC]$/);
    }
  });
});

describe("plural forms", () => {
  const forms = (categories: string): string =>
    categories
      .split(" ")
      .map((category) => `${category}: "${category} {{count}}"`)
      .join(", ");
  const own = (categories: string): string =>
    `multiple-options: { text: plain, plural: { ${forms(categories)} } }\n`;
  const bot = botOf({
    own: {
      ar: own("zero one two few many other"),
      pl: own("one few many other"),
      ru: own("one few many other"),
      ja: own("other"),
      cs: own("one other"),
    },
    instances: ["name: a, match: {}"],
  });

  it.each([
    ["ar", 1, "one 1"],
    ["ar", 2, "two 2"],
    ["ar", 3, "few 3"],
    ["ar", 10, "few 10"],
    ["ar", 11, "many 11"],
    ["ar", 100, "other 100"],
    ["ar", 103, "few 103"],
    ["pl", 1, "one 1"],
    ["pl", 2, "few 2"],
    ["pl", 5, "many 5"],
    ["pl", 12, "many 12"],
    ["pl", 22, "few 22"],
    ["ru", 1, "one 1"],
    ["ru", 3, "few 3"],
    ["ru", 11, "many 11"],
    ["ru", 21, "one 21"],
    ["ja", 1, "other 1"],
    ["ja", 7, "other 7"],
    ["cs", 1, "one 1"],
    ["cs", 3, "other 3"],
    ["ar", 0, "plain"],
    ["pl", 0, "plain"],
  ])("are chosen by the number of options: %s, %i", async (tag, options, text) => {
    const headers = [`X-Afterword-Locale: ${tag}`];
    const answer = await bot().ask("multiple-options", { headers, options });
    expect(answer.replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660))).toBe(
      text,
    );
  });

  it("keep the engine's text where there is no other", async () => {
    expect(await bot().ask("some-new-flag")).toBe(ENGINE);
  });
});
