import { readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Config } from "../config.ts";
import { createReporter, type Reporter } from "../../yaml/diagnostic.ts";
import type { TextEdit } from "../load/message-texts.ts";
import type { Loaded } from "../load/load.ts";
import type { Overlay } from "../load/load-messages.ts";
import { isYamlName, readSource } from "../../yaml/read-file.ts";
import { type MessagesFile, readMessages } from "../load/read-messages.ts";
import { createSource, START } from "../../yaml/source.ts";
import type { YamlFile } from "../../yaml/yaml.ts";
import { configSchema } from "../schema/config.ts";
import { toCanonicalTag } from "../schema/values.ts";
import type { FileContent } from "./write-files.ts";
import { editMessages } from "./messages.ts";
import { isSameBranch, type LanguageSheet, type TranslationUnit } from "./unit.ts";

/** The files with the texts of one instance. */
export interface Workbook {
  /** The directory of the owner's files; it need not exist yet. */
  readonly directory: string;
  /** The default language, from which the others are translated. */
  readonly sourceLocale: string;
  /** Languages that have texts, the owner's or Afterword's. */
  readonly locales: readonly string[];
  /** Conversation variables that some instance lists. */
  readonly variables: ReadonlySet<string>;
  sheet(locale: string): LanguageSheet;
  /** Returns the path of the owner's file for a language, which may not exist yet. */
  ownFile(locale: string): string;
}

/**
 * Reads the texts of the instance of that index, with its own files in `directory`.
 *
 * @param overlay files instead of those on the disk
 */
export function workbookOf(
  { layers }: Pick<Loaded, "layers">,
  config: Config,
  index: number,
  directory: string,
  overlay: Overlay = new Map(),
): Workbook {
  const set = config.instances[index]?.tableSet ?? 0;
  const shipped = new Map(
    (layers[set] ?? [])
      .flatMap((layer) => Array.from(layer.values(), (compiled) => compiled.file))
      .filter(({ origin }) => origin === "shipped")
      .map((messages) => [messages.locale, messages]),
  );
  const own = readOwn(directory, overlay);
  return {
    directory,
    sourceLocale: config.tableSets[set]?.fallback ?? "en",
    locales: [...new Set([...own.keys(), ...shipped.keys()])].toSorted(),
    variables: new Set(config.instances.flatMap(({ variables }) => variables)),
    sheet: (locale) => ({ own: own.get(locale) ?? null, shipped: shipped.get(locale) ?? null }),
    ownFile: (locale) => own.get(locale)?.yaml.source.file ?? join(directory, `${locale}.yaml`),
  };
}

/** The directory of an instance's own messages files, and whether the instance uses them. */
export interface OwnDirectory {
  /** Absolute; it need not exist. */
  readonly directory: string;
  /** False when `use` leaves `own` out. */
  readonly used: boolean;
}

/**
 * Returns the directory of every instance of a valid configuration, in the file's order, or a single
 * one for a file without instances.
 */
export function readOwnDirectories(file: YamlFile): readonly OwnDirectory[] {
  const written = configSchema.parse(file.value);
  const base = dirname(file.source.file);
  return (written.instances ?? [{ messages: undefined }]).map(({ messages }) => ({
    directory: resolve(base, messages?.dir ?? written.messages?.dir ?? "./messages"),
    used: (messages?.use ?? written.messages?.use ?? ["own"]).includes("own"),
  }));
}

/** Texts of one language that are to change. */
export interface LanguageChanges {
  readonly locale: string;
  readonly units: readonly TranslationUnit[];
  readonly changes: readonly Change[];
}

export interface Change {
  readonly unit: TranslationUnit;
  readonly text: string;
}

/** The owner's files that change. What can't be put into a file is reported. */
export function planFiles(
  languages: readonly LanguageChanges[],
  workbook: Workbook,
  reporter: Reporter,
): readonly FileContent[] {
  return languages.flatMap((language): FileContent[] => {
    if (language.changes.length === 0) return [];
    const { locale } = language;
    const file = workbook.ownFile(locale);
    const { own } = workbook.sheet(locale);
    const before = own?.yaml.source.text ?? headOf(locale, workbook);
    const text = editMessages(before, locale, editsOf(language));
    if (text !== null) return [{ file, text }];
    const source = own?.yaml.source ?? createSource(file, "");
    const message = "this file's anchors or its shape leave no way to put these texts in";
    const hint = "Write the texts it shares out in full, then import again.";
    reporter.error(source, START, "invalid-value", message, hint);
    return [];
  });
}

/** Reads the owner's files again, which just loaded without an error, with their own names. */
function readOwn(directory: string, overlay: Overlay): ReadonlyMap<string, MessagesFile> {
  const files = new Map<string, MessagesFile>();
  const laid = [...overlay.keys()].filter((file) => dirname(file) === directory);
  for (const name of new Set([...namesIn(directory), ...laid.map((file) => basename(file))])) {
    const locale = toCanonicalTag(name.replace(/\.ya?ml$/i, ""));
    const reporter = createReporter();
    const file = join(directory, name);
    const over = overlay.get(file);
    if (over === null) continue;
    const source =
      over === undefined ? readSource(file, MAX_BYTES, reporter) : createSource(file, over);
    const read =
      source === null || locale === null ? null : readMessages(source, locale, "own", reporter);
    if (read !== null) files.set(read.locale, read);
  }
  return files;
}

const MAX_BYTES = 1_048_576;

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).filter(isYamlName).toSorted();
  } catch {
    return []; // the default directory need not exist
  }
}

/** Copies the line that names the schema for editors from another file in the directory. */
function headOf(locale: string, workbook: Workbook): string {
  const schema = workbook.locales
    .flatMap((other) => workbook.sheet(other).own?.yaml.source.text.split(/\r?\n/, 1) ?? [])
    .find((line) => line.startsWith("# yaml-language-server: $schema="));
  const name = new Intl.DisplayNames("en", { type: "language" }).of(locale) ?? locale;
  const first = schema === undefined ? "" : `${schema}\n#\n`;
  return `${first}# What the bot says in ${name}. A line that is not here comes from Afterword.\n`;
}

function editsOf({ units, changes }: LanguageChanges): readonly TextEdit[] {
  const texts = new Map(changes.map(({ unit, text }) => [unit.id, text]));
  for (const { unit } of changes) {
    for (const other of units) {
      if (other.origin !== "shipped" || other.target === null || texts.has(other.id)) continue;
      if (isWrittenWith(unit, other)) texts.set(other.id, other.target);
    }
  }
  return units.flatMap(({ id, address, formats }) => {
    const text = texts.get(id);
    return text === undefined ? [] : [{ address, text, formats }];
  });
}

/**
 * True if a text has to be written along with a changed one. An owner's plural or list of variants
 * replaces the shipped one as a whole, and an owner's text for all readers replaces the shipped texts
 * for channels and conditions. The texts that are to stay therefore go into the file as well.
 */
function isWrittenWith(changed: TranslationUnit, other: TranslationUnit): boolean {
  if (changed.address.key !== other.address.key) return false;
  if (isSameBranch(changed, other)) {
    const { kind } = changed.address.part;
    return kind !== "text" && kind === other.address.part.kind;
  }
  return changed.address.branch.kind === "line" && other.address.branch.kind !== "line";
}
