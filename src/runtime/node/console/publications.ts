import { join } from "node:path";
import type { EditedFile } from "../../../gateway/console/editing.ts";
import {
  removeDraftsOf,
  textOf,
  writeFiles,
  type WriteFault,
} from "../../../config/edit/write-files.ts";
import { toStorable } from "../../../storage/storable.ts";
import { lockFoldersOf } from "./folder-locks.ts";
import {
  addAuditEntry,
  type ConsoleDatabase,
  openConsoleDatabase,
  type PublicationTable,
} from "./store.ts";

export interface PublicationEntry {
  readonly label: string;
  readonly note: string;
  readonly restores: number | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly imported: ImportEntry | null;
}

/** An import of contents. */
export interface ImportEntry {
  /** The kind of the file. */
  readonly format: string;
  /** The file's name. */
  readonly source: string;
  /** The greatest id that it gave to a content. */
  readonly last: number;
}

export type PublicationOutcome =
  | { readonly kind: "published"; readonly id: number; readonly snapshot: string }
  /** The files and the configuration in force are unchanged. */
  | { readonly kind: "unwritten"; readonly fault: WriteFault }
  /** Somebody else has changed this file meanwhile. */
  | { readonly kind: "changed"; readonly file: string }
  /** Another process is publishing one of these files. */
  | { readonly kind: "busy" }
  | { readonly kind: "refused"; readonly why: string };

/**
 * Reads the files anew, and returns the result in force, or the reason why it is not.
 *
 * @param expected the hash of the configuration that the files should make; null for any
 * @param contents the hash that the directory of contents should have; null for any
 */
export type ReloadFiles = (
  expected: string | null,
  contents?: string | null,
) => Promise<{ readonly snapshot: string } | { readonly snapshot: null; readonly why: string }>;

export interface PublicationAim {
  /** The hash of the configuration that the files should make. */
  readonly expected: string | null;
  /** The hash that the directory of contents should have; absent if none of them is published. */
  readonly contents?: string | undefined;
  /** The time of the latest change that is published. Later changes stay in the draft. */
  readonly drafted: number;
}

/**
 * Publishes one set of files at a time among all processes that publish into the same folders.
 * Publications of processes that ended midway are finished first.
 */
export async function publishFiles(
  database: ConsoleDatabase,
  folder: string,
  files: readonly EditedFile[],
  entry: PublicationEntry,
  reloadFiles: ReloadFiles,
  aim: PublicationAim,
): Promise<PublicationOutcome> {
  const paths = files.map(({ file }) => join(folder, file));
  const locks = await lockFoldersOf(paths, lockPatience);
  if (locks.kind === "busy") return locks;
  if (locks.kind === "unlockable") {
    return { kind: "unwritten", fault: { code: "ENOLCK", file: folder, message: locks.why } };
  }
  try {
    const names = new Set(files.map(({ file }) => file));
    for (const { begun, files: theirs } of await findUnfinished(database)) {
      // The process that began to write these files has ended: it no longer holds the lock.
      if (theirs.some(({ file }) => names.has(file))) {
        await finishEntry(database, folder, begun, theirs);
      }
    }
    return await writePublication(database, folder, files, entry, reloadFiles, aim);
  } finally {
    locks.release();
  }
}

/**
 * Writes files as one unit and puts them in force. The database has the new texts before the first
 * file is touched, so that a start after a crash can finish the publication.
 */
export async function writePublication(
  database: ConsoleDatabase,
  folder: string,
  files: readonly EditedFile[],
  entry: PublicationEntry,
  reloadFiles: ReloadFiles,
  { expected, contents, drafted }: PublicationAim,
): Promise<PublicationOutcome> {
  const id = await database.durable(async (queries) => {
    const names = files.map(({ file }) => file);
    const other = await queries
      .selectFrom("publication_files")
      .innerJoin("publications", "publications.id", "publication_files.publication")
      .select("publications.id")
      .where("publications.state", "=", "writing")
      .where("publication_files.file", "in", names)
      .executeTakeFirst();
    if (other !== undefined) return null;
    const { imported, ...about } = entry;
    const values = {
      ...about,
      note: toStorable(entry.note),
      state: "writing" as const,
      snapshot: null,
      format: imported?.format ?? null,
      source: imported === null ? null : toStorable(imported.source),
      last: imported?.last ?? null,
    };
    const made = await queries
      .insertInto("publications")
      .values(values)
      .returning("id")
      .executeTakeFirstOrThrow();
    const rows = files.map(({ file, before, after, instances }) => ({
      file,
      before,
      after,
      publication: made.id,
      instances: JSON.stringify(instances),
    }));
    await queries.insertInto("publication_files").values(rows).execute();
    return made.id;
  });
  if (id === null) return { kind: "busy" };
  const changed = files.find(({ file, before }) => textOf(join(folder, file)) !== before);
  if (changed !== undefined) {
    await undo(database, folder, id, []);
    return { kind: "changed", file: changed.file };
  }
  const fault = await writeFiles(files.map(({ file, after }) => toFileState(folder, file, after)));
  if (fault !== null) {
    await undo(database, folder, id, files);
    return { kind: "unwritten", fault };
  }
  const taken = await reloadFiles(expected, contents);
  if (taken.snapshot === null) {
    await undo(database, folder, id, files);
    await reloadFiles(null, contents === undefined ? undefined : null);
    return { kind: "refused", why: taken.why };
  }
  await finish(database, id, entry, { snapshot: taken.snapshot, drafted });
  return { kind: "published", id, snapshot: taken.snapshot };
}

/**
 * Finishes publications of processes that ended midway, or takes them back if somebody has changed
 * one of their files since. Returns the number of publications.
 *
 * @param file the console's database
 */
export async function finishPublications(file: string, folder: string): Promise<number> {
  const database = await openConsoleDatabase(file);
  let finished = 0;
  try {
    for (const { begun, files } of await findUnfinished(database)) {
      const paths = files.map(({ file: name }) => join(folder, name));
      const locks = await lockFoldersOf(paths, lockPatience);
      if (locks.kind === "busy") continue;
      try {
        // Another process may have finished it meanwhile.
        const still = await findUnfinished(database, begun.id);
        if (still.length === 0) continue;
        await finishEntry(database, folder, begun, files);
        finished++;
      } finally {
        if (locks.kind === "locked") locks.release();
      }
    }
    return finished;
  } finally {
    await database.close();
  }
}

interface Unfinished {
  readonly begun: PublicationEntry & { readonly id: number };
  readonly files: readonly Pick<EditedFile, "file" | "before" | "after">[];
}

/** Finds publications that are being written, or were when their process ended. */
async function findUnfinished(
  { kysely }: ConsoleDatabase,
  id?: number,
): Promise<readonly Unfinished[]> {
  const all = kysely.selectFrom("publications").selectAll().where("state", "=", "writing");
  const open = await (id === undefined ? all : all.where("id", "=", id)).execute();
  const lists = open.map(async (row) => {
    const begun = { ...row, imported: importOf(row) };
    const files = await kysely
      .selectFrom("publication_files")
      .selectAll()
      .where("publication", "=", begun.id)
      .execute();
    return { begun, files };
  });
  return Promise.all(lists);
}

/** Reads the import that a publication carried out; null for any other publication. */
export function importOf({ format, source, last }: ImportColumns): ImportEntry | null {
  return format === null ? null : { format, source: source ?? "", last: last ?? 0 };
}

type ImportColumns = Pick<PublicationTable, "format" | "source" | "last">;

async function finishEntry(
  database: ConsoleDatabase,
  folder: string,
  begun: Unfinished["begun"],
  files: Unfinished["files"],
): Promise<void> {
  for (const one of files) await removeDraftsOf(join(folder, one.file));
  const isUntouched = files.every(({ file, before, after }) =>
    [before, after].includes(textOf(join(folder, file))),
  );
  const fault = isUntouched
    ? await writeFiles(files.map(({ file, after }) => toFileState(folder, file, after)))
    : true;
  if (fault !== null) await undo(database, folder, begun.id, files);
  else await finish(database, begun.id, begun, { snapshot: null, drafted: begun.at });
}

function toFileState(folder: string, file: string, text: string | null) {
  return { file: join(folder, file), text };
}

async function finish(
  database: ConsoleDatabase,
  id: number,
  { label, note, restores, at: time, imported }: PublicationEntry,
  { snapshot, drafted }: { readonly snapshot: string | null; readonly drafted: number },
): Promise<void> {
  await database.durable(async (queries) => {
    const values = { state: "done" as const, snapshot };
    await queries.updateTable("publications").set(values).where("id", "=", id).execute();
    if (restores === null && imported === null) {
      // A text that was changed meanwhile stays in the draft, with the present files as its base.
      await queries
        .deleteFrom("draft_texts")
        .where("label", "=", label)
        .where("at", "<=", drafted)
        .execute();
      await queries.deleteFrom("draft_files").where("label", "=", label).execute();
    }
    const details = `${id}${restores === null ? "" : ` takes back ${restores}`}: ${imported?.source ?? note}`;
    const written = imported === null ? "publish" : "contents-import";
    await addAuditEntry(queries, time, label, restores === null ? written : "restore", details);
  });
}

/** Restores the former files. If that fails too, the next start tries again. */
async function undo(
  database: ConsoleDatabase,
  folder: string,
  id: number,
  files: readonly Pick<EditedFile, "file" | "before" | "after">[],
): Promise<void> {
  const written = files.filter(
    ({ file, before, after }) => before !== after && textOf(join(folder, file)) === after,
  );
  const fault = await writeFiles(
    written.map(({ file, before }) => toFileState(folder, file, before)),
  );
  if (fault !== null) return;
  const values = { state: "undone" as const };
  await database.durable((queries) =>
    queries.updateTable("publications").set(values).where("id", "=", id).execute(),
  );
}

/** Milliseconds. A publication takes a second, or several when it is refused. */
const lockPatience = 20_000;
