import type { Reporter } from "../../../yaml/diagnostic.ts";
import type { Source, Span } from "../../../yaml/source.ts";
import { readAnswer, readPhrase } from "./imported/answer.ts";
import { type ImportedContent, type ImportedText, shorten, UNNAMED } from "./imported/imported.ts";
import type { Omission, OmissionReason } from "./imported/omissions.ts";
import { readSheetLanguage, type SheetRole } from "./sheet-columns.ts";

export interface SheetRow {
  readonly line: number;
  /** As spreadsheets count. */
  readonly row: number;
  readonly span: Span;
  cells(role: SheetRole, language: string | null): readonly string[];
  /** Names the first column of this kind as spreadsheets do. */
  nameColumn(role: SheetRole, language: string | null): string;
}

/** Merges rows that have the same key. */
export class SheetContents {
  readonly #source: Source;
  readonly #reporter: Reporter;
  readonly #left: Omission[];
  readonly #texts = new Map<string, Map<string, OpenText>>();
  /** The row of each question, by language. */
  readonly #asked = new Map<string, SheetRow>();

  constructor(source: Source, reporter: Reporter, left: Omission[]) {
    this.#source = source;
    this.#reporter = reporter;
    this.#left = left;
  }

  /** Adds the cells of one language, or with null the cells of columns without a language. */
  add(row: SheetRow, column: string | null): void {
    const [title, ...further] = row.cells("question", column).flatMap(questionsIn);
    const phrases = [...further, ...row.cells("alternatives", column).flatMap(phrasesIn)];
    const answers = row.cells("answer", column);
    if (title === undefined && answers.length === 0) return;
    const language = column ?? this.#languageOf(row);
    if (language === null) return;
    const [key = `line ${row.line}`] = row.cells("key", null);
    const texts = this.#texts.get(key) ?? new Map<string, OpenText>();
    this.#texts.set(key, texts);
    const open = texts.get(language);
    if (title === undefined) {
      const params = { ...positionOf(row, "question", column), text: shorten(answers[0] ?? "") };
      this.#leave(row, { code: "row-no-question", params });
    } else if (open !== undefined) {
      this.#extend(open, row, [title, ...phrases], answers, column);
    } else if (answers.length === 0 && row.cells("key", null).length === 0) {
      const params = { ...positionOf(row, "answer", column), text: shorten(title) };
      this.#leave(row, { code: "row-no-answer", params });
    } else if (!this.#isRepeated(row, title, language, column)) {
      texts.set(language, this.#openText(row, column, [title, ...phrases], answers));
    }
  }

  contents(): readonly ImportedContent[] {
    return [...this.#texts].flatMap(([key, open]): ImportedContent[] => {
      const texts = new Map<string, ImportedText>();
      for (const [language, text] of open) {
        const finished = this.#finish(text);
        if (finished !== null) texts.set(language, finished);
      }
      const [line = 1] = [...open.values()].map((text) => text.line);
      return texts.size === 0 ? [] : [{ key, file: this.#source.file, line, texts }];
    });
  }

  #openText(
    row: SheetRow,
    column: string | null,
    phrases: readonly string[],
    answers: readonly string[],
  ): OpenText {
    const [category = null] = [...row.cells("category", column), ...row.cells("category", null)];
    const [published = ""] = row.cells("published", null);
    const text: OpenText = {
      line: row.line,
      position: positionOf(row, "answer", column),
      phrases: [...phrases],
      answers: [],
      published: !NO.test(published),
      category: category === null ? null : readPhrase(category),
      // A cell such as "draft" or "review" is neither.
      doubt: !NO.test(published) && !YES.test(published),
    };
    this.#answer(text, answers);
    return text;
  }

  #extend(
    open: OpenText,
    row: SheetRow,
    phrases: readonly string[],
    answers: readonly string[],
    column: string | null,
  ): void {
    open.phrases.push(...phrases);
    if (open.answers.length === 0) return this.#answer(open, answers);
    for (const written of answers) {
      if (open.answers.includes(readAnswer(written).html)) continue;
      const params = { ...positionOf(row, "answer", column), other: open.position.row };
      this.#leave(row, { code: "row-same-key", params });
    }
  }

  #answer(text: OpenText, answers: readonly string[]): void {
    for (const written of answers) {
      const { html, doubt } = readAnswer(written);
      text.answers.push(html);
      text.doubt ||= doubt !== null;
    }
  }

  /** Reports a repeated question, because the matching could not choose between its contents. */
  #isRepeated(row: SheetRow, title: string, language: string, column: string | null): boolean {
    const question = `${language} ${title.toLowerCase()}`;
    const first = this.#asked.get(question);
    if (first === undefined) {
      this.#asked.set(question, row);
      return false;
    }
    const position = positionOf(row, "question", column);
    const params = { ...position, text: shorten(title), other: first.row };
    this.#leave(row, { code: "row-repeated", params });
    return true;
  }

  #finish(open: OpenText): ImportedText | null {
    const { phrases, answers, published, category, doubt } = open;
    const [title = "", ...alternatives] = phrases;
    const params = { ...open.position, text: shorten(title) };
    if (answers.length === 0) {
      this.#leave(open, { code: "row-no-answer", params });
      return null;
    }
    if (doubt) this.#leave(open, { code: "row-doubtful", params });
    return {
      title,
      alternatives,
      answer: answers,
      published: published && !doubt,
      hidden: false,
      category,
      options: [],
    };
  }

  /** The language that the row names, or null after a report. */
  #languageOf(row: SheetRow): string | null {
    const [written] = row.cells("language", null);
    if (written === undefined) return UNNAMED;
    const tag = readSheetLanguage(written);
    if (tag !== null) return tag;
    const message = `there is no language "${written}"; write its tag, such as fr or pt-BR`;
    const params = {
      ...positionOf(row, "language", null),
      text: shorten(written),
      example: "fr, pt-BR",
    };
    this.#reporter.error(this.#source, row.span, "sheet-language", message, null, params);
    return null;
  }

  #leave({ line }: Pick<SheetRow, "line">, reason: OmissionReason): void {
    this.#left.push({ file: this.#source.file, line, part: null, ...reason });
  }
}

/** A text that may still grow by rows with the same key. */
interface OpenText {
  readonly line: number;
  readonly position: RowPosition;
  readonly phrases: string[];
  readonly answers: string[];
  readonly published: boolean;
  readonly category: string | null;
  /** True if readers must not see its answer as it is. */
  doubt: boolean;
}

/** Spreadsheets and people write these for false, in the languages in which columns are named. */
const NO =
  /^(?:0|-|f|false|falsch|faux|falso|fals|onwaar|falskt|falsk|usann|epätosi|fałsz|nepravda|hamis|ложь|хибність|yanlış|ψευδες|ψευδές|n|no|nein|non|não|nee|nej|nei|ei|nie|ne|nem|nu|hayır|нет|ні|όχι|لا|לא|いいえ|아니요|否|off|inactive|inaktiv|inactif|inactivo|inativo|inattivo|inactief|disabled|unpublished)$/iu;
const YES =
  /^(?:|1|x|✓|✔|t|true|wahr|vrai|verdadero|vero|verdadeiro|adevărat|waar|sant|sann|tosi|prawda|pravda|igaz|истина|істина|doğru|αληθες|αληθές|cert|egiazko|y|yes|ja|j|oui|o|si|sí|sì|sim|s|da|kyllä|tak|ano|igen|evet|да|так|ναι|نعم|כן|はい|네|是|on|active|aktiv|actif|activo|ativo|attivo|actief|enabled|published|live)$/iu;

/** A cell as spreadsheets name it. */
interface RowPosition {
  readonly row: number;
  readonly column: string;
}

function positionOf(row: SheetRow, role: SheetRole, language: string | null): RowPosition {
  return { row: row.row, column: row.nameColumn(role, language) };
}

/** A cell of several questions, each in its line; a question may also be broken over lines. */
function questionsIn(cell: string): readonly string[] {
  const lines = cell
    .split("\n")
    .map(readPhrase)
    .filter((line) => line !== "");
  const isList = lines.length > 1 && lines.every((line) => /[?？؟;]$/u.test(line));
  return isList ? lines : [readPhrase(cell)].filter((line) => line !== "");
}

/** Splits a cell at line breaks and `|`, or at semicolons if it has neither. */
function phrasesIn(cell: string): readonly string[] {
  const separator = /[\n|]/u.test(cell) ? /[\n|]/u : ";";
  return cell
    .split(separator)
    .map((piece) => readPhrase(piece).replace(/^[-•*] /u, ""))
    .filter((piece) => piece !== "");
}
