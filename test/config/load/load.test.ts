// Suite: slow
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DEFAULT_ESCALATION } from "../../../src/config/escalation-config.ts";
import { loadConfig } from "../../../src/config/load/load.ts";
import { matchInstances } from "../../../src/config/match.ts";
import { findPackageRoot } from "../../../src/config/load/package-root.ts";
import { TICKETING_MEDIA_TYPES } from "../../../src/config/schema/media-types.ts";
import { load, MINIMAL, spoken, workspace } from "../workspace.ts";

describe("the shipped configuration", () => {
  const file = join(findPackageRoot(), "config", "afterword.yaml");

  test("loads without a warning and speaks every shipped locale", async () => {
    const config = await loadConfig(file, { env: {} });
    expect(config.warnings).toEqual([]);
    expect(config.instances.map(({ name }) => name)).toEqual(["shop", "modern"]);
    const [tables] = config.tableSets;
    expect(Object.keys(tables?.channels[""] ?? {})).toEqual(
      expect.arrayContaining(["ar", "de", "en", "es", "fr", "ja", "pt-BR", "zh-Hant"]),
    );
    expect(config.tableSets).toHaveLength(1);
  });

  test("its two instances show the default-content rule", async () => {
    const config = await loadConfig(file, { env: {} });
    const [shop, modern] = config.instances;
    expect(shop?.rules.activeDefaultContent).toEqual([]);
    expect(modern?.rules.activeDefaultContent.toSorted()).toEqual([
      "all-options-discarded",
      "no-results",
      "welcome",
    ]);
    expect(modern?.rules.recognize).toEqual({ "no results": "no-results" });
    const ask = (apiKey: string) =>
      matchInstances(config, { apiKey, host: null, path: "/" })[0]?.name;
    expect([ask("demo-key"), ask("demo-modern"), ask("other")]).toEqual([
      "shop",
      "modern",
      undefined,
    ]);
  });

  test("its paths are absolute and lie beside it", async () => {
    const config = await loadConfig(file, { env: {} });
    const directory = join(findPackageRoot(), "config");
    expect(config.data).toBe(join(directory, ".afterword"));
    expect(config.backend).toEqual({
      content: join(directory, "backend"),
      database: join(directory, ".afterword", "backend.db"),
      wire: "deployed",
      webhooks: [],
      knowledge: { emptySearch: 404, logIp: false, logUserAgent: false },
      mail: null,
      ticketing: { mediaTypes: TICKETING_MEDIA_TYPES },
    });
    expect(config.sources).toEqual(
      expect.arrayContaining([
        file,
        join(directory, "messages"),
        join(findPackageRoot(), "locales", "en.yaml"),
      ]),
    );
  });

  test("the vendor's example loads too", async () => {
    const example = join(findPackageRoot(), "config", "examples", "vendor.yaml");
    const config = await loadConfig(example, { env: {} });
    expect(config.warnings).toEqual([]);
    expect(config.upstream).toMatchObject({
      auth: "https://api.example.com",
      allow: [".example.com"],
    });
    expect(matchInstances(config, { apiKey: null, host: null, path: "/" })[0]?.name).toBe("my-bot");
  });

  test("every commented line of the owner's files is valid once its # is gone", async () => {
    for (const locale of ["en", "fr"]) {
      const written = await readFile(
        join(findPackageRoot(), "config", "messages", `${locale}.yaml`),
        "utf8",
      );
      const lines = written.split("\n").filter((line) => /^# ?(?:[a-z-]+:| {2,}|$)/.test(line));
      const text = lines
        .map((line) => line.replace(/^# ?/, ""))
        .filter((line) => !line.includes("$schema"));
      const config = await load({
        "afterword.yaml": `${MINIMAL}instances: [{ name: a, created: 2018-06-01, variables: [name] }]\n`,
        [`messages/${locale}.yaml`]: text.join("\n"),
      });
      const line = config.tableSets[0]?.channels[""]?.[locale]?.lines["welcome"]?.[0];
      expect(line?.origin).toBe("own");
    }
  });
});

describe("loadConfig", () => {
  test("gives frozen data that survives JSON", async () => {
    const config = await load({ "afterword.yaml": MINIMAL });
    expect(JSON.parse(JSON.stringify(config))).toEqual(config);
    const frozen = (value: unknown): boolean =>
      typeof value !== "object" ||
      value === null ||
      (Object.isFrozen(value) && Object.values(value).every(frozen));
    expect(frozen(config)).toBe(true);
  });

  test("fills in every default", async () => {
    const config = await load({ "afterword.yaml": MINIMAL });
    expect(config).toMatchObject({
      listen: { host: "127.0.0.1", port: 8787, trustProxies: [], publicUrl: null, tls: null },
      acceptLanguage: false,
      state: { store: "memory", retention: 30 * 24 * 3_600_000 },
      escalation: DEFAULT_ESCALATION,
      insights: null,
      callers: [],
      limits: {
        transformBytes: 1_048_576,
        requestBytes: 10_485_760,
        inFlight: 512,
        queue: 128,
        streams: 10_000,
      },
    });
    expect(config.instances).toMatchObject([
      { name: "default", match: {}, language: "en", channel: "", history: "engine", tableSet: 0 },
    ]);
  });

  test("warns when a vendor's instance does not say when it was created", async () => {
    const vendor = "version: 1\nupstream: { auth: https://api.example.com }\n";
    const config = await load({ "afterword.yaml": vendor });
    expect(config.warnings).toEqual([
      expect.stringMatching(/afterword\.yaml:1:1: created is not set/),
    ]);
    expect(config.instances[0]?.rules.activeDefaultContent).toEqual([]);
  });

  test("needs no day of creation for a bot of the embedded backend, which sends every flag", async () => {
    const config = await load({ "afterword.yaml": MINIMAL });
    expect(config.warnings).toEqual([]);
    expect(config.instances[0]?.rules.activeDefaultContent).toEqual([]);
  });

  test("reads environment variables, keeps $${ literal, and never expands a value again", async () => {
    const config = await load(
      {
        "afterword.yaml": `${MINIMAL}listen: { host: "\${HOST}", port: "\${PORT}" }
instances: [{ name: "\${A} $\${B}", created: 2018-06-01, match: { apiKey: "\${KEY}" } }]\n`,
      },
      { HOST: "::1", PORT: "0", A: "${B}: *x", KEY: "0123" },
    );
    expect(config.listen).toMatchObject({ host: "::1", port: 0 });
    expect(config.instances[0]).toMatchObject({ name: "${B}: *x ${B}", match: { apiKey: "0123" } });
  });

  test("compiles an instance's own settings", async () => {
    const config = await load(
      {
        "afterword.yaml": `${MINIMAL}instances:
  - name: a
    match: { host: Bot.Example.com, pathPrefix: /a/ }
    language: pt-br
    created: 2018-10-01
    defaultContent: { welcome: inactive, all-options-discarded: replace }
    recognize: { no-results: [" No Results "], conversation-link: [Bye] }
    restoreFlags: true
    channel: web
    channels: { WhatsApp-Bot: whatsapp }
    format: { default: html, whatsapp: text }
    variables: [Name]
    history: shown
    escalation: { mode: signal, triggers: { noResults: 3 } }
    credentials: { secret: "\${S}", room: 7 }
`,
      },
      { S: "s3cret" },
    );
    const [instance] = config.instances;
    expect(instance).toMatchObject({
      match: { host: "bot.example.com", pathPrefix: "/a/" },
      language: "pt-BR",
      channels: { "whatsapp-bot": "whatsapp" },
      formats: { "": "html", whatsapp: "text" },
      variables: ["name"],
      history: "shown",
      escalation: { mode: "signal", triggers: { noResults: 3, errors: 0 } },
      credentials: { secret: "s3cret", room: 7, apiKey: null },
    });
    expect(instance?.rules).toEqual({
      activeDefaultContent: expect.arrayContaining(["no-results", "all-options-discarded"]),
      recognize: { "no results": "no-results", bye: "follow-up-question" },
      restoreFlags: true,
      replace: {
        "all-options-discarded": [expect.stringMatching(/nenhuma das opções/)],
      },
    });
    expect(instance?.rules.activeDefaultContent).not.toContain("welcome");
  });
});

function withRest(rest: string): Record<string, string> {
  const instance = `{ name: a, created: 2018-06-01, ${rest} }`;
  return { "afterword.yaml": `${MINIMAL}instances: [${instance}]\n` };
}

test("a messages directory may be absolute", async () => {
  const directory = await workspace({ "en.yaml": "welcome: Elsewhere\n" });
  const config = await load({ "afterword.yaml": `${MINIMAL}messages: { dir: ${directory} }\n` });
  expect(spoken(config.tableSets[0], "en", "welcome")[0]).toBe("own en Elsewhere");
  expect(config.sources).toContain(join(directory, "en.yaml"));
});

describe("the hash", () => {
  const base = { "afterword.yaml": `${MINIMAL}instances: [{ name: a, created: 2018-06-01 }]\n` };

  test("changes with a text, and not with a comment or the directory", async () => {
    const one = await load({ ...base, "messages/en.yaml": "welcome: Hi\n" });
    const same = await load({ ...base, "messages/en.yaml": "# hello\nwelcome:   'Hi'\n" });
    const other = await load({ ...base, "messages/en.yaml": "welcome: Hi!\n" });
    expect(same.hash).toBe(one.hash);
    expect(other.hash).not.toBe(one.hash);
    expect(one.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  test("changes with a rule, and not with a credential", async () => {
    const one = await load(withRest("credentials: { secret: '${S}' }"), { S: "1" });
    const other = await load(withRest("credentials: { secret: '${S}' }"), { S: "2" });
    const rule = await load(withRest("restoreFlags: true, credentials: { secret: '${S}' }"), {
      S: "1",
    });
    expect(other.hash).toBe(one.hash);
    expect(rule.hash).not.toBe(one.hash);
  });
});

describe("sharing", () => {
  test("instances with equal messages share one copy of them, wherever the equal files lie", async () => {
    const instances = ["a", "b", "c", "d"].map(
      (name) => `  - { name: ${name}, created: 2018-06-01, messages: { dir: ${name} } }\n`,
    );
    const config = await load({
      "afterword.yaml": `${MINIMAL}instances:\n${instances.join("")}  - { name: e, created: 2018-06-01 }\n`,
      "a/en.yaml": "welcome: Hi\n",
      "b/en.yaml": "# another comment\nwelcome: Hi\n",
      "c/en.yaml": "welcome: Hi there\n",
      "d/fr.yaml": "welcome: Salut\n",
    });
    expect(config.instances.map(({ tableSet }) => tableSet)).toEqual([0, 0, 1, 2, 3]);
    const [first, second] = config.tableSets;
    // The owner's English line can't be reached from a complete French one, so the table is the
    // very same.
    expect(first?.channels[""]?.["fr"]?.lines["welcome"]).toBe(
      second?.channels[""]?.["fr"]?.lines["welcome"],
    );
    expect(config.instances[0]?.upstream).toBe(config.instances[3]?.upstream);
  });

  test("a thousand owners with one line each do not copy the tables that they do not change", async () => {
    const count = 1000;
    const files: Record<string, string> = { "locales/en.yaml": "welcome: Hello\nend-form: Done\n" };
    for (const locale of ["de", "es", "fr", "it", "ja"]) {
      files[`locales/${locale}.yaml`] = `welcome: ${locale} welcome\nend-form: ${locale} done\n`;
    }
    let instances = "";
    for (let number = 0; number < count; number++) {
      files[`m/${number}/en.yaml`] = `welcome: Hello from ${number}\n`;
      instances += `  - { name: n${number}, created: 2018-06-01, messages: { dir: m/${number} } }\n`;
    }
    const config = await load({ ...files, "afterword.yaml": `${MINIMAL}instances:\n${instances}` });
    expect(config.tableSets).toHaveLength(count);
    const tables = new Set(
      config.tableSets.flatMap((set) => Object.values(set.channels[""] ?? {})),
    );
    expect(tables.size).toBe(count + 5);
  });
});

test("the package's root is found from a built file as well", async () => {
  const directory = await workspace({
    "package.json": "{}",
    "locales/en.yaml": "welcome: Hi\n",
    "dist/locales/other.js": "",
    "dist/config/load.js": "",
  });
  expect(findPackageRoot(`file://${directory}/dist/config/load.js`)).toBe(directory);
});
