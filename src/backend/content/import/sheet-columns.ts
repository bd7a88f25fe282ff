import { languageOf, parseTag } from "../../../locales/tag.ts";
import { toCanonicalTag, findLanguageFault } from "../../../config/schema/values.ts";
import { LOCALES } from "../../../locales/shipped.ts";

/** The role of a sheet's column. Rows with the same `key` are one content. */
export type SheetRole = (typeof SHEET_ROLES)[number];

const SHEET_ROLES = [
  "question",
  "answer",
  "alternatives",
  "language",
  "category",
  "key",
  "published",
] as const;

export interface SheetColumn {
  readonly name: string;
  /** Null for a column that is not imported. */
  readonly role: SheetRole | null;
  /** The language of `answer_fr` and the like; null otherwise. */
  readonly language: string | null;
}

/**
 * Reads the names of a sheet's columns, in the languages in which people name them.
 *
 * @param above the row above, which may name the languages of columns: a merged cell spans several
 *
 * @example
 * readSheetHeader(["Frage", "Antwort (de)"]);
 * // [{ role: "question", language: null, … }, { role: "answer", language: "de", … }]
 */
export function readSheetHeader(
  names: readonly string[],
  above: readonly string[] = [],
): readonly SheetColumn[] {
  const columns = withLanguages(names.map(columnOf), above);
  const has = (role: SheetRole): boolean => columns.some((column) => column.role === role);
  // In a sheet without questions, the names of intents are the questions, but not numbers.
  return has("question")
    ? columns
    : columns.map((column) =>
        column.role === "key" && !/id|nr|no|num|#/iu.test(column.name)
          ? { ...column, role: "question" }
          : column,
      );
}

/** True for the first line of what may be a sheet: it names a column with questions or answers. */
export function hasSheetColumn(names: readonly string[]): boolean {
  return readSheetHeader(names).some(({ role }) => role === "question" || role === "answer");
}

/** Gives columns the languages of the row above, if it names more than one. */
function withLanguages(
  columns: readonly SheetColumn[],
  above: readonly string[],
): readonly SheetColumn[] {
  const named = new Map(above.map((cell, at) => [at, readSuffix(cell.trim())] as const));
  if (new Set(named.values().filter((one) => one !== null)).size < 2) return columns;
  let current: string | null = null;
  return columns.map((column, at) => {
    if ((above[at] ?? "").trim() !== "") current = named.get(at) ?? null;
    const isMeant = column.role !== null && PER_LANGUAGE.has(column.role);
    return isMeant && column.language === null ? { ...column, language: current } : column;
  });
}

function columnOf(written: string): SheetColumn {
  const name = written.trim();
  const plain = name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[_\-.:*?？\s]+/gu, " ")
    .trim();
  const role = ROLES.get(plain);
  if (role !== undefined) return { name, role, language: null };
  // `answer fr`, `question (pt-BR)`, `variant 2`.
  const [, base = "", tag, number] =
    /^(.{1,40}?)(?:(?: ?[([]| ) ?([a-z]{2,3}(?: [a-z]{2,4})?)| ?(\d{1,2}))[)\]]?$/u.exec(plain) ??
    [];
  const meant = ROLES.get(base.trim());
  if (meant === undefined) return { name, role: null, language: null };
  if (tag === undefined) {
    const isFurther = meant === "question" && Number(number) > 1;
    return { name, role: isFurther ? "alternatives" : meant, language: null };
  }
  const language = PER_LANGUAGE.has(meant) ? readSuffix(tag) : null;
  return { name, role: language === null ? null : meant, language };
}

/**
 * Reads a suffix only as one of the languages that Afterword speaks: other words are as short as a
 * tag.
 */
function readSuffix(tag: string): string | null {
  const language = readSheetLanguage(tag.replace(" ", "-"));
  return language !== null && SHIPPED.has(languageOf(language)) ? language : null;
}

const SHIPPED: ReadonlySet<string> = new Set(LOCALES.map(languageOf));

const PER_LANGUAGE: ReadonlySet<SheetRole> = new Set([
  "question",
  "answer",
  "alternatives",
  "category",
]);

/** Reads a tag, or a language's name in English or in the language itself; null for others. */
export function readSheetLanguage(written: string): string | null {
  const named = LANGUAGE_NAMES.get(written.trim().toLowerCase());
  if (named !== undefined) return named;
  const tag = parseTag(written.trim())?.base ?? null;
  return tag === null || findLanguageFault(tag) !== null ? null : toCanonicalTag(tag);
}

const LANGUAGE_NAMES: ReadonlyMap<string, string> = new Map(
  LOCALES.flatMap((locale) =>
    ["en", locale].map((inLanguage) => {
      const name = new Intl.DisplayNames(inLanguage, { type: "language" }).of(locale) ?? locale;
      return [name.toLowerCase(), locale] as const;
    }),
  ),
);

/** Names of columns, in lower case, with spaces for `_`, `-` and dots. */
const NAMES: Readonly<Record<SheetRole, string>> = {
  question:
    "question, questions, q, title, user question, customer question, faq question, prompt, query, utterance, frage, pregunta, pergunta, domanda, vraag, fråga, spørgsmål, spørsmål, kysymys, galdera, pytanie, otázka, kérdés, întrebare, soru, pertanyaan, câu hỏi, вопрос, питання, запитання, ερώτηση, سؤال, السؤال, שאלה, คำถาม, 質問, 问题, 問題, 질문",
  answer:
    "answer, answers, a, response, responses, reply, bot answer, bot response, faq answer, text response, antwort, réponse, reponse, respuesta, resposta, risposta, antwoord, svar, vastaus, erantzuna, odpowiedź, odpověď, válasz, răspuns, yanıt, cevap, jawaban, câu trả lời, trả lời, ответ, відповідь, απάντηση, إجابة, الإجابة, جواب, الجواب, תשובה, คำตอบ, 回答, 答え, 答案, 답변, 대답",
  alternatives:
    "alternatives, alternative, phrases, phrase, variations, variation, variants, variant, utterances, examples, example, synonyms, alternative questions, alternative question, other questions, similar questions, training phrases, sample questions, further questions, alternativen, weitere fragen, varianten, variante, variantes, autres questions, otras preguntas, outras perguntas, altre domande, varianti, andere vragen, varianter, inne pytania, другие вопросы, варианты, інші питання, 類似質問, 相似问题, 相似問題, 유사질문",
  language:
    "language, lang, locale, sprache, langue, idioma, lingua, taal, språk, sprog, kieli, hizkuntza, język, jazyk, nyelv, limbă, limba, dil, bahasa, ngôn ngữ, язык, мова, γλώσσα, اللغة, لغة, שפה, ภาษา, 言語, 语言, 語言, 언어",
  category:
    "category, categories, topic, section, group, theme, kategorie, thema, rubrik, catégorie, categorie, rubrique, thème, categoría, categoria, tema, categorie, categorieën, kategori, kategoria, kategorija, luokka, kategória, kategórie, danh mục, категория, категорія, тема, κατηγορία, فئة, الفئة, קטגוריה, หมวดหมู่, カテゴリ, カテゴリー, 分类, 分類, 类别, 類別, 카테고리, 분류",
  key: "id, key, nr, no, #, number, nummer, intent, intent name, faq id, question id, qid, article id, content id",
  published: "published, active, enabled, aktiv, actif, activo, ativo, attivo, actief",
};

const ROLES: ReadonlyMap<string, SheetRole> = new Map(
  SHEET_ROLES.flatMap((role) => NAMES[role].split(", ").map((name) => [name, role] as const)),
);
