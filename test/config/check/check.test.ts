import { join } from "node:path";
import { expect, test } from "vitest";
import { coverageOf } from "../../../src/config/check/coverage.ts";
import { checkConfig } from "../../../src/config/check/check.ts";
import { findPackageRoot } from "../../../src/config/load/package-root.ts";
import { createRewriter } from "../../../src/gateway/rewriter/rewriter.ts";
import { workspace } from "../workspace.ts";

/**
 * Findings of a check as `code line:column`, with the message behind it; not those about the
 * shipped tables.
 */
async function findings(
  messages: Record<string, string>,
  instances = "{ name: a, created: 2018-06-01, variables: [name], channels: { v: voice } }",
  rest = "",
): Promise<readonly string[]> {
  const directory = await workspace({
    "afterword.yaml": `version: 1\nupstream: embedded\ninstances: [${instances}]\n${rest}`,
    "locales/en.yaml": "welcome: Hello, how can I help?\nno-results: Nothing found, sorry\n",
    "locales/fr.yaml": "welcome: Bonjour\n",
    ...Object.fromEntries(
      Object.entries(messages).map(([name, text]) => [`messages/${name}.yaml`, text]),
    ),
  });
  const { diagnostics, config } = await checkConfig(join(directory, "afterword.yaml"), {
    env: {},
    shipped: join(directory, "locales"),
  });
  expect(config).not.toBeNull();
  return diagnostics
    .filter(({ file }) => !file.startsWith(join(directory, "locales")))
    .map(({ code, line, column, message }) => `${code} ${line}:${column} ${message}`);
}

test("the shipped configuration is clean", async () => {
  const file = join(findPackageRoot(), "config", "afterword.yaml");
  expect((await checkConfig(file, { env: {} })).diagnostics).toEqual([]);
});

test("good texts are clean", async () => {
  const found = await findings({
    en: 'welcome: "Hi {{name}}<br>Ask <b>me</b> <i>any<em>thing</em></i> < 5 & more"\nend-form: OK\n',
    fr: 'welcome: "Salut {{name}} <b>!</b>"\nend-form: OK\n',
    ja: "end-form: フォームを送信しました。OK\nwelcome: 'こんにちは {{name}} https://example.com/long/address'\n",
    ru: "end-form: Форма отправлена\n",
  });
  expect(found).toEqual([]);
});

test.each([
  ["<b>bold", "<b> is never closed"],
  ["bold</b>", "</b> closes nothing"],
  ["<b><i>x</b></i>", "<i> is still open where </b> stands"],
  ["<a href='x'>x", "<a> is never closed"],
])("markup that does not close is found: %s", async (text, message) => {
  expect(await findings({ en: `welcome: "${text}"\n` })).toEqual([`markup 1:10 ${message}`]);
});

test.each([
  ["<a href='{{query}}'>x</a>", "{{query}} begins the address in href, and is percent-encoded"],
  ["<img src={{name}}>", "{{name}} begins the address in src"],
  ["<a onclick='f({{query}})'>x</a>", "{{query}} stands in onclick, where every value is"],
  ["<b style='color: {{name}}'>x</b>", "{{name}} stands in style, where every value is"],
  ["<b {{query}}>x</b>", "{{query}} stands in a tag, but in no attribute"],
  ["<script>f('{{query}}')</script>", "{{query}} stands in <script>, where a reader could write"],
  ["<b>x</b><STYLE>b { {{name}} }</STYLE>", "{{name}} stands in <style>, where a reader could"],
])("a value that a browser cannot use where it stands is found: %s", async (text, message) => {
  expect(await findings({ en: `welcome: "${text}"\n` })).toEqual([
    expect.stringContaining(`value-in-tag 1:10 ${message}`),
  ]);
});

test("values in addresses, in other attributes and between tags are clean", async () => {
  const link =
    '<a href="https://shop.example/{{name}}?q={{query}}" title="{{query}}">{{query}}</a><script>f()</script>{{query}}';
  expect(await findings({ en: `welcome: '${link}'\n` })).toEqual([]);
});

test("tags in a plain text are found, and those a plain channel inherits", async () => {
  const plain = "{ name: a, created: 2018-06-01, format: { default: html, voice: text } }";
  const en = 'welcome: "<b>Hi</b>"\nend-form: { text: "<b>x</b>", channels: { voice: x } }\n';
  expect(await findings({ en }, plain)).toEqual([
    "inherited-markup 1:10 the channel voice shows plain text and inherits these tags",
  ]);
  const all = "{ name: a, created: 2018-06-01, format: text }";
  expect(await findings({ en: 'welcome: "<b>Hi</b>"\n' }, all)).toEqual([
    expect.stringContaining("markup-as-text 1:10 tags stand in a text that is shown as plain text"),
  ]);
});

test("texts that still are English, or in another script, are found", async () => {
  const found = await findings({
    fr: "welcome: 'HELLO — how can I help!'\n",
    ja: "end-form: The form was sent\n",
    ar: "end-form: { variants: [أُرسل النموذج, Form sent] }\n",
    zh: "end-form: 表单已发送\n",
  });
  expect(found).toEqual([
    expect.stringMatching(/^wrong-script 1:39 .*script of ar$/),
    expect.stringMatching(/^same-as-english 1:10 /),
    expect.stringMatching(/^wrong-script 1:11 .*script of ja$/),
  ]);
});

test("a text of one word with millions of letters is checked at once", async () => {
  const long = (unit: string): string => unit.repeat(900_000 / unit.length);
  const found = await findings({
    fr: `welcome: '${long("a")}'\n`,
    de: `welcome: '${long("<")} a@b.example'\n`,
  });
  expect(found).toEqual([]);
});

test("placeholders that differ from the owner's default language are found", async () => {
  const found = await findings({
    en: 'welcome: "Hi {{name}}"\nend-form: "x {{query}}"\n',
    fr: 'welcome: Salut\nend-form: "y {{query}} {{date}}"\n',
  });
  expect(found).toEqual([
    "placeholder-differs 1:10 compared with en, this text lacks {{name}}",
    "placeholder-differs 2:11 compared with en, this text adds {{date}}",
  ]);
});

test("conditions and channels that nothing reaches are found", async () => {
  const found = await findings({
    en: `welcome:
  text: x
  channels: { voise: a, voice: b }
  when:
    - { instance: b, text: a }
    - { channel: vioce, text: a }
    - { variables.nmae: x, text: a }
    - { env: production, text: a }
    - { env: production, userType: 1, text: a }
    - { userType: 1, text: a }
`,
  });
  expect(found.map((line) => line.replace(/;.*?\./, ""))).toEqual([
    'condition-unknown 3:15 no instance speaks through the channel "voise" Did you mean "voice"?',
    expect.stringContaining('condition-unknown 5:19 there is no instance "b"'),
    expect.stringMatching(/^condition-unknown 6:18 .*"vioce".*"voice"/),
    expect.stringMatching(/^condition-unknown 7:25 .*"nmae".*"name"/),
    expect.stringContaining("condition-covered 9:7 this is never said: an earlier condition fits"),
  ]);
});

test("lines that active default content hides are found, whether or not its title is known", async () => {
  const en = "no-results: x\nwelcome: y\nend-form: z\n";
  const found = await findings(
    { en },
    "{ name: a, created: 2019-01-01, recognize: { no-results: [N] } }",
  );
  expect(found).toEqual([
    expect.stringMatching(/^hidden-line 1:1 default content is active on a,/),
    expect.stringMatching(/^hidden-line 2:1 default content is active on a,/),
  ]);
  const other = await findings(
    { en },
    "{ name: a, created: 2019-01-01, match: { apiKey: x } }, { name: b, created: 2018-01-01 }",
  );
  expect(other).toEqual([]);
});

const engineAnswer = {
  message: "We have nothing.",
  messageList: ["We have nothing."],
  flags: [],
  attributes: { inbMainTitle: "No Results" },
};

test("a line that default content hides is reported as soon as the advice is followed", async () => {
  const files = async (settings: string): Promise<string> => {
    const directory = await workspace({
      "afterword.yaml": `version: 1\nupstream: { auth: https://api.example.com }\ninstances:\n  - name: a\n    created: 2021-05-01\n${settings}`,
      "messages/en.yaml": "no-results: Nothing here, try other words.\n",
    });
    return join(directory, "afterword.yaml");
  };
  const before = await checkConfig(await files(""), { env: {} });
  const [finding] = before.diagnostics;
  expect(finding).toMatchObject({
    code: "hidden-line",
    severity: "warning",
    params: {
      bots: "a",
      replace: expect.stringMatching(/^defaultContent: .* recognize: /),
      inactive: "defaultContent: { no-results: inactive }",
    },
  });
  // The first way that the advice names, line by line as it can be pasted.
  const [, replace, recognize] =
    /Write (defaultContent: \{.*?\}) and (recognize: \{.*?\})/.exec(finding?.hint ?? "") ?? [];
  const followed = await files(`    ${replace}\n    ${recognize}\n`);
  const { config, diagnostics } = await checkConfig(followed, { env: {} });
  expect(diagnostics).toEqual([]);
  expect(config).not.toBeNull();
  if (config === null) return;
  const body = new TextEncoder().encode(JSON.stringify({ answers: [engineAnswer] }));
  const rewritten = createRewriter({ config }).rewrite(body, { locale: "en" });
  expect(JSON.parse(new TextDecoder().decode(rewritten.body))).toEqual({
    answers: [
      {
        ...engineAnswer,
        message: "Nothing here, try other words.",
        messageList: ["Nothing here, try other words."],
      },
    ],
  });
  expect(coverageOf(config)[0]?.states["no-results"]?.["en"]).toBe("own");
  expect(coverageOf(config)[0]?.states["welcome"]?.["en"]).toBe("never");
});

test.each([
  ["language: mt", true],
  ["language: fr", false],
  ["language: mt, recognize: { no-results: [Xejn] }", false],
])(
  "default content that is to be replaced, with %s, is known by nothing: %s",
  async (known, found) => {
    const at = "defaultContent: { no-results: replace }";
    const all = await findings({}, `{ name: a, created: 2021-01-01, ${known}, ${at} }`);
    const never = all.filter((line) => line.includes("the default content of no-results"));
    expect(never).toEqual(found ? [expect.stringMatching(/^never-fires 3:89 /)] : []);
  },
);

test.each([
  ["{}", "{ apiKey: k }", true],
  ["{ apiKey: k }", "{ apiKey: k, host: h }", true],
  ["{ host: h }", "{ host: 'h:80' }", true],
  ["{ pathPrefix: /a }", "{ pathPrefix: /a/b }", true],
  ["{ pathPrefix: / }", "{ pathPrefix: /a/b, apiKey: k }", true],
  ["{ apiKey: k }", "{ apiKey: k }", true],
  ["{ apiKey: k }", "{}", false],
  ["{ host: 'h:80' }", "{ host: h }", false],
  ["{ pathPrefix: /a }", "{ pathPrefix: /ab }", false],
  ["{ apiKey: k }", "{ apiKey: l }", false],
])(
  "an instance that matches %s before one that matches %s shadows it: %s",
  async (one, other, shadowed) => {
    const instances = [one, other].map(
      (match, index) => `{ name: n${index}, created: 2018-06-01, match: ${match} }`,
    );
    const found = await findings({}, instances.join(", "));
    expect(found.some((line) => line.includes('no request reaches "n1"'))).toBe(shadowed);
  },
);

test("an unquoted no is found wherever it stands", async () => {
  const found = await findings(
    { en: "end-form: no\n" },
    "{ name: a, created: 2018-06-01 }",
    'messages: { fallback: { chains: { no: [en], "no-x-a": ["no"] } } }\n',
  );
  expect(found.filter((line) => line.startsWith("norway"))).toEqual([
    expect.stringContaining("norway 4:35 "),
    expect.stringContaining("norway 1:11 "),
  ]);
});

test("plural categories that a language needs or never uses are found", async () => {
  const found = await findings({
    pl: "multiple-options: { plural: { one: jeden, other: inne } }\n",
    ja: "multiple-options: { plural: { one: 一つ, other: 複数 } }\n",
    ar: "multiple-options: { plural: { other: أخرى } }\n",
    fr: "multiple-options: { plural: { one: un, other: des } }\n",
  });
  expect(found).toEqual([
    expect.stringMatching(/^plural-missing 1:21 ar also has the plural one, two, few, many, zero/),
    expect.stringMatching(/^plural-unused 1:31 ja has no plural "one"/),
    expect.stringMatching(/^plural-missing 1:21 pl also has the plural few, many/),
  ]);
});

test("a tag of an unknown language is a warning", async () => {
  expect(await findings({ notes: "welcome: x\n" })).toEqual([
    'unknown-locale 1:1 no language is known by the tag "notes"',
  ]);
});
