import fc from "fast-check";
import { expect, test } from "vitest";
import { createReporter } from "../../../src/yaml/diagnostic.ts";
import { editMessages, removeText } from "../../../src/config/edit/messages.ts";
import { readMessages } from "../../../src/config/load/read-messages.ts";
import { createSource } from "../../../src/yaml/source.ts";
import {
  type Branch,
  type Formats,
  type TextPart,
  listLineTexts,
  formatTextId,
  parseTextId,
  type TextEdit,
} from "../../../src/config/load/message-texts.ts";
import { anyText } from "../translation/any-text.ts";
import { runs } from "../../fixtures/runs.ts";

const LINE: Branch = { kind: "line" };
const VOICE: Branch = { kind: "channel", name: "voice" };
const PRODUCTION: Branch = { kind: "when", fields: [["env", "production"]], nth: 0 };
const TEXT: TextPart = { kind: "text" };
const PLAIN: Formats = { line: null, branch: null };

function edit(
  key: string,
  branch: Branch,
  part: TextPart,
  text: string,
  formats = PLAIN,
): TextEdit {
  return { address: { key, branch, part }, text, formats };
}

/** All texts of a messages file, by id. */
function textsOf(text: string): Record<string, string> {
  const reporter = createReporter();
  const file = readMessages(createSource("f", text), "fr", "own", reporter);
  expect(reporter.diagnostics()).toEqual([]);
  const texts = [...(file?.lines ?? [])].flatMap(([key, line]) => [...listLineTexts(key, line)]);
  return Object.fromEntries(texts.map(({ address, text }) => [formatTextId(address), text]));
}

const FILE = `# Head comment

welcome:   "Bonjour"   # said first
# about nothing
no-results:
    text: >-
      Rien
      trouvé
    channels: {voice: 'Rien', chat: {text: "<b>Rien</b>", format: html}}


    when:
    - {env: production, text: Rien ici}
no-question: { variants: [a,   b] }
end-form:
  plural:
    one: "{{count}} envoi"
    other: |
      {{count}} envois
# tail
`;

test("every text has a name that does not depend on shorthand or order", () => {
  expect(textsOf(FILE)).toEqual({
    welcome: "Bonjour",
    "no-results": "Rien trouvé",
    "no-results.channels.voice": "Rien",
    "no-results.channels.chat": "<b>Rien</b>",
    "no-results.when[env=production]": "Rien ici",
    "no-question.variants[0]": "a",
    "no-question.variants[1]": "b",
    "end-form.plural.one": "{{count}} envoi",
    "end-form.plural.other": "{{count}} envois\n",
  });
  const when = `[{ userType: 3, env: "a,b", text: x }, { env: "a,b", userType: 3, text: y }]`;
  expect(Object.keys(textsOf(`welcome: { channels: { a.b: z }, when: ${when} }\n`))).toEqual([
    'welcome.channels["a.b"]',
    'welcome.when[env="a,b",userType=3]',
    'welcome.when[env="a,b",userType=3]#2',
  ]);
});

test("an address is parsed from its id, and by no other spelling of it", () => {
  const names = [
    ...Object.keys(textsOf(FILE)).map((id) => [id.split(".")[0]!, id] as const),
    ["welcome", 'welcome.channels["a.b"].variants[2]'],
    ["welcome", 'welcome.when[env="a,b",userType=3]#2.plural.few'],
    ["welcome", 'welcome.when[lang="]\\"=",variables.plan=gold]'],
    ["escalation.offer", "escalation.offer.channels.voice"],
  ] as const;
  for (const [key, id] of names) {
    const address = parseTextId(key, id);
    expect([id, address && formatTextId(address)]).toEqual([id, id]);
  }
  expect(parseTextId("welcome", "welcome.when[userType=3]")?.branch).toMatchObject({
    fields: [["userType", 3]],
  });
  for (const id of [
    "no-results",
    "welcome.",
    "welcome.plural.lots",
    "welcome.when[]",
    "welcome.when[colour=red]",
    "welcome.when[userType=3,env=a]",
    "welcome.when[env=a]#1",
    'welcome.channels["voice"]',
    "welcome.variants[01]",
    "welcome.variants[1].text",
  ]) {
    expect([id, parseTextId("welcome", id)]).toEqual([id, null]);
  }
});

test("a removed text takes the parts with it that mean nothing without it; comments stay", () => {
  let file = FILE;
  const ids = Object.keys(textsOf(FILE)).filter((id) => id !== "end-form.plural.other");
  const gone = (id: string): void => {
    const address = parseTextId(id.split(".")[0]!, id)!;
    const { [id]: _, ...rest } = textsOf(file);
    file = removeText(file, "fr", address)!;
    expect(Object.values(textsOf(file))).toEqual(Object.values(rest));
  };
  for (const id of ids.filter((one) => /variants|channels|when/.test(one)).toReversed()) gone(id);
  expect(file).toBe(
    `# Head comment

welcome: "Bonjour" # said first
# about nothing
no-results:
  text: >-
    Rien trouvé
end-form:
  plural:
    one: "{{count}} envoi"
    other: |
      {{count}} envois

# tail
`,
  );
  for (const id of ["end-form.plural.one", "no-results", "welcome"]) gone(id);
  // The rest would not be a messages file.
  const both = 'end-form: { plural: { one: "1", other: "2" } }\n';
  expect(removeText(both, "fr", parseTextId("end-form", "end-form.plural.other")!)).toBeNull();
  expect(removeText(both, "fr", parseTextId("welcome", "welcome")!)).toBeNull();
  const shared = "welcome: { text: &a Salut, channels: { voice: *a } }\n";
  expect(removeText(shared, "fr", parseTextId("welcome", "welcome")!)).toBeNull();
});

test("a replaced text changes nothing else in the file, and a new line goes to its end", () => {
  const edited = editMessages(FILE, "fr", [
    edit("welcome", LINE, TEXT, "Salut"),
    edit("no-results", LINE, TEXT, "Rien du tout"),
    edit("no-results", VOICE, TEXT, "Rien !"),
    edit("no-results", PRODUCTION, TEXT, "Rien en production"),
    edit("no-question", LINE, { kind: "variant", index: 1 }, "c"),
    edit("end-form", LINE, { kind: "plural", category: "other" }, "des envois"),
    edit("refinement", LINE, TEXT, "Précisez: oui"),
  ]);
  expect(edited).toBe(
    FILE.replace('"Bonjour"', '"Salut"')
      .replace(">-\n      Rien\n      trouvé", '"Rien du tout"')
      .replace("'Rien'", '"Rien !"')
      .replace("Rien ici", '"Rien en production"')
      .replace("a,   b", 'a,   "c"')
      .replace("|\n      {{count}} envois", '"des envois"')
      .concat('refinement: "Précisez: oui"\n'),
  );
});

test("a file of comments, and an empty one, take lines at their end", () => {
  const edits = [edit("welcome", LINE, TEXT, "Salut")];
  expect(editMessages("# only\n#welcome: x", "fr", edits)).toBe(
    '# only\n#welcome: x\nwelcome: "Salut"\n',
  );
  expect(editMessages("", "fr", edits)).toBe('welcome: "Salut"\n');
  expect(editMessages("# a\r\n", "fr", edits)).toBe('# a\r\nwelcome: "Salut"\r\n');
});

test("new channels, conditions, variants and plurals find their place, and comments stay", () => {
  const edited = editMessages(FILE, "fr", [
    edit("welcome", VOICE, TEXT, "Allô", { line: null, branch: "text" }),
    edit("welcome", PRODUCTION, TEXT, "Bonjour !"),
    edit("no-results", { kind: "channel", name: "sms" }, TEXT, "Rien"),
    edit("no-question", LINE, { kind: "variant", index: 2 }, "c"),
    edit("end-form", LINE, { kind: "plural", category: "many" }, "{{count}} d’envois"),
    edit("refinement", VOICE, { kind: "variant", index: 0 }, "x", { line: "text", branch: null }),
  ]);
  expect(textsOf(edited ?? "")).toEqual({
    ...textsOf(FILE),
    "welcome.channels.voice": "Allô",
    "welcome.when[env=production]": "Bonjour !",
    "no-results.channels.sms": "Rien",
    "no-question.variants[2]": "c",
    "end-form.plural.many": "{{count}} d’envois",
    "refinement.channels.voice.variants[0]": "x",
  });
  for (const comment of ["# Head comment", "# said first", "# about nothing", "# tail"]) {
    expect(edited).toContain(comment);
  }
  expect([...(edited ?? "").matchAll(/^[a-z-]+(?=:)/gm)].map(([key]) => key)).toEqual([
    "welcome",
    "no-results",
    "no-question",
    "end-form",
    "refinement",
  ]);
  expect(edited).toMatch(/voice:\n\s+format: text\n\s+text: "Allô"/);
});

test("a line under a flag's old name is found", () => {
  const edited = editMessages("conversation-link: x\n", "fr", [
    edit("follow-up-question", LINE, TEXT, "y"),
  ]);
  expect(edited).toBe('conversation-link: "y"\n');
});

test.each([
  ["an anchor that others use", "welcome: &a Salut\nend-form: *a\n"],
  ["an alias of a mapping", "end-form: &a { text: x }\nwelcome: *a\n"],
  ["a file that is not valid", "welcom: x\n"],
  ["no YAML", "welcome: [\n"],
])("%s leaves no way to edit", (_, file) => {
  expect(editMessages(file, "fr", [edit("welcome", LINE, TEXT, "y")])).toBeNull();
});

test("a variant behind a gap, and a plural without its other, are refused", () => {
  const variant = edit("welcome", LINE, { kind: "variant", index: 1 }, "b");
  const plural = edit("welcome", LINE, { kind: "plural", category: "one" }, "b");
  expect(editMessages("", "fr", [variant])).toBeNull();
  expect(editMessages("", "fr", [plural])).toBeNull();
});

test("any text comes back from the file as it went in, wherever it goes", () => {
  const branches: [string, Branch, TextPart][] = [
    ["welcome", LINE, TEXT],
    ["refinement", LINE, TEXT],
    ["no-results", VOICE, TEXT],
    ["no-results", PRODUCTION, TEXT],
    ["welcome", VOICE, TEXT],
    ["end-form", LINE, { kind: "plural", category: "other" }],
    ["no-question", LINE, { kind: "variant", index: 0 }],
  ];
  fc.assert(
    fc.property(
      fc.subarray(branches, { minLength: 1 }),
      fc.array(anyText, { minLength: 7, maxLength: 7 }),
      fc.boolean(),
      (chosen, texts, crlf) => {
        const file = crlf ? FILE.replaceAll("\n", "\r\n") : FILE;
        const edits = chosen.map(([key, branch, part], index) =>
          edit(key, branch, part, texts[index]!),
        );
        const expected = edits.map(({ address, text }) => [formatTextId(address), text]);
        const edited = editMessages(file, "fr", edits);
        expect(edited).not.toBeNull();
        // As it will be read: from bytes.
        const read = new TextDecoder("utf-8", { fatal: true }).decode(
          new TextEncoder().encode(edited!),
        );
        expect(textsOf(read)).toEqual({ ...textsOf(FILE), ...Object.fromEntries(expected) });
      },
    ),
    { numRuns: runs(300) },
  );
});

test("the words that a file adds stay", () => {
  const words = "words:\n  yes: [ça roule]   # ours\n  no:\n    - nenni";
  const edited = editMessages(words, "fr", [edit("welcome", LINE, TEXT, "Salut")]);
  expect(edited).toBe(`${words}\nwelcome: "Salut"\n`);
  const voice = editMessages(`${words}\n`, "fr", [edit("welcome", VOICE, TEXT, "Salut")]);
  expect(voice).toContain("yes: [ ça roule ] # ours");
  expect(voice).toContain("- nenni");
});

test("a replaced block of lines keeps the line endings of the file", () => {
  const edited = editMessages("welcome: |-\r\n  Hello\r\nno-results: None\r\n", "fr", [
    edit("welcome", LINE, TEXT, "Bonjour"),
  ]);
  expect(edited).toBe('welcome: "Bonjour"\r\nno-results: None\r\n');
});
