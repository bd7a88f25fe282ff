import { basename, join, relative } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Draft, ExportedChanges } from "../../../api/console.ts";
import type { Grant } from "../../../api/console-session.ts";
import { uncheckedOf } from "../../../gateway/console/access.ts";
import {
  createEditing,
  type EditedFile,
  type OldPublication,
  type OpenedTexts,
  type StoredPublication,
} from "../../../gateway/console/editing.ts";
import type { Editing, ReviewedText } from "../../../gateway/console/files.ts";
import { type ConsoleAnswer, answerValue } from "../../../gateway/console/answer.ts";
import { refuseBy, refuseUnwritten, toUnwrittenFile } from "../../../gateway/console/refusals.ts";
import { planRestored } from "./content-drafts.ts";
import { createDrafts, type Drafts, type EditingParts } from "./drafts.ts";
import { hashOf, textOf } from "../../../config/edit/write-files.ts";
import {
  type ImportEntry,
  importOf,
  type PublicationAim,
  type PublicationEntry,
  type ReloadFiles,
  publishFiles,
} from "./publications.ts";
import { noteForNobody, readAudit } from "./audit.ts";
import { addAuditEntry, type ConsoleDatabase } from "./store.ts";
import type { ConsoleTranslations } from "./translations.ts";
import { createKeyedQueue } from "../../../wait.ts";
import { formatUnifiedDiff } from "../../../gateway/console/unified-diff.ts";

export interface FileEditing extends Editing {
  readonly contents: Pick<Drafts, "drafted" | "putContent" | "removeContentChange">;
  /** Writes the content files of an import, and puts them in force. */
  publishImport(grant: Grant, written: WrittenImport): Promise<ConsoleAnswer>;
  /** Writes an event without a token to the audit log; the latest of these are kept. */
  note(action: string, details: string): Promise<void>;
}

/** Content files of an import. */
export interface WrittenImport extends ImportEntry {
  /** None of them exists. */
  readonly files: readonly { readonly file: string; readonly text: string }[];
  /** The hash that the directory of contents will have; null if the bot does not use it yet. */
  readonly contents: string | null;
}

export interface FileEditingParts extends EditingParts {
  readonly reloadFiles: ReloadFiles;
}

/** Drafts in the database, publications in the owner's files. */
export function createFileEditing(parts: FileEditingParts): FileEditing {
  const { folder, database, now } = parts;
  const drafts = createDrafts(parts);
  const inTurn = createKeyedQueue();
  const known: KnownChanges = new Map();
  const editing = createEditing({
    ...drafts,
    look: async () => undefined,
    opened: (grant) => openTexts(parts, drafts, grant),
    history: async () => readHistory(await database(), folder, known),
    publication: (grant, id) => findPublication(parts, grant, id),
    hashOf: async (text) => hashOf(text),
    async reviews() {
      const { kysely } = await database();
      return kysely.selectFrom("reviews").selectAll().execute();
    },
    review: async (grant, review, isReviewed) =>
      storeReview(await database(), grant, { ...review, at: now() }, isReviewed),
    async record({ label }, action, details) {
      const { kysely } = await database();
      await addAuditEntry(kysely, now(), label, action, details);
    },
    audit: async () => readAudit(await database()),
  });
  return {
    ...editing,
    contents: drafts,
    publish: (grant, request) => inTurn("publication", () => editing.publish(grant, request)),
    restore: (grant, id, request) =>
      inTurn("publication", () => editing.restore(grant, id, request)),
    publishImport: (grant, { files, contents: hash, ...imported }) =>
      inTurn("publication", () => {
        const instances = parts.contents?.instances() ?? [];
        const made = files.map(({ file, text }) => ({
          file: relative(folder, file),
          before: null,
          after: text,
          instances,
        }));
        const aim = { expected: null, drafted: 0, ...(hash !== null && { contents: hash }) };
        const entry = { aim, csv: [], note: "", restores: null, imported };
        return publishTexts(parts, grant, { ...entry, files: made });
      }),
    note: async (action, details) => noteForNobody(await database(), now(), action, details),
  };
}

async function openTexts(
  parts: FileEditingParts,
  drafts: Drafts,
  grant: Grant,
): Promise<OpenedTexts> {
  const { planned, contents, draft, bases, latest } = await drafts.opened(grant);
  const texts = planned?.files ?? [];
  const instances = parts.contents?.instances() ?? [];
  const ofContents = (contents?.files ?? []).map((file) => ({ ...file, instances }));
  const files = [...texts, ...ofContents];
  const config = planned?.config ?? null;
  return {
    draft,
    config,
    files,
    bases,
    async publish(note) {
      const aim = { expected: config?.hash ?? null, contents: contents?.hash, drafted: latest };
      const csv = await exportCsv(parts.translations, draft.changes, texts);
      const about = { note, restores: null, imported: null };
      return publishTexts(parts, grant, { files, aim, csv, ...about });
    },
  };
}

async function findPublication(
  parts: FileEditingParts,
  grant: Grant,
  id: number,
): Promise<OldPublication | null> {
  const { kysely } = await parts.database();
  const rows = await kysely
    .selectFrom("publication_files")
    .innerJoin("publications", "publications.id", "publication_files.publication")
    .select(["file", "before", "after", "instances"])
    .where("publications.id", "=", id)
    .where("publications.state", "=", "done")
    .execute();
  if (rows.length === 0) return null;
  const files = rows.map(({ file, before, after, instances }) => {
    const current = textOf(join(parts.folder, file));
    const names = namesIn(instances);
    return { file, before: current, after: before, instances: names, published: after };
  });
  return {
    files,
    async restore(request) {
      const texts = Object.fromEntries(files.map(({ file, after }) => [file, after]));
      const { config, findings, loads } = await parts.reader.plan([], texts, {});
      const contents = await planRestored(parts.contents, texts);
      // Old texts may contain what the check would refuse today.
      const errors = [
        ...(loads ? [] : findings),
        ...(contents === null || contents.loads ? [] : contents.findings),
      ].filter(({ severity }) => severity === "error");
      const aim = { expected: config?.hash ?? null, contents: contents?.hash, drafted: 0 };
      const about = { note: request.note, restores: id, imported: null };
      const restored = { files, aim, csv: [], ...about };
      return uncheckedOf(errors, request) ?? publishTexts(parts, grant, restored);
    },
  };
}

interface NewPublication extends Pick<PublicationEntry, "note" | "restores" | "imported"> {
  readonly files: readonly EditedFile[];
  readonly aim: PublicationAim;
  readonly csv: ExportedChanges["csv"];
}

async function publishTexts(
  { database, folder, reloadFiles, now }: FileEditingParts,
  grant: Grant,
  { files, aim, csv, note, restores, imported }: NewPublication,
): Promise<ConsoleAnswer> {
  const changed = files.filter(({ before, after }) => before !== after);
  if (changed.length === 0) return refuseBy("nothing-new");
  const entry: PublicationEntry = { label: grant.label, note, restores, imported, at: now() };
  const written = await publishFiles(await database(), folder, changed, entry, reloadFiles, aim);
  const diffs = changed.map(({ file, before, after }) => formatUnifiedDiff(file, before, after));
  const takeAway = { patch: diffs.join(""), csv };
  switch (written.kind) {
    case "published":
      return answerValue({ ...written, takeAway });
    case "refused": {
      // The reason may concern a file of an instance that the token is not for.
      const why = grant.instances === null ? written.why : "the log says why";
      return refuseBy("not-in-force", { why });
    }
    case "changed":
      return refuseBy("changed", { file: written.file });
    case "busy":
      return refuseBy("busy");
    case "unwritten": {
      const fault = toUnwrittenFile(written.fault, folder);
      const { code, file, why } = fault;
      // A preview has no diff to download; the command writes the same files.
      if (READ_ONLY.has(code) && imported === null) {
        return answerValue({ kind: "patch", reason: why, file, code, takeAway });
      }
      return refuseUnwritten(fault);
    }
  }
}

/** Exports the changed files, with a table for each instance that the changes were made for. */
async function exportCsv(
  translations: ConsoleTranslations,
  changes: Draft["changes"],
  files: readonly EditedFile[],
): Promise<ExportedChanges["csv"]> {
  const texts = Object.fromEntries(files.map(({ file, after }) => [file, after]));
  const tables = [...Map.groupBy(changes, ({ instance }) => instance)].map(
    async ([instance, ofInstance]) => {
      const locales = [...new Set(ofInstance.map(({ locale }) => locale))];
      const keys = [...new Set(ofInstance.map(({ key }) => key))];
      const request = { instance, format: "csv" as const, locales, keys };
      const made = await translations.exportTexts(request, texts);
      return made.kind === "exported" ? [{ name: `${instance}.csv`, text: made.text }] : [];
    },
  );
  return (await Promise.all(tables)).flat();
}

/** The changes of the history's publications, by number and file, which never change. */
type KnownChanges = Map<string, FileChanges>;
type FileChanges = Pick<StoredPublication["files"][number], "changes" | "contents">;

async function readHistory(
  { kysely }: ConsoleDatabase,
  folder: string,
  known: KnownChanges,
): Promise<readonly StoredPublication[]> {
  const rows = await kysely
    .selectFrom("publications")
    .selectAll()
    .where("state", "=", "done")
    .orderBy("id", "desc")
    .limit(50)
    .execute();
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const files = await kysely
    .selectFrom("publication_files")
    .selectAll()
    .where("publication", "in", ids)
    .orderBy("file")
    .execute();
  // Starting the gateway does not load the parser.
  const { compareMessages } = await import("../../../config/edit/messages.ts");
  const { compareContents } = await import("./planned-contents.ts");
  const fresh: KnownChanges = new Map();
  for (const { publication, file, before, after } of files) {
    const name = `${publication} ${file}`;
    const locale = basename(file).replace(/\.ya?ml$/, "");
    // Requests are handled between two files.
    if (!known.has(name)) await nextTurn();
    const find = (): FileChanges => ({
      changes: compareMessages(before, after, locale).map((one) => ({ locale, ...one })),
      contents: compareContents(before, after),
    });
    fresh.set(name, known.get(name) ?? find());
  }
  known.clear();
  for (const [name, changes] of fresh) known.set(name, changes);
  return rows.map(({ id, label, note, at, restores, snapshot, ...row }) => {
    const own = files.filter(({ publication }) => publication === id);
    const shown = own.map(({ file, before, after, instances }) => {
      const now = textOf(join(folder, file));
      const changes = fresh.get(`${id} ${file}`) ?? { changes: [], contents: [] };
      return { file, before, after, instances: namesIn(instances), now, ...changes };
    });
    const time = new Date(at).toISOString();
    const imported = importOf(row);
    return { id, label, note, at: time, restores, imported, snapshot, files: shown };
  });
}

async function storeReview(
  database: ConsoleDatabase,
  { label }: Grant,
  { locale, key, text, from, source, at }: ReviewedText & { readonly at: number },
  isReviewed: boolean,
): Promise<void> {
  await database.transaction(async (queries) => {
    await queries
      .deleteFrom("reviews")
      .where("locale", "=", locale)
      .where("key", "=", key)
      .where("text", "=", text)
      .where("from", "=", from)
      .execute();
    const row = { locale, key, text, from, source, label, at };
    if (isReviewed) await queries.insertInto("reviews").values(row).execute();
    await addAuditEntry(
      queries,
      at,
      label,
      isReviewed ? "review" : "review-delete",
      `${locale} ${key}`,
    );
  });
}

/** The system's codes for places that are not writable. */
const READ_ONLY: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EROFS"]);

function namesIn(json: string): readonly string[] {
  const names: unknown = JSON.parse(json);
  return Array.isArray(names) ? names.map(String) : [];
}
