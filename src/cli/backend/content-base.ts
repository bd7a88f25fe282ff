import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import { findKnownLanguage, searchedIn } from "../../backend/chatbot/knowledge-base.ts";
import { createContentError } from "../../backend/content/parse.ts";
import { loadAllContent } from "../../backend/content/load.ts";
import { readStoredRows } from "../../backend/content/rows.ts";
import { createContents } from "../../backend/storage/contents.ts";
import { loadMatchingWords } from "../../config/load/matching-words.ts";
import { isPostgresAddress } from "../../database-address.ts";
import { createMatcher } from "../../matching/matcher.ts";
import type { Matcher } from "../../matching/types.ts";
import { type Arguments, type Option, createArgumentError } from "../command/arguments.ts";
import type { Terminal } from "../command/command.ts";
import { findDatabase, databaseOptions, withDatabase } from "./database-option.ts";

/** The contents of one language, which can be searched without a running backend. */
export interface ContentBase {
  readonly language: string;
  readonly matcher: Matcher;
  readonly titles: ReadonlyMap<number, string>;
  /** Phrases by which the contents are found, titles included. */
  readonly phrases: number;
}

/** Reads the contents of the files, and of the database if it exists. */
export async function readAllContent(
  directory: string,
  database: string,
): Promise<ReturnType<typeof loadAllContent>> {
  const hasDatabase = isPostgresAddress(database) || existsSync(database);
  const rows = hasDatabase
    ? await withDatabase(database, async (opened) =>
        readStoredRows(await createContents(opened).all()),
      )
    : [];
  return loadAllContent(directory, { rows, environment: null });
}

/** Options that choose the contents to search. */
export const baseOptions: readonly Option[] = [
  {
    name: "content",
    value: "DIR",
    help: "directory that the backend reads beside the database (default: config/backend)",
  },
  { name: "language", value: "L", help: "language of the contents (default: the only one)" },
  ...databaseOptions,
];

/**
 * Opens the contents that the backend would search: those of the files, and of the database if it
 * exists.
 *
 * @throws AfterwordError `content-invalid`, or `argument-invalid` for a language without contents
 */
export async function openContentBase(args: Arguments, terminal: Terminal): Promise<ContentBase> {
  const directory = args.one("content") ?? "config/backend";
  const database = findDatabase(args, terminal);
  const { content, diagnostics } = await readAllContent(directory, database);
  if (content === null) throw createContentError(diagnostics);
  const bases = new Map(searchedIn(content).map((base) => [base.language, base]));
  const known = [...bases.keys()];
  const language = chooseLanguage(args.one("language"), known);
  const base = language === null ? undefined : bases.get(language);
  if (base === undefined) {
    const folder = relative(process.cwd(), resolve(directory)) || ".";
    const found =
      known.length === 0
        ? "no contents: write a file of contents, or run afterword backend import"
        : `contents in ${known.join(", ")}; name one of its languages with --language`;
    throw createArgumentError(args.command, `${folder} has ${found}`);
  }
  const { searchables, synonyms } = base;
  return {
    language: base.language,
    matcher: createMatcher(searchables, {
      language: base.language,
      synonyms,
      words: loadMatchingWords(base.language),
    }),
    titles: new Map(searchables.map(({ id, phrases }) => [id, phrases[0] ?? ""])),
    phrases: searchables.reduce((sum, { phrases }) => sum + phrases.length, 0),
  };
}

function chooseLanguage(given: string | null, known: readonly string[]): string | null {
  if (given !== null) return findKnownLanguage(given, new Set(known));
  return known.length === 1 ? (known[0] ?? null) : null;
}
