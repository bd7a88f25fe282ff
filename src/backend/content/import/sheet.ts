import { MAX_ROWS, parseRecords } from "../../../config/translation/csv.ts";
import { readCell } from "../../../config/translation/spreadsheet-cell.ts";
import type { Reporter } from "../../../yaml/diagnostic.ts";
import { createSource, positionAt, type Source, START, type Span } from "../../../yaml/source.ts";
import { readAnswer, readPhrase } from "./answer.ts";
import { decodeText } from "./decode-text.ts";
import {
  type Imported,
  type ImportedContent,
  type ImportedText,
  type ImportFile,
  type Left,
  quoteShort,
  UNNAMED,
} from "./imported.ts";
import {
  readSheetHeader,
  readSheetLanguage,
  type SheetColumn,
  type SheetRole,
} from "./sheet-columns.ts";

/**
 * Reads sheets of questions and answers: CSV with a header, a row for each question.
 *
 * @param language the language of the command, which tells the code page of an old file
 */
export function readSheets(
  files: readonly ImportFile[],
  reporter: Reporter,
  language: string | null = null,
): Imported {
  const left: Left[] = [];
  const contents = files.flatMap((file) => readSheet(file, language, reporter, left));
  return { contents, synonyms: new Map(), left };
}

interface SheetRow {
  readonly line: number;
  readonly span: Span;
  cells(role: SheetRole, language: string | null): readonly string[];
}

function readSheet(
  { name, bytes }: ImportFile,
  language: string | null,
  reporter: Reporter,
  left: Left[],
): readonly ImportedContent[] {
  const { text, guessed } = decodeText(bytes, language);
  const source = createSource(name, text);
  if (guessed !== null) {
    const message = `this is not UTF-8: it was read as ${guessed}`;
    const hint = "Look at the accents below. If they are wrong, save it as CSV UTF-8.";
    reporter.note(source, START, "encoding", message, hint);
  }
  const [header, ...records] = parseRecords(source, reporter, MAX_ROWS) ?? [];
  if (header === undefined) {
    if (!reporter.failed()) reporter.error(source, START, "missing-key", "the sheet is empty");
    return [];
  }
  const columns = readSheetHeader(header.cells);
  if (!checkHeader(columns, source, header.span, reporter)) return [];
  const rows = records.flatMap(({ cells, span }): SheetRow[] => {
    if (cells.every((cell) => cell.trim() === "")) return [];
    if (cells.slice(columns.length).some((cell) => cell.trim() !== "")) {
      const message = `this row has ${cells.length} cells and the header ${columns.length}; is a text with the separator not in quotes?`;
      reporter.error(source, span, "invalid-value", message);
      return [];
    }
    return [rowOf(cells, columns, positionAt(source, span.start).line, span)];
  });
  leaveColumns(columns, records, source, left);
  const collected = new SheetContents(source, reporter, left);
  const tags = new Set([null, ...columns.map((column) => column.language)]);
  for (const row of rows) for (const tag of tags) collected.add(row, tag);
  return collected.contents();
}

function rowOf(
  cells: readonly string[],
  columns: readonly SheetColumn[],
  line: number,
  span: Span,
): SheetRow {
  return {
    line,
    span,
    cells: (role, language) =>
      columns.flatMap((column, index) => {
        const cell = readCell(cells[index] ?? "").trim();
        return column.role === role && column.language === language && cell !== "" ? [cell] : [];
      }),
  };
}

function checkHeader(
  columns: readonly SheetColumn[],
  source: Source,
  span: Span,
  reporter: Reporter,
): boolean {
  const missing = (["question", "answer"] as const).filter(
    (role) => !columns.some((column) => column.role === role),
  );
  if (missing.length === 0) return true;
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  const message = `the first line names no column with ${missing.map((role) => `${role}s`).join(" and ")}: it has ${names.slice(0, 200)}`;
  reporter.error(source, span, "missing-key", message, "Name the columns question,answer.");
  return false;
}

/** Lists the columns that no content has, where they hold something. */
function leaveColumns(
  columns: readonly SheetColumn[],
  records: readonly { readonly cells: readonly string[] }[],
  { file }: Source,
  left: Left[],
): void {
  for (const [index, { name, role }] of columns.entries()) {
    if (role !== null) continue;
    const count = records.filter(({ cells }) => (cells[index] ?? "").trim() !== "").length;
    if (count === 0) continue;
    const what = name === "" ? `column ${index + 1}, which has no name` : `column "${name}"`;
    const why = `a content has no such value; ${count} ${count === 1 ? "row has" : "rows have"} one`;
    left.push({ file, line: 1, what, why });
  }
}

/** A text that may still grow by rows with the same key. */
interface OpenText {
  readonly line: number;
  readonly phrases: string[];
  readonly answers: string[];
  readonly published: boolean;
  readonly category: string | null;
  doubt: string | null;
}

/** Puts rows together that have the same key. */
class SheetContents {
  readonly #source: Source;
  readonly #reporter: Reporter;
  readonly #left: Left[];
  readonly #texts = new Map<string, Map<string, OpenText>>();
  /** The line of each question, by language. */
  readonly #lines = new Map<string, number>();

  constructor(source: Source, reporter: Reporter, left: Left[]) {
    this.#source = source;
    this.#reporter = reporter;
    this.#left = left;
  }

  /** Adds the cells of one language; null: those whose columns name none. */
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
      this.#leave(row, `answer ${quoteShort(answers[0] ?? "")}`, "no question stands beside it");
    } else if (open !== undefined) {
      this.#extend(open, row, [title, ...phrases], answers);
    } else if (answers.length === 0 && row.cells("key", null).length === 0) {
      this.#leave(row, `question ${quoteShort(title)}`, "no answer stands beside it");
    } else if (!this.#isRepeated(row, title, language)) {
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
      phrases: [...phrases],
      answers: [],
      published: !/^(?:0|false|no|nein|non|inactive|off)$/iu.test(published),
      category: category === null ? null : readPhrase(category),
      doubt: null,
    };
    this.#answer(text, answers);
    return text;
  }

  #extend(
    open: OpenText,
    row: SheetRow,
    phrases: readonly string[],
    answers: readonly string[],
  ): void {
    open.phrases.push(...phrases);
    if (open.answers.length === 0) return this.#answer(open, answers);
    for (const written of answers) {
      if (open.answers.includes(readAnswer(written).html)) continue;
      const why = `line ${open.line} has the same key and another answer; a content has one`;
      this.#leave(row, `answer ${quoteShort(written)}`, why);
    }
  }

  #answer(text: OpenText, answers: readonly string[]): void {
    for (const written of answers) {
      const { html, doubt } = readAnswer(written);
      text.answers.push(html);
      text.doubt ??= doubt;
    }
  }

  /** Reports a question that stands twice: two contents with it would be a guess. */
  #isRepeated(row: SheetRow, title: string, language: string): boolean {
    const question = `${language} ${title.toLowerCase()}`;
    const line = this.#lines.get(question);
    if (line === undefined) this.#lines.set(question, row.line);
    else this.#leave(row, `question ${quoteShort(title)}`, `line ${line} asks the same`);
    return line !== undefined;
  }

  #finish({ line, phrases, answers, published, category, doubt }: OpenText): ImportedText | null {
    const [title = "", ...alternatives] = phrases;
    const what = `question ${quoteShort(title)}`;
    if (answers.length === 0) {
      this.#left.push({ file: this.#source.file, line, what, why: "no answer stands beside it" });
      return null;
    }
    if (doubt !== null) {
      const why = `${doubt}: it came over with published: false`;
      this.#left.push({ file: this.#source.file, line, what, why });
    }
    return {
      title,
      alternatives,
      answer: answers,
      published: published && doubt === null,
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
    this.#reporter.error(this.#source, row.span, "invalid-value", message);
    return null;
  }

  #leave(row: SheetRow, what: string, why: string): void {
    this.#left.push({ file: this.#source.file, line: row.line, what, why });
  }
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

/** By line breaks and `|`; by semicolons in a cell that has neither. */
function phrasesIn(cell: string): readonly string[] {
  const separator = /[\n|]/u.test(cell) ? /[\n|]/u : ";";
  return cell
    .split(separator)
    .map((piece) => readPhrase(piece).replace(/^[-•*] /u, ""))
    .filter((piece) => piece !== "");
}
