import { dirname, join, relative } from "node:path";
import type { Finding } from "../../../api/console.ts";
import type { Config } from "../../../config/config.ts";
import { removeLine } from "../../../config/edit/messages.ts";
import { type TranslationUnit, unitsOf } from "../../../config/edit/unit.ts";
import {
  type LanguageChanges,
  type OwnDirectory,
  ownDirectories,
  planFiles,
  type Workbook,
  workbookOf,
} from "../../../config/edit/workbook.ts";
import { createReporter } from "../../../config/load/diagnostic.ts";
import { type Loaded, loadAll, type LoadOptions } from "../../../config/load/load.ts";
import type { Overlay } from "../../../config/load/load-messages.ts";
import { messageTexts, placeId } from "../../../config/load/message-texts.ts";
import { readMessages } from "../../../config/load/read-messages.ts";
import { createSource } from "../../../config/load/source.ts";
import { textOf } from "./file-text.ts";
import { unifiedDiff } from "./unified-diff.ts";

/** A text that somebody wants to be said. */
export interface TextChange {
  readonly instance: string;
  readonly locale: string;
  readonly key: string;
  /** As translators' files name it; null: the line's own text, or that of the channel. */
  readonly id: string | null;
  readonly channel: string;
  /** Null: the whole line is to go. */
  readonly text: string | null;
}

export interface PlannedDraft {
  readonly files: readonly PlannedText[];
  /** What keeps a change out of its file. */
  readonly faults: readonly Finding[];
}

/** A file with the changes that belong to it. */
export interface PlannedText {
  /** Below the configuration's folder. */
  readonly file: string;
  readonly locale: string;
  /** Whose texts it has. */
  readonly instances: readonly string[];
  /** Null: there is none yet. */
  readonly before: string | null;
  /** Null: the changes could not be put in. */
  readonly after: string | null;
  readonly diff: string;
  readonly changes: readonly (TextChange & {
    readonly id: string;
    /** What the file said there in the beginning. */
    readonly from: string | null;
    /** What it says there now. */
    readonly theirs: string | null;
  })[];
}

/**
 * What becomes of the owner's files when somebody's changes are put into them.
 *
 * @param bases the files as the changes were begun with them, where that is known
 */
export async function planDraft(
  file: string,
  options: LoadOptions,
  changes: readonly TextChange[],
  bases: Readonly<Record<string, string | null>>,
): Promise<PlannedDraft> {
  if (changes.length === 0) return { files: [], faults: [] };
  const loaded = await loadAll(file, options);
  const config = loaded.config ?? loaded.draft;
  // Why nothing could be made of it, the check says.
  if (config === null || loaded.file === null) return { files: [], faults: [] };
  const folder = dirname(file);
  const directories = ownDirectories(loaded.file);
  const faults: Finding[] = [];
  const wanted: Wanted[] = changes.flatMap((change) => {
    const index = config.instances.findIndex(({ name }) => name === change.instance);
    const directory = directories[index];
    if (directory?.used !== true) {
      const message = `the instance "${change.instance}" says no texts of its own (messages: use lacks own)`;
      faults.push({ ...faultAt(relative(folder, file)), message });
      return [];
    }
    return [{ change, index, directory: directory.directory }];
  });
  const files = [...Map.groupBy(wanted, nameOf).values()].flatMap((ofFile) =>
    planOne(ofFile, { folder, loaded, config, directories, faults, bases }),
  );
  return { files, faults };
}

/** As loads take it: absolute paths. */
export function overlayOf(
  folder: string,
  files: readonly PlannedText[],
  texts: Readonly<Record<string, string | null>>,
): Overlay {
  return new Map([
    ...files.flatMap(({ file, after }): [string, string][] =>
      after === null ? [] : [[join(folder, file), after]],
    ),
    ...Object.entries(texts).map(([file, text]) => [join(folder, file), text] as const),
  ]);
}

interface Wanted {
  readonly change: TextChange;
  readonly index: number;
  readonly directory: string;
}

function nameOf({ change: { locale }, directory }: Wanted): string {
  return `${directory} ${locale}`;
}

function faultAt(file: string): Omit<Finding, "message"> {
  return { severity: "error", code: "invalid-value", file, line: 1, column: 1 };
}

function planOne(
  wanted: readonly Wanted[],
  context: {
    readonly folder: string;
    readonly loaded: Loaded;
    readonly config: Config;
    readonly directories: readonly OwnDirectory[];
    readonly faults: Finding[];
    readonly bases: Readonly<Record<string, string | null>>;
  },
): readonly PlannedText[] {
  const [first] = wanted;
  if (first === undefined) return [];
  const { folder, loaded, config, directories, faults, bases } = context;
  const { index, directory } = first;
  const { locale } = first.change;
  const workbook = workbookOf(loaded, config, index, directory);
  const path = workbook.ownFile(locale);
  const name = relative(folder, path);
  const language = changesOf(wanted, workbook, (message) => {
    faults.push({ ...faultAt(name), message });
  });
  const reporter = createReporter();
  const [planned] = planFiles([language], workbook, reporter);
  for (const { message, hint } of reporter.diagnostics()) {
    faults.push({ ...faultAt(name), message, ...(hint !== undefined && { hint }) });
  }
  const before = textOf(path);
  const theirs = textsById(before, locale);
  const base = bases[name];
  const from = base === undefined ? theirs : textsById(base, locale);
  const after = withoutLines(planned?.text ?? (language.changes.length === 0 ? before : null), {
    locale,
    keys: wanted.flatMap(({ change }) => (change.text === null ? [change.key] : [])),
    refuse: (key) =>
      faults.push({ ...faultAt(name), message: `the line "${key}" cannot be taken out` }),
  });
  return [
    {
      file: name,
      locale,
      instances: config.instances.flatMap((one, at) =>
        directories[at]?.directory === directory ? [one.name] : [],
      ),
      before,
      after,
      diff: after === null ? "" : unifiedDiff(name, before, after),
      changes: wanted.map(({ change }) => {
        const id = idOf(change);
        return { ...change, id, from: from.get(id) ?? null, theirs: theirs.get(id) ?? null };
      }),
    },
  ];
}

function changesOf(
  wanted: readonly Wanted[],
  workbook: Workbook,
  refuse: (message: string) => void,
): LanguageChanges {
  const locale = wanted[0]?.change.locale ?? "";
  const { sourceLocale } = workbook;
  const known = unitsOf(locale, workbook.sheet(sourceLocale), workbook.sheet(locale));
  const changes = wanted.flatMap(({ change }) => {
    const id = idOf(change);
    const place = placeFor(change.key, change.channel);
    const unit =
      known.find((one) => one.id === id) ?? (id === placeId(place) ? newUnit(id, place) : null);
    if (unit === null) refuse(`${locale} has no text "${id}"`);
    return unit === null || change.text === null ? [] : [{ unit, text: change.text }];
  });
  const added = changes.flatMap(({ unit }) => (known.includes(unit) ? [] : [unit]));
  return { locale, units: [...known, ...added], changes };
}

/** A text whose lines are to go, where each stands on lines of its own. */
function withoutLines(
  text: string | null,
  {
    locale,
    keys,
    refuse,
  }: {
    readonly locale: string;
    readonly keys: readonly string[];
    readonly refuse: (key: string) => void;
  },
): string | null {
  return keys.reduce((rest: string | null, key) => {
    const without = rest === null ? null : removeLine(rest, locale, key);
    if (without === null) refuse(key);
    return without;
  }, text);
}

function idOf({ id, key, channel }: TextChange): string {
  return id ?? placeId(placeFor(key, channel));
}

/** A text at a place that no language has yet: of a line, or of a channel. */
function newUnit(id: string, place: TranslationUnit["place"]): TranslationUnit {
  const formats = { line: null, branch: null };
  return { id, place, source: null, target: null, origin: null, formats };
}

function placeFor(key: string, channel: string): TranslationUnit["place"] {
  const branch =
    channel === "" ? { kind: "line" as const } : { kind: "channel" as const, name: channel };
  return { key, branch, part: { kind: "text" } };
}

/** The texts of a file by the names of their places; none of a file that cannot be read. */
function textsById(text: string | null, locale: string): ReadonlyMap<string, string> {
  const source = createSource("", text ?? "");
  const read = readMessages(source, locale, "own", createReporter());
  const texts = read === null ? [] : [...messageTexts(read)];
  return new Map(texts.map((one) => [placeId(one.place), one.text]));
}
