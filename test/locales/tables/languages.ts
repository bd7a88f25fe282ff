import { readdirSync, readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import { LOCALES } from "../../../src/locales/shipped.ts";

const folder = new URL("../languages/", import.meta.url);
const regex = z.string().transform((source) => new RegExp(source, "u"));
const typed = z.array(z.string().min(1)).min(2).optional();

/**
 * What `../languages/<tag>.yaml` says about a shipped language. Every key may be left out, and so
 * may the file; the defaults are those of English. The comment on top of each table says why.
 */
const languageSchema = z.strictObject({
  /** Marks that a text may contain, besides letters, digits, blanks and quotes. */
  marks: z.string().default(".,?!:-"),
  /** Quotation marks: the opening one, then the closing one. */
  quotes: z
    .string()
    .regex(/^..$/u)
    .default("“”")
    .transform((pair) => [pair.slice(0, 1), pair.slice(1)] as const),
  /** The marks that end a sentence. Empty for none. */
  sentenceEnds: z.string().default(".?!"),
  /** How a question ends. */
  question: regex.default(/\?$/u),
  /** The mark that ends the heading of related contents. Empty for none. */
  titleEnd: z.string().default(":"),
  /** False if the language has no blanks between words. */
  blanks: z.boolean().default(true),
  /** A form that readers fill in, as the texts call it. */
  form: regex.default(/form/u),
  /** Words of the language in another script. */
  loans: regex.default(/(?!)/u),
  /** Words that are spelled like English ones and belong to the language. */
  shared: z.string().default(""),
  /** Letters and words that are common mistakes in this language. */
  never: z
    .array(
      z.strictObject({
        what: regex,
        why: z.string(),
        /** True if only lines, not the pages' buttons and labels, must keep to it. */
        linesOnly: z.boolean().default(false),
      }),
    )
    .default([]),
  /** The language's one word for a thing. */
  terms: z.strictObject({ ticket: regex, chat: regex, agent: regex }),
  /** Correct words that the dictionary of the language lacks. */
  spelled: z.string().default(""),
  /** Keys whose text may be longer than 1.6 times the English one, with the reason. */
  longer: z.record(z.string(), z.string().regex(/\S/u)).default({}),

  // Texts that readers of the language type, and their meaning. Needed if the language has a file
  // in locales/recognition.
  yes: typed,
  no: typed,
  /** Leaves a form. */
  cancel: typed,
  /** Contains such a word, but means something else. */
  neither: typed,
  /** Begins with words that would leave a form, and continues. */
  changedMind: z.array(z.string()).min(1).optional(),
  /** After a yes: two limits, and a question without a mark. No such message is a yes. */
  afterYes: z.tuple([z.string(), z.string(), z.string()]).optional(),
  asksForPerson: typed,
  /** Contains words for a person, but means something else. */
  asksForNobody: typed,
});

export interface LanguageFacts extends z.infer<typeof languageSchema> {
  /** Letters the language is written with. */
  readonly script: RegExp;
}

export function readLanguage(tag: string, text: string): LanguageFacts {
  return { script: scriptOf(tag), ...languageSchema.parse(parse(text) ?? {}) };
}

/** Scripts of CLDR that are several of Unicode's, or one under another name. */
const SCRIPTS: Readonly<Record<string, string>> = {
  Hans: "\\p{Script=Han}",
  Hant: "\\p{Script=Han}",
  Jpan: "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー",
  Kore: "\\p{Script=Hangul}",
};

const files = readdirSync(folder).map((name) => name.replace(/\.yaml$/u, ""));

/** Every shipped locale, and every other one that a file is about. */
export const LANGUAGES: ReadonlyMap<string, LanguageFacts> = new Map(
  [...new Set([...LOCALES, ...files])].map((tag) => [
    tag,
    readLanguage(
      tag,
      files.includes(tag) ? readFileSync(new URL(`${tag}.yaml`, folder), "utf8") : "",
    ),
  ]),
);

function scriptOf(tag: string): RegExp {
  const script = new Intl.Locale(tag).maximize().script ?? "Latn";
  return new RegExp(`[${SCRIPTS[script] ?? `\\p{Script=${script}}`}]`, "u");
}
