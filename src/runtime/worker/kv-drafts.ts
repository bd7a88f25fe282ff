import type { Draft, DraftChange } from "../../api/console.ts";
import type { AuditEntry } from "../../api/console-health.ts";
import type { Config, InstanceConfig } from "../../config/config.ts";
import { AfterwordError } from "../../errors.ts";
import type { StoredReview } from "../../gateway/console/files.ts";
import { formatUnifiedDiff } from "../../gateway/console/unified-diff.ts";
import type { Platform } from "../../gateway/exchange/platform.ts";
import { pause } from "../../wait.ts";
import type { TextNamespace } from "./platform.ts";
import type { ChangedTexts, PublishedTexts } from "./pushed-texts.ts";
import { faultsOf, readOwnTexts, withTextsChanged } from "./text-edits.ts";

/** A label's changes, under a separate key, so that two people do not overwrite each other. */
export interface StoredDraft {
  readonly changes: readonly StoredChange[];
  /** The texts when the changes were begun, by file. */
  readonly bases: Readonly<Record<string, string | null>>;
  readonly log: readonly AuditEntry[];
}

export interface StoredChange {
  readonly instance: string;
  readonly locale: string;
  readonly key: string;
  readonly text: string | null;
  readonly from: string | null;
  readonly at: number;
}

/** The notes of everybody. */
export interface StoredNotes {
  readonly reviews: readonly StoredReview[];
  readonly log: readonly AuditEntry[];
}

/** The texts of an instance in a language, as if they were a file of messages: `shop/fr.yaml`. */
export interface TextFile {
  readonly file: string;
  readonly instance: InstanceConfig;
  readonly instances: readonly string[];
  readonly locale: string;
}

/** The changes that are not published, and the history. */
export interface KvDrafts {
  opened(label: string): Promise<OpenedKvDraft>;
  /** Changes the draft of a token, and adds that to the audit log. */
  change(
    label: string,
    action: string,
    details: string,
    changed: (stored: StoredDraft) => StoredDraft,
  ): Promise<void>;
  notes(): Promise<StoredNotes>;
  /** Adds an entry to the audit log, and stores the present reviews. */
  note(entry: Omit<AuditEntry, "at">, reviews?: readonly StoredReview[]): Promise<void>;
  audit(): Promise<readonly AuditEntry[]>;
}

export interface OpenedKvDraft {
  readonly draft: Draft;
  /** The configuration in force, with the changes; null if there are none. */
  readonly edited: Config | null;
  readonly files: ReadonlyMap<string, ChangedFile>;
  readonly bases: StoredDraft["bases"];
  /** The time of the latest change. */
  readonly latest: number;
}

export interface ChangedFile {
  readonly file: string;
  readonly instances: readonly string[];
  /** The text now, by line. */
  readonly own: Readonly<Record<string, string>>;
  /** Its lines in order, with the changes. */
  readonly keys: readonly string[];
  readonly before: string | null;
  readonly after: string | null;
  readonly diff: string;
  /** The lines that change, as a version keeps them. */
  readonly texts: PublishedTexts;
}

/** @param config the configuration in force */
export function createKvDrafts(
  store: TextNamespace,
  config: () => Config,
  { now, digest }: Pick<Platform, "now" | "digest">,
): KvDrafts {
  return {
    opened: async (label) => openDraft(config(), await read(toDraftKey(label), noDraft), digest),
    change: (label, action, details, changed) =>
      edit(toDraftKey(label), noDraft, { label, action, details }, changed),
    notes: () => read(notesKey, noNotes),
    note: (entry, reviews) =>
      edit(notesKey, noNotes, entry, (known) => ({ ...known, ...(reviews && { reviews }) })),
    async audit() {
      const { keys } = await guardCall(() => store.list({ prefix: toDraftKey("") }));
      const drafts = await Promise.all(keys.map(({ name }) => read(name, noDraft)));
      const logs = [await read(notesKey, noNotes), ...drafts].flatMap(({ log }) => log);
      return logs.toSorted((one, other) => (one.at < other.at ? 1 : -1)).slice(0, maxEntries);
    },
  };

  async function read<Stored>(key: string, none: Stored): Promise<Stored> {
    const text = await guardCall(() => store.get(key));
    return text === null ? none : JSON.parse(text);
  }

  async function edit<Stored extends StoredDraft | StoredNotes>(
    key: string,
    none: Stored,
    entry: Omit<AuditEntry, "at">,
    changed: (stored: Stored) => Stored,
  ): Promise<void> {
    const stored = await read(key, none);
    const at = new Date(now()).toISOString();
    const log = [{ at, ...entry }, ...stored.log].slice(0, maxEntries);
    const text = JSON.stringify({ ...changed(stored), log });
    const put = (): Promise<void> => store.put(key, text);
    await guardCall(() => put().catch(() => pause(betweenWrites).then(put)));
  }
}

const noDraft: StoredDraft = { changes: [], bases: {}, log: [] };
const noNotes: StoredNotes = { reviews: [], log: [] };

/** Opens a draft on the texts in force. */
async function openDraft(
  current: Config,
  { changes, bases }: StoredDraft,
  digest: Platform["digest"],
): Promise<OpenedKvDraft> {
  const byFile = Map.groupBy(changes, (one) => fileOf(current, one)?.file ?? "");
  // A change of a text that the instance no longer has is dropped.
  byFile.delete("");
  const files = new Map<string, ChangedFile>();
  let edited = current;
  for (const [name, ofFile] of byFile) {
    const file = fileOf(current, ofFile[0] ?? { instance: "", locale: "" });
    if (file === null) continue;
    const texts = Object.fromEntries(ofFile.map(({ key, text }) => [key, text]));
    edited = withTextsChanged(edited, file.instance, file.locale, texts);
    files.set(name, createChangedFile(current, edited, file, texts));
  }
  const listedFiles = await Promise.all(
    Array.from(files, async ([file, { before, diff }]) => {
      const base = bases[file] === undefined ? before : bases[file];
      const hash = base === null ? null : await digest(base);
      return { file, hash, conflict: base !== before, diff };
    }),
  );
  const listed = [...byFile].flatMap(([file, ofFile]) =>
    ofFile.map(({ instance, locale, key, text, from }): DraftChange => {
      const { instances = [], own = {} } = files.get(file) ?? {};
      const theirs = own[key] ?? null;
      return { instance, instances, locale, key, id: key, text, file, before: from, theirs };
    }),
  );
  const findings = listed.flatMap((one) => findingsOf(edited, one, files));
  const draft = { changes: listed, contents: [], files: listedFiles, findings };
  const latest = Math.max(0, ...changes.map(({ at }) => at));
  return { draft, edited: files.size === 0 ? null : edited, files, bases, latest };
}

function findingsOf(
  edited: Config,
  { instance, locale, key, text, file }: DraftChange,
  files: OpenedKvDraft["files"],
): Draft["findings"] {
  const of = edited.instances.find(({ name }) => name === instance);
  if (of === undefined || text === null) return [];
  const line = (files.get(file)?.keys.indexOf(key) ?? 0) + 1;
  const tables = edited.tableSets[of.tableSet]?.channels[""] ?? {};
  const faults = faultsOf(of, key, text, tables[locale]?.lines[key] ?? []);
  return faults.map((fault) => ({ ...fault, file, line, column: 1, key, locale }));
}

const maxEntries = 500;
const notesKey = "afterword:console";

function toDraftKey(label: string): string {
  return `${notesKey}:draft:${encodeURIComponent(label)}`;
}

/** A key accepts one write per second, and throws for more. */
const betweenWrites = 1100;

export async function guardCall<Value>(call: () => Promise<Value>): Promise<Value> {
  try {
    return await call();
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new AfterwordError("call-failed", `KV failed, try again: ${detail}`);
  }
}

/** Null if there is no such instance. */
export function fileOf(
  { instances }: Config,
  { instance: name, locale }: { readonly instance: string; readonly locale: string },
): TextFile | null {
  const asked = instances.find((one) => one.name === name);
  const sharing = instances.filter(({ tableSet }) => tableSet === asked?.tableSet);
  const [instance] = sharing;
  if (instance === undefined) return null;
  const names = sharing.map((one) => one.name);
  return { file: nameOf(instance, locale), instance, instances: names, locale };
}

export function nameOf({ name }: InstanceConfig, locale: string): string {
  return `${name}/${locale}.yaml`;
}

/** Creates a file with its text before and after changes. */
export function createChangedFile(
  current: Config,
  edited: Config,
  file: TextFile,
  changes: ChangedTexts,
): ChangedFile {
  const { instance, instances, locale, file: name } = file;
  const textsIn = (config: Config): Readonly<Record<string, string>> => {
    const set = config.tableSets[instance.tableSet];
    return set === undefined ? {} : readOwnTexts(set, locale);
  };
  const [own, fresh] = [textsIn(current), textsIn(edited)];
  const [before, after] = [textIn(own), textIn(fresh)];
  const keys = Object.keys(changes);
  const texts: PublishedTexts = {
    instance: instance.name,
    instances,
    locale,
    before: Object.fromEntries(keys.map((key) => [key, own[key] ?? null])),
    after: Object.fromEntries(keys.map((key) => [key, fresh[key] ?? null])),
  };
  const diff = formatUnifiedDiff(name, before, after);
  return { file: name, instances, own, keys: Object.keys(fresh), before, after, diff, texts };
}

/** Formats texts as a file of messages, quoted as JSON, which is YAML. Null if there are none. */
export function textIn(texts: ChangedTexts): string | null {
  const lines = Object.entries(texts)
    .filter(([, text]) => text !== null)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, text]) => `${key}: ${JSON.stringify(text)}\n`);
  return lines.length === 0 ? null : lines.join("");
}
