// Suite: slow
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse as parseCsv } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { findMarkupFault } from "../../src/locales/markup.ts";
import { findPackageRoot } from "../../src/config/load/package-root.ts";
import { parsePlaceholders } from "../../src/config/compile/placeholders.ts";
import { workspace } from "../config/workspace.ts";
import { anyText } from "../config/translation/any-text.ts";
import { afterword, type Said } from "./terminal.ts";
import { runs } from "../fixtures/runs.ts";

const CONFIG = `version: 1
upstream: embedded
instances: [{ name: shop, created: 2018-06-01, variables: [name], channels: { v: voice, w: whatsapp } }]
messages: { fallback: { default: en } }
`;

const EN = `welcome: "Hi {{name}}"
no-results:
  text: 'Nothing for "{{query}}"'
  channels:
    voice: I found nothing
    whatsapp: { text: "Nothing for {{query}}", format: text }
  when: [ { env: production, userType: 3, text: "Nothing, agent" } ]
no-question:
  variants: [ "Yes?", "What is it?" ]
end-form:
  plural: { one: "One form sent", other: "{{count}} forms sent" }
`;

const FR = `# yaml-language-server: $schema=../schema/messages.schema.json
# The French texts.
welcome:   Salut {{name}}  # short
end-form: "Envoyé"
`;

interface Bot {
  readonly directory: string;
  run(...argv: string[]): Promise<Said>;
  /** Imports rows of locale, key and target, given as CSV below its header. */
  bring(rows: string, ...argv: string[]): Promise<Said>;
  read(locale: string): Promise<string>;
}

async function bot(files: Record<string, string> = {}, config = CONFIG): Promise<Bot> {
  const own = { "messages/en.yaml": EN, "messages/fr.yaml": FR };
  const directory = await workspace({ "afterword.yaml": config, ...own, ...files });
  const named = ["--config", join(directory, "afterword.yaml")];
  const run = (...argv: string[]): Promise<Said> => afterword(["messages", ...argv, ...named]);
  return {
    directory,
    run,
    bring: (rows, ...argv) =>
      afterword(["messages", "import", "-", ...argv, ...named], {
        input: `locale,key,target\n${rows}\n`,
      }),
    read: (locale) => readFile(join(directory, "messages", `${locale}.yaml`), "utf8"),
  };
}

async function exported(
  { run }: Bot,
  ...argv: string[]
): Promise<Record<string, Record<string, string>>> {
  const { out } = await run("export", ...argv);
  const rows: Record<string, string>[] = parseCsv(out, { columns: true, bom: true });
  return Object.fromEntries(rows.map((row) => [`${row["locale"]} ${row["key"]}`, row]));
}

test("an export has the source, the target, and the owner of the target", async () => {
  const rows = await exported(await bot(), "--locale", "fr");
  expect(rows["fr welcome"]).toEqual({
    locale: "fr",
    key: "welcome",
    origin: "own",
    source: "Hi {{name}}",
    target: "Salut {{name}}",
    comment: "First message of a conversation.",
  });
  expect(rows["fr no-results"]).toMatchObject({
    origin: "shipped",
    source: 'Nothing for "{{query}}"',
    target: expect.stringMatching(/rien trouvé/),
  });
  expect(rows["fr no-results.channels.voice"]).toMatchObject({
    origin: "",
    source: "I found nothing",
    target: "",
    comment: "No intent found. Only through the channel voice.",
  });
  expect(rows["fr no-results.when[env=production,userType=3]"]).toMatchObject({
    source: "Nothing, agent",
  });
  expect(rows["fr no-question.variants[1]"]).toMatchObject({ source: "What is it?" });
  expect(rows["fr refinement"]).toMatchObject({ origin: "shipped" });
});

test("a plural is exported in the forms of the language it is translated into", async () => {
  const rows = await exported(await bot(), "--locale", "ar,ja", "--locale", "pl");
  const formsOf = (locale: string): readonly string[] =>
    Object.keys(rows)
      .filter((name) => name.startsWith(`${locale} end-form.plural.`))
      .map((name) => name.replace(/.*\./, ""));
  expect(formsOf("ar")).toEqual(["zero", "one", "two", "few", "many", "other"]);
  expect(formsOf("ja")).toEqual(["other"]);
  expect(formsOf("pl")).toEqual(["one", "few", "many", "other"]);
  expect(rows["ar end-form.plural.few"]?.["source"]).toBe("{{count}} forms sent");
  expect(rows["ar end-form.plural.one"]?.["source"]).toBe("One form sent");
});

test("all languages with texts are exported unless some are named, the default one never by itself", async () => {
  const rows = Object.keys(
    await exported(await bot({ "messages/cy.yaml": "welcome: Helo {{name}}\n" })),
  );
  const locales = new Set(rows.map((name) => name.split(" ")[0]));
  expect(locales).toContain("fr");
  expect(locales).toContain("zh-Hant");
  expect(locales).toContain("cy");
  expect(locales).not.toContain("en");
});

test("an export goes to a file, and over another only when forced", async () => {
  const { directory, run } = await bot();
  const out = join(directory, "texts.csv");
  expect(await run("export", "--locale", "fr", "--bom", "--out", out)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^\d+ texts in 1 language, written to /),
  });
  const first = await readFile(out, "utf8");
  expect(first.startsWith('\uFEFF"locale"')).toBe(true);
  await writeFile(out, "a translator's work");
  expect(await run("export", "--locale", "fr", "--out", out)).toMatchObject({ code: 1, out: "" });
  expect(await readFile(out, "utf8")).toBe("a translator's work");
  expect((await run("export", "--locale", "fr", "--out", out, "--force")).code).toBe(0);
  expect(await readFile(out, "utf8")).toBe(first.slice(1));
});

test.each([
  [["export", "--locale", "xq"], 'no language is known by the tag "xq"'],
  [["export", "--locale", "french"], 'Did you mean "fr"?'],
  [["export", "--format", "po"], "--format is csv or xliff"],
  [["export", "--dry-run"], "Unknown option '--dry-run'"],
  [["export", "--instance", "shp"], 'there is no instance "shp". Did you mean "shop"?'],
  [["import"], "name a CSV or XLIFF file"],
  [["imprt"], 'say export or import, not "imprt"'],
  [[], "say export or import"],
])("unusable arguments are one line: %j", async (argv, message) => {
  const { directory } = await bot();
  const named = argv[0] === "export" || argv[0] === "import";
  const config = named ? ["--config", join(directory, "afterword.yaml")] : [];
  const { code, out, error } = await afterword(["messages", ...argv, ...config]);
  expect([code, out]).toEqual([2, ""]);
  expect(error).toContain(message);
  expect(error.trimEnd()).not.toContain("\n");
});

test.each(["csv", "xliff"])(
  "an export that comes back as it was changes nothing: %s",
  async (format) => {
    const one = await bot();
    const file = join(one.directory, "texts");
    expect((await one.run("export", "--format", format, "--out", file)).code).toBe(0);
    const { code, out, error } = await one.run("import", file);
    expect([code, error]).toEqual([0, ""]);
    expect(out).toMatch(/^fr: 0 new, 0 changed, \d+ as before, \d+ not translated$/m);
    expect(await one.read("fr")).toBe(FR);
    expect(await readdir(join(one.directory, "messages"))).toEqual(["en.yaml", "fr.yaml"]);
  },
);

test("an import writes what changed, and keeps the comments, the order and every other line", async () => {
  const one = await bot();
  const { code, out, error } = await one.bring(
    [
      "fr,welcome,Bonjour {{name}}",
      "fr,end-form,Envoyé",
      "fr,refinement,Précisez",
      "ja,refinement,詳しく",
    ].join("\n"),
  );
  expect([code, error]).toEqual([0, ""]);
  expect(await one.read("fr")).toBe(
    `${FR.replace("Salut {{name}}", '"Bonjour {{name}}"')}refinement: "Précisez"\n`,
  );
  expect(await one.read("ja")).toMatch(
    /^# yaml-language-server: \$schema=\.\.\/schema\/messages\.schema\.json\n#\n# .*Japanese.*\nrefinement: "詳しく"\n$/,
  );
  expect(out).toMatch(
    /^fr: 0 new, 2 changed, 1 as before, 0 not translated \(written to .*fr\.yaml\)$/m,
  );
});

test("translated channels, conditions, variants and plurals keep the properties that define them", async () => {
  // The backend's content is checked along with the texts.
  const content = join(findPackageRoot(), "config", "backend");
  const one = await bot({}, `${CONFIG}backend: { content: ${JSON.stringify(content)} }\n`);
  const { code, error } = await one.bring(
    [
      "fr,no-results.channels.whatsapp,Rien pour {{query}}",
      'fr,"no-results.when[env=production,userType=3]",Rien',
      "fr,no-question.variants[0],Oui ?",
      "fr,no-question.variants[1],Pardon ?",
      "pl,end-form.plural.one,Wysłano formularz",
      "pl,end-form.plural.few,Wysłano {{count}} formularze",
      "pl,end-form.plural.many,Wysłano {{count}} formularzy",
      "pl,end-form.plural.other,Wysłano {{count}} formularza",
    ].join("\n"),
  );
  expect([code, error]).toEqual([0, ""]);
  const fr = await one.read("fr");
  expect(fr).toMatch(/whatsapp:\n\s+format: text\n\s+text: "Rien pour {{query}}"/);
  expect(fr).toMatch(/- env: production\n\s+userType: 3\n\s+text: "Rien"/);
  expect(fr).toMatch(/variants:\n\s+- "Oui \?"\n\s+- "Pardon \?"/);
  expect(fr).toContain("# The French texts.");
  const check = await afterword(["check", "--config", join(one.directory, "afterword.yaml")]);
  expect(check.out).toContain("0 errors");
  const rows = await exported(one, "--locale", "pl");
  expect(rows["pl end-form.plural.many"]).toMatchObject({
    origin: "own",
    target: "Wysłano {{count}} formularzy",
  });
});

test("a dry run shows old and new, and writes nothing", async () => {
  const one = await bot();
  const { code, out } = await one.bring(
    "fr,welcome,Bonjour {{name}}\u202E\nfr,refinement,Précisez\nfr,no-results.channels.voice,Rien",
    "--dry-run",
  );
  expect(code).toBe(0);
  expect(out).toContain('welcome\n  - "Salut {{name}}"\n  + "Bonjour {{name}}\\u202e"\n');
  expect(out).toMatch(/refinement\n {2}- ".*" {2}\(Afterword's\)\n {2}\+ "Précisez"\n/);
  expect(out).toContain('no-results.channels.voice\n  + "Rien"\n');
  expect(out).toMatch(/^fr: 1 new, 2 changed, 0 as before, 0 not translated \(would go to /m);
  expect(await one.read("fr")).toBe(FR);
});

test.each([
  ["fr,welcom,Salut", 2, "unknown-key", 'fr has no text "welcom". Did you mean "welcome"?'],
  [
    "fr,no-results.channels.vioce,Rien",
    2,
    "unknown-key",
    'Did you mean "no-results.channels.voice"?',
  ],
  ["xq,welcome,Salut", 2, "unknown-locale", 'no language is known by the tag "xq"'],
  ["__proto__,welcome,Salut", 2, "unknown-locale", "no language is known"],
  ["fr,__proto__,Salut", 2, "unknown-key", 'fr has no text "__proto__"'],
  [",welcome,Salut", 2, "unknown-locale", 'the tag ""'],
  ["fr,welcome,", 2, "empty-text", "welcome: this is empty"],
  ['fr,refinement,Oui\nfr,welcome,"  "', 3, "empty-text", "welcome: this is empty"],
  [
    "fr,welcome,Salut",
    2,
    "placeholder-differs",
    "{{name}} of the text it is translated from is missing: put it into the text, or write this text into the language's file by hand",
  ],
  [
    "fr,welcome,Salut {{nam}}",
    2,
    "unknown-placeholder",
    'nothing fills the placeholder {{nam}}. Did you mean "name"?',
  ],
  ["fr,welcome,Salut {{name}", 2, "broken-placeholder", '"{{name" is no placeholder'],
  ["fr,welcome,Salut {{na me}} {{name}}", 2, "broken-placeholder", '"{{na me}}" is no placeholder'],
  ["fr,welcome,<b>Salut {{name}}", 2, "markup", "<b> is never closed"],
  [
    "fr,welcome,A {{name}}\nfr,welcome,B {{name}}",
    3,
    "duplicate",
    "welcome in fr stands in this file twice",
  ],
  [
    "fr,no-question.variants[1],Oui ?",
    2,
    "missing-key",
    "no-question.variants[1] needs a text for no-question.variants[0] too",
  ],
  [
    "pl,end-form.plural.one,Jeden",
    2,
    "missing-key",
    "end-form.plural.one needs a text for end-form.plural.other too",
  ],
  [
    "pl,end-form.plural.few,Kilka\npl,end-form.plural.other,{{count}}",
    2,
    "placeholder-differs",
    "{{count}}",
  ],
])(
  "an import with a fault is refused as a whole, with its line: %j",
  async (rows, line, code, message) => {
    const one = await bot();
    const { code: exit, out, error } = await one.bring(`${rows}\nja,refinement,詳しく`);
    expect([exit, out]).toEqual([1, ""]);
    expect(error).toMatch(new RegExp(`^-:${line}:1: error: .*\\[${code}\\]$`, "m"));
    expect(error).toContain(message);
    expect(error).toMatch(/nothing was written\n$/);
    expect(await one.read("fr")).toBe(FR);
    expect(await readdir(join(one.directory, "messages"))).toEqual(["en.yaml", "fr.yaml"]);
  },
);

test("all faults are reported at once", async () => {
  const one = await bot();
  const { error } = await one.bring("fr,welcom,x\nxq,welcome,x\nfr,welcome,x");
  expect(error.match(/: error: /g)).toHaveLength(3);
});

test("a fault in XLIFF is named by its unit and line", async () => {
  const one = await bot();
  const file = join(one.directory, "fr.xlf");
  await one.run("export", "--locale", "fr", "--format", "xliff", "--out", file);
  const text = await readFile(file, "utf8");
  const broken = text.replace(/<target>Salut .*<\/target>/, "<target>Salut</target>");
  await writeFile(file, broken);
  const line = broken.slice(0, broken.indexOf('<trans-unit id="welcome"')).split("\n").length;
  const { code, error } = await one.run("import", file);
  expect(code).toBe(1);
  expect(error).toContain(`${file}:${line}:7: error: welcome: {{name}} of the text`);
});

test("an old translation of a text that has changed since is taken with a warning", async () => {
  const one = await bot();
  const file = join(one.directory, "fr.xlf");
  await one.run("export", "--locale", "fr", "--format", "xliff", "--out", file);
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replace("Salut ", "Bonjour "));
  await writeFile(join(one.directory, "messages", "en.yaml"), EN.replace("Hi ", "Hello "));
  const { code, error } = await one.run("import", file);
  expect(code).toBe(0);
  expect(error).toMatch(
    /warning: welcome: the text it was translated from has changed since .*\[source-changed\]/,
  );
  expect(await one.read("fr")).toContain("Bonjour");
});

test("an own file's own line breaks and name stay", async () => {
  const one = await bot({ "messages/pt-br.yml": "welcome: Oi {{name}}\r\n" });
  expect((await one.bring("pt-BR,welcome,Olá {{name}}\npt_br,refinement,Mais?")).error).toBe("");
  const names = await readdir(join(one.directory, "messages"));
  expect(names).toEqual(["en.yaml", "fr.yaml", "pt-br.yml"]);
  expect(await readFile(join(one.directory, "messages", "pt-br.yml"), "utf8")).toBe(
    'welcome: "Olá {{name}}"\r\nrefinement: "Mais?"\r\n',
  );
});

test("a file whose anchors other texts share is left alone", async () => {
  const one = await bot({ "messages/de.yaml": "welcome: &a Hallo {{name}}\nend-form: *a\n" });
  const { code, error } = await one.bring("de,welcome,Servus {{name}}");
  expect(code).toBe(1);
  expect(error).toContain("anchors");
  expect(await one.read("de")).toBe("welcome: &a Hallo {{name}}\nend-form: *a\n");
});

test("instances with texts in different places have to be named", async () => {
  const config = `version: 1
upstream: embedded
instances:
  - { name: a, match: { apiKey: a }, created: 2018-06-01, messages: { dir: ./a } }
  - { name: b, created: 2018-06-01, messages: { dir: ./b } }
  - { name: c, match: { apiKey: c }, created: 2018-06-01, messages: { use: [shipped] } }
`;
  const one = await bot({ "a/en.yaml": "welcome: A\n", "b/en.yaml": "welcome: B\n" }, config);
  const refused = await one.bring("fr,welcome,Salut");
  expect(refused).toMatchObject({
    code: 2,
    error: expect.stringContaining("--instance (a, b, c)"),
  });
  expect((await one.bring("fr,welcome,Salut", "--instance", "b")).error).toBe("");
  expect(await readFile(join(one.directory, "b", "fr.yaml"), "utf8")).toContain('"Salut"');
  expect(await readdir(join(one.directory, "a"))).toEqual(["en.yaml"]);
  const shipped = await one.bring("fr,welcome,Salut", "--instance", "c");
  expect(shipped).toMatchObject({ code: 2, error: expect.stringContaining("no texts of its own") });
});

test("a configuration or file that can't be read is reported as check reports it", async () => {
  const broken = await bot({}, "version: 1\nupstrem: embedded\n");
  expect(await broken.run("export")).toMatchObject({ code: 1, out: "" });
  expect((await broken.run("export")).error).toContain("[unknown-key]");
  const one = await bot({ "latin1.csv": "" });
  await writeFile(
    join(one.directory, "latin1.csv"),
    Buffer.from("locale,key,target\nfr,welcome,\xe9\n", "latin1"),
  );
  expect((await one.run("import", join(one.directory, "latin1.csv"))).error).toMatch(
    /latin1\.csv:2:\d+: error: .*\[encoding\]/,
  );
  expect((await one.run("import", join(one.directory, "none.csv"))).error).toContain(
    "[unreadable]",
  );
  expect((await one.run("import", one.directory)).error).toContain("is a directory");
});

test("any texts go from one bot to another through either format, byte for byte", async () => {
  const from = await bot({ "messages/en.yaml": "" });
  const to = await bot({ "messages/en.yaml": "" });
  // Broken braces and tags are refused, as they should be.
  const sound = anyText.filter(
    (text) => parsePlaceholders(text).broken.length === 0 && findMarkupFault(text) === null,
  );
  const texts = fc.record({
    welcome: sound,
    refinement: fc.record({
      text: sound,
      variants: fc.array(sound, { minLength: 1, maxLength: 3 }),
    }),
    "no-results": fc.record({ text: sound, channels: fc.record({ voice: sound }) }),
    "end-form": fc.record({ plural: fc.record({ one: sound, other: sound }) }),
  });
  await fc.assert(
    fc.asyncProperty(texts, fc.constantFrom("csv", "xliff"), async (lines, format) => {
      await writeFile(
        join(from.directory, "messages", "fr.yaml"),
        stringify(lines, { lineWidth: 0, defaultStringType: "QUOTE_DOUBLE" }),
      );
      await writeFile(join(to.directory, "messages", "fr.yaml"), "# nothing yet\n");
      // The receiving bot has the same lines, with other texts.
      const file = join(from.directory, "texts");
      expect(
        await from.run("export", "--locale", "fr", "--format", format, "--out", file, "--force"),
      ).toMatchObject({ code: 0 });
      const shape = stringify({
        refinement: { text: "x", variants: lines.refinement.variants.map(() => "x") },
        "no-results": { text: "x", channels: { voice: "x" } },
        "end-form": { plural: { one: "x", other: "x" } },
      });
      await writeFile(join(to.directory, "messages", "en.yaml"), shape);
      const { code, error } = await to.run("import", file);
      expect({ code, errors: error.match(/.*: error: .*/g) }).toEqual({ code: 0, errors: null });
      expect(parse(await to.read("fr"))).toEqual(lines);
    }),
    { numRuns: runs(30) },
  );
});

/** Imports XLIFF of French units, as `original` and `language` say. */
async function bringXliff(
  units: string,
  { original = "messages/fr.yaml", language = "fr" } = {},
): Promise<{ readonly result: Said; readonly shop: Bot }> {
  const shop = await bot();
  const file = join(shop.directory, "b.xlf");
  const text = `<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
<file original="${original}" source-language="en" target-language="${language}" datatype="plaintext"><body>
${units}
</body></file></xliff>`;
  await writeFile(file, text);
  return { result: await shop.run("import", file), shop };
}

test("targets that say they are not translated are counted, and written nowhere", async () => {
  const { result, shop } = await bringXliff(
    '<trans-unit id="welcome"><source>Hi {{name}}</source><target state="new">Hi {{name}}</target></trans-unit>' +
      '<trans-unit id="end-form.plural.one"><source>One form sent</source><target state="needs-translation">One form sent</target></trans-unit>',
  );
  expect(result.out).toBe("fr: 0 new, 0 changed, 0 as before, 2 not translated\n");
  expect(await shop.read("fr")).toBe(FR);
});

test.each([
  ["fr-FR", "messages/fr.yaml", "fr"],
  ["fr-BE", "messages/fr.yaml", "fr"],
  ["pt-PT", "messages/pt.yaml", "pt"],
  ["nb-NO", "x.yaml", "no"],
  ["zh-CN", "x.yaml", "zh"],
  ["zh-TW", "x.yaml", "zh-Hant"],
  ["es-ES", "x.yaml", "es"],
])(
  "a translator's tool that wrote %s for %s means %s, and the import says so",
  async (language, original, locale) => {
    const unit = '<trans-unit id="no-question.variants[0]"><target>Bonjour…</target></trans-unit>';
    const { result, shop } = await bringXliff(unit, { original, language });
    expect(result.error).toContain(`these texts are for ${language}, and go to ${locale}`);
    expect(result.code).toBe(0);
    expect(await shop.read(locale)).toContain("Bonjour…");
  },
);

test("texts for a region that has none of its own go to a new file, with a warning", async () => {
  const shop = await bot();
  const { code, error } = await shop.bring("de-AT,no-results,Nichts zu {{query}}.");
  expect(code).toBe(0);
  expect(error).toContain("de-AT gets texts of its own, which readers of de do not see");
  expect(await shop.read("de-AT")).toContain("Nichts zu");
  // Now it is known.
  expect((await shop.bring("de-AT,no-results,Nichts zu {{query}}!")).error).toBe("");
});

test("tags that a platform has unescaped belong to the text, and lost ones are named", async () => {
  const { result, shop } = await bringXliff(
    '<trans-unit id="welcome"><target>Salut <b><ph id="n">{{name}}</ph></b> !</target></trans-unit>',
  );
  expect(result.code).toBe(0);
  expect(await shop.read("fr")).toContain("Salut <b>{{name}}</b> !");
});

test.each([
  ['&lt;ph id="name-1" ctype="x-placeholder"&gt;{{name}}&lt;/ph&gt;'],
  ['&lt;g id="1"&gt;{{name}}&lt;/g&gt;'],
  ['&amp;lt;bpt id="1"&amp;gt;&amp;lt;/bpt&amp;gt;{{name}}'],
])("codes that a platform has escaped are taken off: %s", async (written) => {
  const { result, shop } = await bringXliff(
    `<trans-unit id="welcome"><target>Salut ${written} !</target></trans-unit>`,
  );
  expect(result.code).toBe(0);
  expect(await shop.read("fr")).toContain("Salut {{name}} !");
});

test("an escaped code that holds nothing is an error", async () => {
  const { result, shop } = await bringXliff(
    '<trans-unit id="welcome"><target>Salut {{name}}&lt;x id="1"/&gt; !</target></trans-unit>',
  );
  expect(result.code).toBe(1);
  expect(result.error).toContain('welcome: "<x id="1"/>" is a code of the translator');
  expect(await shop.read("fr")).toBe(FR);
});

test.each([
  ["plain spaces", (text: string) => text.replaceAll(/[\u00a0\u202f]/gu, " ")],
  ["decomposed letters", (text: string) => text.normalize("NFD")],
  ["straight apostrophes", (text: string) => text.replaceAll("’", "'")],
  ["wider spaces", (text: string) => text.replaceAll(". ", ".  ")],
])("texts that come back with %s are not changed, and are counted", async (_, change) => {
  const shop = await bot({ "messages/fr.yaml": "welcome: Salut\n" });
  const file = join(shop.directory, "o.csv");
  expect((await shop.run("export", "--locale", "fr", "--out", file)).code).toBe(0);
  const text = await readFile(file, "utf8");
  const [header = "", ...rows] = text.split("\r\n");
  await writeFile(file, [header, change(rows.join("\r\n"))].join("\r\n"));
  const { code, out } = await shop.run("import", file);
  expect(code).toBe(0);
  expect(out).toMatch(
    /^fr: 0 new, 0 changed, \d+ as before \(\d+ but for spaces or normalization\)/,
  );
  expect(await shop.read("fr")).toBe("welcome: Salut\n");
});

test("a translator who adds no-break spaces has changed the text", async () => {
  const shop = await bot({ "messages/fr.yaml": 'end-form: "Envoyé !"\n' });
  expect((await shop.bring("fr,end-form,Envoyé\u00a0!")).out).toContain("1 changed");
  expect(await shop.read("fr")).toContain("Envoyé\u00a0!");
});
