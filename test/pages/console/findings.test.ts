import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { describe, expect, test } from "vitest";
import { sayFinding, sayLeft, sayRefusal, sayStep } from "../../../src/pages/console/findings.ts";
import {
  describeOmission,
  OMISSION_CODES,
} from "../../../src/backend/content/import/imported/omissions.ts";
import { nameLine, toCamel, type Words } from "../../../src/pages/console/words.ts";
import { createReporter } from "../../../src/yaml/diagnostic.ts";
import { createSource } from "../../../src/yaml/source.ts";
import { parseYaml } from "../../../src/yaml/yaml.ts";
import { directionOf, LANGUAGES } from "../../../src/pages/shared/words.ts";

const read = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

/** Parsed once: most tests read the same languages. */
const known = new Map<string, Words>();

function wordsIn(language: string): Words {
  const words = known.get(language) ?? readWords(language);
  known.set(language, words);
  return words;
}

function readWords(language: string): Words {
  const { console, findings } = parse(read(`locales/pages/${language}.yaml`));
  return { ...console, ...findings };
}

/** Every code that a check may report: those of diagnostics, and the Worker's own. */
const codes = [
  ...(read("src/yaml/diagnostic.ts")
    .match(/export type DiagnosticCode =([^;]*);/)?.[1]
    ?.matchAll(/"([\w-]+)"/g) ?? []),
]
  .map(([, code = ""]) => code)
  .concat("placeholder-alone");

/**
 * The reports of the sources, with each code's values, so that its sentence can be tested alone.
 */
const parameters = {
  "unknown-placeholder": { placeholder: "{{qery}}" },
  "broken-placeholder": { text: "{{a b}}" },
  "single-brace": { text: "{query}", meant: "{{query}}" },
  "plural-missing": { language: "ar", forms: "few, many" },
  "plural-unused": { language: "fr", form: "two" },
  norway: { text: "no" },
  "hidden-line": { bots: "shop", replace: "defaultContent: …", inactive: "inactive" },
  "condition-unknown": { name: "fax" },
  "condition-covered": {},
  markup: { tag: "<b>" },
  "markup-as-text": {},
  "value-in-tag": { placeholder: "{{query}}", beginning: "https://shop.example/?q=" },
  "invisible-character": { character: "U+200B" },
  "inherited-markup": { channels: "sms" },
  "wrong-script": { language: "ru" },
  "same-as-english": { language: "fr" },
  "placeholder-differs": { language: "en", missing: "{{name}}", added: "–" },
  "placeholder-alone": {},
  "source-changed": {},
  "missing-table": { language: "fr" },
  "missing-key": { name: "welcome" },
  "unknown-key": { name: "txet" },
  "unknown-flag": { name: "welcom" },
  "renamed-flag": { old: "conversation-link", name: "related-title" },
  duplicate: { name: "welcome" },
  "empty-text": {},
  encoding: {},
  environment: { name: "API_KEY" },
  "ambiguous-phrase": { phrase: "bien" },
  "csv-quotes": { row: 12, column: "B (Answer)" },
  "guessed-encoding": { encoding: "windows-1252" },
  "file-empty": {},
  "file-locked": {},
  workbook: { kind: "XLSX" },
  "not-contents": { kind: "PDF", columns: "question, answer" },
  archive: {},
  json: {},
  "sheet-empty": {},
  "sheet-columns": { columns: "question, answer", names: "Name, Ort" },
  "sheet-cells": { row: 12, column: "D", columns: 3 },
  "sheet-language": { row: 12, column: "C (Language)", text: "klingon", example: "fr, pt-BR" },
  "webhook-refused": { host: "forms.example" },
  "form-goes-nowhere": { setting: "ticket: false", key: "webhook" },
  more: { count: 3 },
} as const;

/** Every refusal that people meet in the page, with the values of its sentence. */
const refusals = [
  ...(read("src/gateway/console/refusals.ts")
    .match(/const REFUSALS = \{([\s\S]*?)\n\} as const/)?.[1]
    ?.matchAll(/^ {2}"?([\w-]+)"?: \[/gm) ?? []),
].map(([, name = ""]) => name);
const values = {
  label: "eva",
  languages: "fr, pt-BR",
  language: "de",
  file: "messages/fr.yaml",
  code: "EACCES",
  why: "other files have changed",
  setting: "credentials: …",
  command: "afterword backend init",
};

/** The sentence of a code with its places as they are. */
const describeCode = (code: string): string => describeOmission({ code, params: {} } as never);

/** Files with one mistake each, by the name of its sentence. */
const mistakes = [
  ["tab", "nlu:\n\t- intent: a\n"],
  ["blank", "nlu:\n\u00a0 - intent: a\n"],
  ["open", 'nlu:\n- intent: "a\n- intent: b\n'],
  ["unquoted", "responses:\n  utter_a:\n  - text: Hours: nine to five\n"],
  ["colon", "nlu:\n- intent: a\n  examples\n  b: c\n"],
  ["indent", "nlu:\n   a: b\n  c: d\n"],
  ["indent", "nlu:\n- intent: a\n  - b\n"],
  ["hyphen", "- \n *x\n  d: e\n"],
  ["documents", "nlu: []\n---\nnlu: []\n"],
] as const;

const english = { message: "only English", hint: "Do this." } as const;

describe("findings", () => {
  test.each(LANGUAGES)("have words for every code in %s", (language) => {
    const words = wordsIn(language);
    expect(codes.length).toBeGreaterThan(50);
    for (const code of codes) {
      const params = Object.hasOwn(parameters, code) ? Reflect.get(parameters, code) : undefined;
      const sentence = sayFinding({ code, ...english, ...(params && { params }) }, words, language);
      expect([code, sentence]).toEqual([
        code,
        {
          text: expect.any(String),
          english: params === undefined ? "only English. Do this." : null,
        },
      ]);
    }
  });

  test.each(LANGUAGES)("say mistakes of spelling in YAML in %s", (language) => {
    const words = wordsIn(language);
    for (const [mistake, text] of mistakes) {
      const reporter = createReporter();
      parseYaml(createSource("nlu.yml", text), reporter);
      const [found] = reporter.diagnostics();
      expect(found).toMatchObject({ params: { mistake } });
      const sentence = found && sayFinding(found, words, language);
      expect([mistake, sentence]).toEqual([
        mistake,
        { text: expect.not.stringMatching(/[{}]\w|undefined/), english: null },
      ]);
    }
  });

  test.each(LANGUAGES)("have words for every refusal in %s", (language) => {
    const words = wordsIn(language);
    expect(refusals.length).toBeGreaterThan(20);
    for (const name of refusals) {
      expect([name, sayRefusal(name, values, words, language)]).toEqual([name, expect.any(String)]);
    }
  });

  test.each(LANGUAGES)(
    "have words for every part that an import leaves behind in %s",
    (language) => {
      const words = wordsIn(language);
      const values = {
        ...{ row: 12, column: "B (Answer)", text: "Gift cards?", other: 3, count: 2 },
        line: "no-results",
      };
      expect(OMISSION_CODES.length).toBeGreaterThan(30);
      for (const code of OMISSION_CODES) {
        // A sentence has the values that the importers give, and no others.
        const places = [...describeCode(code).matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
        const params = Object.fromEntries(places.map((name) => [name, Reflect.get(values, name)]));
        const { text, english: rest } = sayLeft(
          code,
          { why: "only English", params },
          words,
          language,
        );
        expect([code, text, rest]).toEqual([code, expect.any(String), null]);
        for (const name of places)
          if (name !== "line") expect(text).toContain(String(params[name]));
      }
    },
  );

  test("of an import are the same in English on the command line and in the page", () => {
    const { findings } = parse(read("locales/pages/en.yaml"));
    for (const code of OMISSION_CODES) {
      expect(Reflect.get(findings, toCamel(`left-${code}`))).toBe(describeCode(code));
    }
  });

  test("name the line that an import's part should become", () => {
    const left = { why: "only English", params: { line: "welcome" } };
    const text = sayLeft("line", left, wordsIn("en"), "en").text;
    expect(text).toContain(`“${nameLine(wordsIn("en"), "welcome")}”`);
  });

  test("are translated by values, and name languages in the page's own", () => {
    const french = wordsIn("fr");
    const qery = {
      code: "unknown-placeholder",
      params: { placeholder: "{{qery}}", guess: "query" },
    };
    expect(sayFinding({ ...english, ...qery }, french, "fr")).toEqual({
      text: "Rien ne remplit le champ {{qery}}. Vouliez-vous dire «\u00a0query\u00a0»\u202f?",
      english: null,
    });
    const script = { code: "wrong-script", params: { language: "de" } };
    expect(sayFinding({ ...english, ...script }, french, "fr").text).toBe(
      "Ce texte n’est pas écrit dans l’alphabet de la langue (allemand).",
    );
  });

  test.each(LANGUAGES)("end with what to do about them in %s", (language) => {
    const words = wordsIn(language);
    const remedies = {
      "unknown-placeholder": "findingListVariables",
      "value-in-tag": "findingBetweenTags",
      "hidden-line": "findingSayLine",
      "form-goes-nowhere": "findingFormReceiver",
    };
    for (const [code, name] of Object.entries(remedies)) {
      const params = Reflect.get(parameters, code);
      const { text } = sayFinding({ code, ...english, params }, words, language);
      const isolated = directionOf(language) === "rtl";
      const remedy = String(Reflect.get(words, name));
      const filled = remedy.replaceAll(/\{(\w+)\}/g, (_, place: string) => {
        const value = String(params[place]);
        return isolated ? `\u2068${value}\u2069` : value;
      });
      expect(text?.endsWith(` ${filled}`), `${code}: ${text}`).toBe(true);
    }
  });

  test("stay in English where a code has no words, or a value is missing", () => {
    const french = wordsIn("fr");
    const alone = { text: null, english: "only English. Do this." };
    expect(sayFinding({ code: "of-tomorrow", ...english }, french, "fr")).toEqual(alone);
    expect(sayFinding({ code: "markup", ...english }, french, "fr")).toEqual(alone);
  });
});

test("the doctor's steps and remedies are said in every language", () => {
  const base = { ok: true, detail: "of English", cure: null, code: null } as const;
  const steps = [
    { ...base, step: "token", params: { address: "https://api.example", bot: "shop" } },
    { ...base, step: "discovery", params: {} },
    { ...base, step: "conversation", params: { language: "fr" } },
    { ...base, step: "message", params: { flags: "welcome", text: "Bonjour" } },
  ] as const;
  const remedies = {
    key: {},
    address: { setting: "upstream.auth" },
    connection: { settings: "HTTPS_PROXY" },
    "no-chatbot": { setting: "upstream.apis.chatbot" },
    "token-refused": { setting: "upstream.auth" },
    "default-content": { replace: "replace", inactive: "inactive" },
    created: { setting: "created" },
  };
  for (const language of LANGUAGES) {
    const words = wordsIn(language);
    for (const step of steps) {
      const { found } = sayStep(step, words, language);
      expect([language, step.step, found]).toEqual([
        language,
        step.step,
        { text: expect.any(String), english: null },
      ]);
    }
    for (const [code, params] of Object.entries(remedies)) {
      const failed = { ...steps[0], ok: false, cure: "of English", code, params };
      const { found, cure } = sayStep(failed, words, language);
      expect([found.english, cure]).toEqual([
        "of English",
        { text: expect.any(String), english: null },
      ]);
    }
  }
});
