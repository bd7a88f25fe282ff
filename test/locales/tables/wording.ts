import { isOwnLine, LINE_KEYS } from "../../../src/config/schema/messages.ts";
import { OWN_LINES, listOwnLineSlots } from "../../../src/locales/own-lines.ts";
import { LOCALES } from "../../../src/locales/shipped.ts";
import { parsePlaceholders, slotsOf } from "../../../src/config/compile/placeholders.ts";
import { LANGUAGES } from "./languages.ts";
import { everythingSaid, proseOf, type Rule, type Said, textRule } from "./rule.ts";
import type { Tables } from "./read.ts";

/** The wording of a text: that it exists, its end, its words, its length. */
export const WORDING: readonly Rule[] = [
  {
    name: "there is a table of every shipped locale, and none besides",
    *find(tables) {
      for (const locale of LOCALES) {
        if (!tables.has(locale)) {
          yield { file: `${locale}.yaml`, key: null, why: "there is no table" };
        }
      }
      for (const { locale, file, complaints } of tables.values()) {
        if (!LOCALES.includes(locale)) yield { file, key: null, why: "not one of the locales" };
        for (const why of complaints) yield { file, key: null, why };
      }
    },
    spoils: [],
  },
  {
    name: "every table has every key, the regional ones too",
    *find(tables) {
      for (const { file, texts } of tables.values()) {
        for (const key of [...LINE_KEYS, ...OWN_LINES]) {
          if (!texts.has(key)) yield { file, key, why: "is missing" };
        }
      }
    },
    spoils: ["en", "es-419", "zh-Hant", "ar"].flatMap((locale) =>
      LINE_KEYS.map((key) => ({ locale, key, text: null })),
    ),
  },
  textRule("sentences end as the language ends them", sentenceEnd, [
    { locale: "en", key: "welcome", text: "Hello" },
    { locale: "en", key: "welcome", text: "Hello:" },
    { locale: "zh", key: "welcome", text: "您好" },
    { locale: "ar", key: "welcome", text: "أهلًا" },
    { locale: "el", key: "welcome", text: "Γεια σας:" },
    { locale: "en", key: "related-title", text: "More on this topic" },
    { locale: "ja", key: "related-title", text: "関連する情報" },
    { locale: "ko", key: "related-title", text: "함께 보면 좋은 내용:" },
    { locale: "ko", key: "welcome", text: "안녕하세요" },
    { locale: "th", key: "welcome", text: "สวัสดี:" },
    { locale: "th", key: "related-title", text: "เรื่องอื่นที่เกี่ยวข้อง:" },
  ]),
  textRule(
    "the two questions about forms are questions",
    ({ text, key, facts }) =>
      QUESTIONS.has(key) && !facts.question.test(text) ? "does not ask" : null,
    [
      { locale: "en", key: "form-continue", text: "Let’s continue." },
      { locale: "de", key: "form-retry", text: "Noch einmal." },
      { locale: "th", key: "form-continue", text: "กรอกแบบฟอร์มนี้ต่อ" },
      { locale: "el", key: "form-retry", text: "Ξανά." },
    ],
  ),
  textRule("leaving a form names it, and correcting it is not filling it in again", formNamed, [
    { locale: "en", key: "follow-up-question", text: "No problem. What else can I do for you?" },
    { locale: "en", key: "form-retry", text: "Shall we go through the form again?" },
    { locale: "ja", key: "form-retry", text: "フォームの入力をやり直しますか？" },
  ]),
  textRule("placeholders are those of the English text", parity, [
    { locale: "fr", key: "character-limit-exceeded", text: "Trop long." },
    { locale: "fr", key: "welcome", text: "Bonjour {{name}}." },
    { locale: "fr", key: "character-limit-exceeded", text: "Au plus {{maxlength}}." },
    { locale: "fr", key: "character-limit-exceeded", text: "Au plus {{maxLength}, pas plus." },
    { locale: "fr", key: "character-limit-exceeded", text: "{{maxLength}} ou {{maxLength}}." },
  ]),
  textRule("no word is left in English", leftover, [
    { locale: "fr", key: "welcome", text: "Please, dites-moi." },
    { locale: "ru", key: "welcome", text: "Hello." },
    { locale: "nl", key: "welcome", text: "That’s alles." },
    { locale: "de", key: "end-form", text: "Your Formular." },
  ]),
  textRule(
    "the language's own choices are kept",
    ({ text, key, facts }) => {
      const never = facts.never.filter(({ linesOnly }) => !linesOnly || !ofPage.test(key));
      return never.find(({ what }) => what.test(text))?.why ?? null;
    },
    [
      { locale: "zh", key: "welcome", text: "您好！請說。" },
      { locale: "zh-Hant", key: "welcome", text: "您好！请说。" },
      { locale: "zh", key: "welcome", text: "你好！" },
      { locale: "zh-Hant", key: "welcome", text: "你好！" },
      { locale: "ro", key: "welcome", text: "Spuneţi." },
      { locale: "ru", key: "welcome", text: "Чем Вам помочь." },
      { locale: "ru", key: "welcome", text: "Привіт." },
      { locale: "uk", key: "welcome", text: "Здравствуйте, это вы." },
      { locale: "th", key: "welcome", text: "สวัสดีครับ" },
      { locale: "he", key: "welcome", text: "שָׁלוֹם!" },
      { locale: "he", key: "welcome", text: "ל-256!" },
      { locale: "de", key: "welcome", text: "Schöne Grüße." },
      { locale: "pt", key: "end-form", text: "Obrigado." },
      { locale: "pt", key: "welcome", text: "O que você quer." },
      { locale: "pt-BR", key: "welcome", text: "Contacte-nos." },
      { locale: "pl", key: "welcome", text: "W czym Pani pomóc." },
      { locale: "ja", key: "welcome", text: "あなたの質問。" },
      { locale: "ko", key: "welcome", text: "감사합니다." },
      { locale: "el", key: "welcome", text: "Τί ἀκριβώς." },
      { locale: "ar", key: "welcome", text: "أهــلًا." },
      { locale: "fr", key: "welcome", text: "Désolé." },
      { locale: "id", key: "welcome", text: "Apa yang anda cari." },
      { locale: "de", key: "welcome", text: "Was möchtest du wissen." },
      { locale: "fr", key: "welcome", text: "Que veux-tu savoir." },
      { locale: "nl", key: "welcome", text: "Wat kan ik voor u doen." },
      { locale: "ru", key: "welcome", text: "Чем тебе помочь." },
      { locale: "sv", key: "welcome", text: "Vad kan ni göra." },
      { locale: "es", key: "welcome", text: "Usted dirá." },
    ],
  ),
  textRule("ticket, chat and agent have one name each", termMissing, [
    { locale: "de", key: "escalation.ticket", text: "Ich habe die Anfrage {{ticket}} erstellt." },
    { locale: "zh-Hant", key: "escalation.ticket-pending", text: "工單暫時還沒辦法建立。" },
    { locale: "fr-CA", key: "escalation.ticket-title", text: "Demande par chat" },
    { locale: "no", key: "escalation.who-agent", text: "Agent" },
  ]),
  {
    name: "texts are at most 1.6 times as long as English, but for the listed exceptions",
    *find(tables, { longer }) {
      const needed = new Set<string>();
      for (const { line, file } of everythingSaid(tables)) {
        const { key, locale, text } = line;
        const [length, theirs] = [lengthOf(text), lengthOf(english(tables, key))];
        const spare = LABELS.has(key) ? LABEL_SPARE : SENTENCE_SPARE;
        if (length <= Math.max(theirs * LONGEST, theirs + spare)) continue;
        needed.add(`${locale} ${key}`);
        if (longer.get(locale)?.[key] !== undefined) continue;
        yield { file, key, why: `${(length / theirs).toFixed(2)} times as long` };
      }
      for (const [locale, keys] of longer) {
        for (const key of Object.keys(keys)) {
          if (needed.has(`${locale} ${key}`)) continue;
          yield { file: `${locale}.yaml`, key, why: "is an exception that nothing needs" };
        }
      }
    },
    spoils: [
      { locale: "de", key: "related-title", text: `${"Mehr ".repeat(7)}hier:` },
      { locale: "th", key: "related-title", text: "เรื่องอื่นที่เกี่ยวข้อง".repeat(4) },
      { locale: "de", key: "escalation.no", text: "Auf keinen Fall" },
    ],
  },
  {
    name: "no two keys say the same",
    *find(tables) {
      for (const { file, texts } of tables.values()) {
        const seen = new Map<string, string>();
        for (const [key, all] of texts) {
          for (const text of all.map(comparable)) {
            const other = seen.get(text);
            // Two plural forms of one line may be spelled alike.
            if (other !== undefined && other !== key) {
              yield { file, key, why: `says what ${other} says` };
            }
            seen.set(text, key);
          }
        }
      }
    },
    spoils: [
      {
        locale: "en",
        key: "welcome",
        text: "All right, let’s leave the form. What else can I help you with?",
      },
      {
        locale: "en",
        key: "welcome",
        text: "all right; let’s leave the form what else can I help you with",
      },
    ],
  },
  {
    name: "the engine's own words are never repeated",
    *find(tables, { engine }) {
      for (const { line, file } of everythingSaid(tables)) {
        const own = engine.get(line.locale.split("-", 1)[0] ?? "");
        const spoken = [own, engine.get("en")].flatMap((texts) => Object.values(texts ?? {}));
        if (spoken.map(comparable).includes(comparable(line.text))) {
          yield { file, key: line.key, why: "is what the engine says" };
        }
      }
    },
    spoils: [
      { locale: "en", key: "welcome", text: "Hello, how can I help you?" },
      { locale: "pt-BR", key: "welcome", text: "Olá, como posso ajudar?" },
      { locale: "zh", key: "form-continue", text: "您想继续填写此表单吗?" },
      { locale: "fi", key: "welcome", text: "Hello, how can I help you?" },
    ],
  },
];

/** Keys of the words of pages. */
const ofPage = /^(?:console|findings|desk|playground)\./u;

/** Headings, which end as titles do. */
const TITLES: ReadonlySet<string> = new Set([
  "related-title",
  "escalation.survey",
  "escalation.file",
]);

/** Texts that are not sentences. */
const LABELS: ReadonlySet<string> = new Set(
  ["yes", "no", "cancel", "ticket-title", "who-reader", "who-bot", "who-agent"].map(
    (name) => `escalation.${name}`,
  ),
);

const QUESTIONS: ReadonlySet<string> = new Set(["form-continue", "form-retry"]);
/** Lines that name a thing for which the language has one word. */
const NAMED: Readonly<Record<string, "ticket" | "chat" | "agent">> = {
  "escalation.ticket": "ticket",
  "escalation.ticket-number": "ticket",
  "escalation.ticket-pending": "ticket",
  "escalation.ticket-title": "chat",
  "escalation.who-agent": "agent",
};

const LONGEST = 1.6;
/**
 * Graphemes that a label may be longer, whatever the factor says: "Nein" is twice as long as "No".
 */
const LABEL_SPARE = 10;
/**
 * The same for a sentence: English needs two words ("You’re next."), and other languages five. Ten
 * more characters would only have room for "soon", which is not true.
 */
const SENTENCE_SPARE = 18;

function sentenceEnd({ text, key, facts }: Said): string | null {
  if (LABELS.has(key)) return null;
  const ends = TITLES.has(key) ? facts.titleEnd : facts.sentenceEnds;
  const [last = ""] = text.match(/.$/su) ?? [];
  if (ends === "") return /[\p{L}\p{M}\p{N}]/u.test(last) ? null : `ends with ${last}`;
  return ends.includes(last) ? null : `ends with ${last}, not with one of ${ends}`;
}

/**
 * Some engines send `follow-up-question` after an error that asked to enter a value again: the text
 * has to say that the form is left. `form-retry` asks only for the wrong fields, but a reader who
 * understands the whole form declines.
 */
function formNamed({ text, key, facts }: Said): string | null {
  if (key === "follow-up-question") return facts.form.test(text) ? null : "does not name the form";
  return key === "form-retry" && facts.form.test(text) ? "names the whole form" : null;
}

function termMissing({ text, key, facts }: Said): string | null {
  const thing = NAMED[key];
  if (thing === undefined || facts.terms[thing].test(text)) return null;
  return `does not call the ${thing} ${facts.terms[thing].source}`;
}

function parity({ text, key }: Said, tables: Tables): string | null {
  const { parts, broken } = parsePlaceholders(text);
  if (broken.length > 0 || /[{}]/u.test(proseOf(text))) return "a broken placeholder";
  const mine = parts.flatMap((part) => (typeof part === "string" ? [] : part.slot)).sort();
  const theirs = [...slotsOf(parsePlaceholders(english(tables, key)))].sort();
  // A plural form may say its count in words.
  if (listOwnLineSlots(key).includes("count") && mine.length === 0) return null;
  return mine.join() === theirs.join() ? null : `has [${mine.join()}], English [${theirs.join()}]`;
}

function leftover({ prose, key, locale, facts }: Said, tables: Tables): string | null {
  if (locale === "en") return null;
  // The lines of escalation are translated later than the others, so these are compared with their
  // own words.
  const texts = [...(tables.get("en")?.texts ?? [])]
    .filter(([other]) => isOwnLine(other) === isOwnLine(key))
    .flatMap(([, all]) => all);
  const known = new Set(texts.flatMap((text) => wordsOf(proseOf(text))));
  const shared = facts.shared.split(" ");
  const found = wordsOf(prose).filter((word) => known.has(word) && !shared.includes(word));
  return found.length === 0 ? null : found.join(", ");
}

/** Words that the facts list as shared with English but no text of the language contains. */
export function* idleSharedWords(tables: Tables): Generator<string> {
  for (const [locale, { shared }] of LANGUAGES) {
    const texts = [...(tables.get(locale)?.texts.values() ?? [])].flat();
    const used = new Set(texts.flatMap((text) => wordsOf(proseOf(text))));
    for (const word of shared.split(" "))
      if (word !== "" && !used.has(word)) yield `${locale} ${word}`;
  }
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}]+(?:[’·][\p{L}\p{M}]+)*/gu) ?? [];
}

function english(tables: Tables, key: string): string {
  // Of plural forms the last is `other`.
  return tables.get("en")?.texts.get(key)?.at(-1) ?? "";
}

const SEGMENTER = new Intl.Segmenter("und", { granularity: "grapheme" });

/** Graphemes of a text as the reader gets it: the limit has three digits. */
function lengthOf(text: string): number {
  return [...SEGMENTER.segment(text.replace("{{maxLength}}", "256"))].length;
}

/** Texts that only differ in case, marks and blanks are the same. */
function comparable(text: string): string {
  return text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
}
