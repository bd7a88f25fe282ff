import { languageOf } from "../../../src/locales/tag.ts";
import { LANGUAGES, type LanguageFacts } from "./languages.ts";
import { type Rule, type Said, textRule } from "./rule.ts";

/** The typography of a text: its letters, marks, quotes and blanks. */
export const TYPOGRAPHY: readonly Rule[] = [
  textRule(
    "letters are of the language's script",
    ({ prose, facts }) =>
      firstOf(letters(ownWords(prose, facts)).filter((letter) => !facts.script.test(letter))),
    [
      { locale: "fr", key: "welcome", text: "Bonjour, commеnt allez-vous." }, // a Cyrillic е
      { locale: "ja", key: "welcome", text: "Приветです。" },
      { locale: "ko", key: "welcome", text: "こんにちは." },
      { locale: "he", key: "welcome", text: "مرحبا." },
    ],
  ),
  textRule(
    "no Latin letter stands where none belongs",
    ({ prose, facts }) =>
      facts.script.test("a")
        ? null
        : firstOf(
            letters(ownWords(prose, facts)).filter((letter) => /\p{Script=Latin}/u.test(letter)),
          ),
    [...LANGUAGES]
      .filter(([, { script }]) => !script.test("a"))
      .map(([locale]) => ({ locale, key: "end-form", text: "OK" })),
  ),
  textRule(
    "marks are those of the language",
    ({ prose, facts }) => {
      const quotes = facts.quotes.join("");
      const allowed = facts.marks + quotes;
      return firstOf(
        (prose.match(/[\p{P}\p{S}]/gu) ?? []).filter(
          (mark) => !allowed.includes(mark) && !QUOTES.includes(mark),
        ),
      );
    },
    [
      { locale: "zh", key: "welcome", text: "您好,请说。" },
      { locale: "zh-Hant", key: "welcome", text: "您好!" },
      { locale: "ja", key: "form-continue", text: "続けますか?" },
      { locale: "ja", key: "welcome", text: "こんにちは." },
      { locale: "ar", key: "form-continue", text: "هل نتابع?" },
      { locale: "ar", key: "welcome", text: "أهلًا, بك." },
      { locale: "el", key: "form-continue", text: "Συνεχίζουμε?" },
      { locale: "en", key: "welcome", text: "<b>Hello!</b>" },
      { locale: "ca", key: "form-continue", text: "¿Continuem?" },
      { locale: "th", key: "end-form", text: "ส่งแล้ว." },
    ],
  ),
  textRule("quotes are those of the language, in pairs", quotes, [
    { locale: "en", key: "welcome", text: 'Say "hello".' },
    { locale: "en", key: "welcome", text: "That's all." },
    { locale: "en", key: "welcome", text: "Say ”hello“." },
    { locale: "en", key: "welcome", text: "Say “hello." },
    { locale: "de", key: "welcome", text: "Sagen Sie “Hallo”." },
    { locale: "fr", key: "welcome", text: "Dites “bonjour”." },
    { locale: "ja", key: "welcome", text: "“こんにちは”。" },
    { locale: "it", key: "welcome", text: "Aspetta un po' qui." },
    { locale: "de", key: "welcome", text: "Wie geht’s." },
    { locale: "sv", key: "welcome", text: "Säg ”hej." },
  ]),
  textRule(
    "an ellipsis is one character",
    ({ text }) => (/\.\.|。。|・・/u.test(text) ? "dots in a row" : null),
    [{ locale: "en", key: "refinement", text: "One moment..." }],
  ),
  textRule(
    "texts are in normal form C",
    ({ text }) => (text === text.normalize("NFC") ? null : "not NFC"),
    [
      { locale: "vi", key: "welcome", text: "Xin chào!".normalize("NFD") },
      { locale: "el", key: "form-continue", text: "Συνεχίζουμε\u037e" },
    ],
  ),
  textRule("blanks are single and inside", blanks, [
    { locale: "en", key: "welcome", text: "Hello!  How are you?" },
    { locale: "en", key: "welcome", text: "Hello! " },
    { locale: "en", key: "welcome", text: " Hello!" },
    { locale: "en", key: "welcome", text: "Hello!\nBye." },
    { locale: "en", key: "welcome", text: "Hello!\tBye." },
    { locale: "en", key: "welcome", text: "Hello!\u00a0Bye." },
    { locale: "fr", key: "welcome", text: "Bonjour \u202f!" },
    { locale: "de", key: "welcome", text: "Hallo !" },
    { locale: "en", key: "welcome", text: "Hello!\u200bBye." },
  ]),
  textRule(
    "Chinese and Japanese need no blanks",
    ({ text, facts }) => (!facts.blanks && /\s/u.test(text) ? "a blank" : null),
    [
      { locale: "zh", key: "character-limit-exceeded", text: "请缩短到 {{maxLength}} 个字符。" },
      { locale: "ja", key: "welcome", text: "こんにちは。\u3000お聞かせください。" },
    ],
  ),
  textRule("French marks have their blanks", frenchBlanks, [
    { locale: "fr", key: "form-continue", text: "Souhaitez-vous continuer?" },
    { locale: "fr", key: "form-continue", text: "Souhaitez-vous continuer ?" },
    { locale: "fr", key: "form-continue", text: "Souhaitez-vous continuer\u00a0?" },
    { locale: "fr", key: "welcome", text: "Bonjour\u00a0!" },
    { locale: "fr", key: "welcome", text: "Bonjour\u00a0; dites." },
    { locale: "fr", key: "related-title", text: "Sur le sujet\u202f:" },
    { locale: "fr", key: "related-title", text: "Sur le sujet:" },
    { locale: "fr", key: "welcome", text: "Dites\u00a0tout." },
    { locale: "fr", key: "welcome", text: "Dites «oui»." },
    { locale: "fr-CA", key: "welcome", text: "Bonjour\u202f!" },
    { locale: "fr-CA", key: "related-title", text: "Sur le sujet:" },
  ]),
  textRule("Spanish questions and exclamations are opened", spanishPairs, [
    { locale: "es", key: "form-continue", text: "Seguimos?" },
    { locale: "es", key: "form-continue", text: "¿Seguimos." },
    { locale: "es", key: "welcome", text: "Hola!" },
    { locale: "es", key: "welcome", text: "¡Hola?" },
    { locale: "es", key: "welcome", text: "¿Hola? Seguimos?" },
  ]),
  textRule("direction marks are balanced", directions, [
    { locale: "he", key: "welcome", text: "\u2068שלום!" },
    { locale: "he", key: "welcome", text: "שלום!\u2069" },
    { locale: "ar", key: "welcome", text: "\u2067أهلًا\u202c!" },
    { locale: "ar", key: "welcome", text: "\u202bأهلًا!" },
  ]),
];

const QUOTES = "\"'`´‘’‚‛“”„‟‹›«»「」『』〝〞〟′″＂＇";

const ANY_QUOTE = new RegExp(`[${QUOTES}]`, "gu");

function ownWords(prose: string, { loans }: LanguageFacts): string {
  return prose.replace(loans, "");
}

function letters(text: string): readonly string[] {
  return text.match(/\p{L}/gu) ?? [];
}

function firstOf(found: readonly string[]): string | null {
  const [first] = found;
  return first === undefined
    ? null
    : `${first} (U+${(first.codePointAt(0) ?? 0).toString(16).padStart(4, "0")})`;
}

function quotes({ prose, facts }: Said): string | null {
  const open: string[] = [];
  for (const { 0: mark, index } of prose.matchAll(ANY_QUOTE)) {
    const apostrophe = mark === "’" && facts.marks.includes("’");
    if (apostrophe && /\p{L}$/u.test(prose.slice(0, index))) continue;
    const pair = facts.quotes;
    if (!pair.includes(mark)) return `${mark} is no quotation mark of the language`;
    const closes = open.at(-1) === pair[0] && mark === pair[1];
    if (closes) open.pop();
    else if (mark === pair[0]) open.push(mark);
    else return `${mark} closes nothing`;
  }
  return open.length === 0 ? null : `${open.join(" ")} is not closed`;
}

function blanks({ text, locale }: Said): string | null {
  if (text !== text.trim()) return "a blank at the edge";
  if (/\s\s/u.test(text)) return "two blanks";
  if (/[\p{Cc}\u200b-\u200d\u2060\ufeff\u00ad]/u.test(text)) return "an invisible character";
  if (languageOf(locale) === "fr") return null; // has a rule of its own
  if (/[^\S ]/u.test(text)) return "a blank that is no plain space";
  return /\s[.,:;!?،؛؟。，！？：]/u.test(text) ? "a blank before a mark" : null;
}

function frenchBlanks({ text, locale }: Said): string | null {
  if (languageOf(locale) !== "fr") return null;
  if (locale === "fr-CA" && /\s[?!;]/u.test(text)) return "a blank before ? ! or ;";
  if (locale === "fr" && /(?<!\u202f)[?!;]/u.test(text)) return "no U+202F before ? ! or ;";
  if (/(?<!\u00a0):/u.test(text)) return "no U+00A0 before a colon";
  if (/«(?!\u00a0)|(?<!\u00a0)»/u.test(text)) return "no U+00A0 inside the quotes";
  if (/\u202f(?![?!;])|\u00a0(?![:»])(?<!«\u00a0)/u.test(text))
    return "a narrow blank before nothing";
  return / [.,]/u.test(text) ? "a blank before a mark" : null;
}

function spanishPairs({ text, locale }: Said): string | null {
  if (languageOf(locale) !== "es") return null;
  const marks = (text.match(/[¿?¡!]/gu) ?? []).join("");
  return /^(?:¿\?|¡!)*$/u.test(marks) ? null : `${marks} are no pairs`;
}

/** Isolates end with U+2069, embeddings and overrides with U+202C (Unicode Annex 9). */
function directions({ text }: Said): string | null {
  const open: string[] = [];
  for (const mark of text.match(/[\u202a-\u202e\u2066-\u2069]/gu) ?? []) {
    if (/[\u2066-\u2068]/u.test(mark)) open.push("\u2069");
    else if (/[\u202a\u202b\u202d\u202e]/u.test(mark)) open.push("\u202c");
    else if (open.pop() !== mark) return "a direction mark ends what was not begun";
  }
  return open.length === 0 ? null : "a direction mark is never ended";
}
