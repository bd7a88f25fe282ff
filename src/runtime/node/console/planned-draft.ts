import { dirname, join, relative } from "node:path";
import type { Finding } from "../../../api/console.ts";
import type { Config } from "../../../config/config.ts";
import { removeLine, removeText } from "../../../config/edit/messages.ts";
import { type TranslationUnit, unitsOf } from "../../../config/edit/unit.ts";
import {
  type Change,
  type LanguageChanges,
  type OwnDirectory,
  readOwnDirectories,
  planFiles,
  type Workbook,
  workbookOf,
} from "../../../config/edit/workbook.ts";
import { createReporter } from "../../../yaml/diagnostic.ts";
import { type Loaded, loadAll, type LoadOptions } from "../../../config/load/load.ts";
import type { Overlay } from "../../../config/load/load-messages.ts";
import {
  listMessageTexts,
  formatTextId,
  parseTextId,
  type TextAddress,
} from "../../../config/load/message-texts.ts";
import { readMessages } from "../../../config/load/read-messages.ts";
import { createSource } from "../../../yaml/source.ts";
import { channelName } from "../../../config/schema/values.ts";
import { textOf } from "../../../config/edit/write-files.ts";
import { formatUnifiedDiff } from "../../../gateway/console/unified-diff.ts";

/** A change of a text in a draft. */
export interface TextChange {
  readonly instance: string;
  readonly locale: string;
  readonly key: string;
  /** The name in translators' files; null for the line's own text, or that of the channel. */
  readonly id: string | null;
  readonly channel: string;
  /** Null removes the text, and for the line's own text the whole line. */
  readonly text: string | null;
}

export interface PlannedDraft {
  readonly files: readonly PlannedText[];
  /** The faults that keep a change out of its file. */
  readonly faults: readonly Finding[];
}

/** A file with the changes that belong to it. */
export interface PlannedText {
  /** Below the configuration's folder. */
  readonly file: string;
  readonly locale: string;
  /** The instances whose texts it has. */
  readonly instances: readonly string[];
  /** Null if there is no such file yet. */
  readonly before: string | null;
  /** Null if the changes do not fit into it. */
  readonly after: string | null;
  readonly diff: string;
  readonly changes: readonly (TextChange & {
    readonly id: string;
    /** The text in the file when the draft began. */
    readonly from: string | null;
    /** The text in the file now. */
    readonly theirs: string | null;
  })[];
}

/**
 * Plans the owner's files with the changes of a draft.
 *
 * @param bases the files as they were when the draft began, if known
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
  // The check explains why the file cannot be read.
  if (config === null || loaded.file === null) return { files: [], faults: [] };
  const folder = dirname(file);
  const directories = readOwnDirectories(loaded.file);
  const faults: Finding[] = [];
  // Only the latest change of each text counts.
  const latest = new Map(changes.map((one) => [`${one.instance} ${one.locale} ${idOf(one)}`, one]));
  const placed: DirectedChange[] = [...latest.values()].flatMap((change) => {
    const index = config.instances.findIndex(({ name }) => name === change.instance);
    const directory = directories[index];
    if (directory?.used !== true) {
      const message = `the instance "${change.instance}" says no texts of its own (messages: use lacks own)`;
      faults.push({ ...faultAt(relative(folder, file)), message });
      return [];
    }
    return [{ change, index, directory: directory.directory }];
  });
  const files = [...Map.groupBy(placed, nameOf).values()].flatMap((ofFile) =>
    planOne(ofFile, { folder, loaded, config, directories, faults, bases }),
  );
  return { files, faults };
}

/** Returns the planned files by absolute path, for a load. */
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

interface DirectedChange {
  readonly change: TextChange;
  readonly index: number;
  readonly directory: string;
}

function nameOf({ change: { locale }, directory }: DirectedChange): string {
  return `${directory} ${locale}`;
}

function faultAt(file: string): Omit<Finding, "message"> {
  return { severity: "error", code: "invalid-value", file, line: 1, column: 1 };
}

function planOne(
  ofFile: readonly DirectedChange[],
  context: {
    readonly folder: string;
    readonly loaded: Loaded;
    readonly config: Config;
    readonly directories: readonly OwnDirectory[];
    readonly faults: Finding[];
    readonly bases: Readonly<Record<string, string | null>>;
  },
): readonly PlannedText[] {
  const [first] = ofFile;
  if (first === undefined) return [];
  const { folder, loaded, config, directories, faults, bases } = context;
  const { index, directory } = first;
  const { locale } = first.change;
  const workbook = workbookOf(loaded, config, index, directory);
  const path = workbook.ownFile(locale);
  const name = relative(folder, path);
  const before = textOf(path);
  const theirs = textsById(before, locale);
  const refuse = (message: string): void => void faults.push({ ...faultAt(name), message });
  const language = changesOf(ofFile, workbook, theirs, refuse);
  const reporter = createReporter();
  const [planned] = planFiles([language], workbook, reporter);
  for (const { message, hint } of reporter.diagnostics()) {
    faults.push({ ...faultAt(name), message, ...(hint !== undefined && { hint }) });
  }
  const base = bases[name];
  const from = base === undefined ? theirs : textsById(base, locale);
  const kept = planned?.text ?? (language.changes.length === 0 ? before : null);
  const after = withoutTexts(kept, ofFile, refuse);
  return [
    {
      file: name,
      locale,
      instances: config.instances.flatMap((one, at) =>
        directories[at]?.directory === directory ? [one.name] : [],
      ),
      before,
      after,
      diff: after === null ? "" : formatUnifiedDiff(name, before, after),
      changes: ofFile.map(({ change }) => {
        const id = idOf(change);
        return { ...change, id, from: from.get(id) ?? null, theirs: theirs.get(id) ?? null };
      }),
    },
  ];
}

function changesOf(
  ofFile: readonly DirectedChange[],
  workbook: Workbook,
  theirs: ReadonlyMap<string, string>,
  refuse: (message: string) => void,
): LanguageChanges {
  const locale = ofFile[0]?.change.locale ?? "";
  const { sourceLocale } = workbook;
  const known = unitsOf(locale, workbook.sheet(sourceLocale), workbook.sheet(locale));
  const found = ofFile.flatMap(({ change: { key, channel, id: given, text } }): Change[] => {
    const address = given === null ? addressFor(key, channel) : parseTextId(key, given);
    const id = address === null ? given : formatTextId(address);
    if (address === null || (text === null && id !== key && !theirs.has(formatTextId(address)))) {
      refuse(`${locale} has no text "${id}"`);
      return [];
    }
    const unit = known.find((one) => one.id === id) ?? createUnit(formatTextId(address), address);
    return text === null ? [] : [{ unit, text }];
  });
  const filled = new Set([...theirs.keys(), ...found.map(({ unit }) => unit.id)]);
  for (const { id, origin } of known) if (origin === "shipped") filled.add(id);
  const sound = found.filter(({ unit: { id, address } }) => {
    const why = faultOf(address, filled);
    if (why !== null) refuse(`"${id}": ${why}`);
    return why === null;
  });
  const changes = sortInARow(sound, theirs);
  const changed = new Set(changes.map(({ unit }) => unit.id));
  const others = known.filter(({ id }) => !changed.has(id));
  return { locale, units: [...others, ...changes.map(({ unit }) => unit)], changes };
}

/** Gives the reason why a file cannot have a text at this key; null if it can. */
function faultOf({ key, branch, part }: TextAddress, filled: ReadonlySet<string>): string | null {
  if (branch.kind === "channel") {
    const read = channelName.safeParse(branch.name);
    if (!read.success) return read.error.issues[0]?.message ?? null;
  }
  if (part.kind !== "plural") return null;
  const other = formatTextId({ key, branch, part: { kind: "plural", category: "other" } });
  return filled.has(other) ? null : `the form "other" is needed too`;
}

function indexOf({ unit: { address } }: Change): number {
  return address.part.kind === "variant" ? address.part.index : 0;
}

/** Numbers new variants after the existing ones, even if one between them was withdrawn. */
function sortInARow(
  changes: readonly Change[],
  theirs: ReadonlyMap<string, string>,
): readonly Change[] {
  const taken = new Set(theirs.keys());
  return changes
    .toSorted((one, other) => indexOf(one) - indexOf(other))
    .map((change) => {
      const { id, address } = change.unit;
      if (address.part.kind !== "variant" || theirs.has(id)) return change;
      const variantAt = (index: number): TextAddress => ({
        ...address,
        part: { kind: "variant", index },
      });
      let index = 0;
      while (taken.has(formatTextId(variantAt(index)))) index++;
      const unit = {
        ...change.unit,
        id: formatTextId(variantAt(index)),
        address: variantAt(index),
      };
      taken.add(unit.id);
      return { ...change, unit };
    });
}

/** Removes texts from a file. */
function withoutTexts(
  text: string | null,
  ofFile: readonly DirectedChange[],
  refuse: (message: string) => void,
): string | null {
  const locale = ofFile[0]?.change.locale ?? "";
  const gone = ofFile.map(({ change }) => change).filter((change) => change.text === null);
  const order = [...textsById(text, locale).keys()];
  // The last come first, because variants and equal conditions are named by number.
  const sorted = gone.toSorted(
    (one, other) => order.indexOf(idOf(other)) - order.indexOf(idOf(one)),
  );
  return sorted.reduce((rest: string | null, change) => {
    const id = idOf(change);
    const address = parseTextId(change.key, id);
    const without =
      rest === null || address === null
        ? null
        : id === change.key
          ? removeLine(rest, locale, id)
          : removeText(rest, locale, address);
    if (without === null) refuse(`"${id}" cannot be taken out`);
    return without;
  }, text);
}

function idOf({ id, key, channel }: TextChange): string {
  return id ?? formatTextId(addressFor(key, channel));
}

/** Creates a unit for a key that no language has yet. */
function createUnit(id: string, address: TextAddress): TranslationUnit {
  const formats = { line: null, branch: null };
  return { id, address, source: null, target: null, origin: null, formats };
}

function addressFor(key: string, channel: string): TextAddress {
  const branch =
    channel === "" ? { kind: "line" as const } : { kind: "channel" as const, name: channel };
  return { key, branch, part: { kind: "text" } };
}

/** Reads the texts of a file by key; none from a file that cannot be read. */
function textsById(text: string | null, locale: string): ReadonlyMap<string, string> {
  const source = createSource("", text ?? "");
  const read = readMessages(source, locale, "own", createReporter());
  const texts = read === null ? [] : [...listMessageTexts(read)];
  return new Map(texts.map((one) => [formatTextId(one.address), one.text]));
}
