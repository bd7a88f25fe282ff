import { join } from "node:path";
import type { Draft } from "../../../api/console.ts";
import type { Grant } from "../../../api/console-session.ts";
import { mayChange, maySee, refuseLanguage } from "../../../gateway/console/access.ts";
import { isStorable, type DraftStore, unstorable } from "../../../gateway/console/editing.ts";
import type { DraftAddress, ImportRequest, ContentEdit } from "../../../gateway/console/files.ts";
import { type ConsoleAnswer, refuseWith, answerValue } from "../../../gateway/console/answer.ts";
import { refuseBy } from "../../../gateway/console/refusals.ts";
import { createKeyedQueue } from "../../../wait.ts";
import {
  type ContentDraftParts,
  draftedIn,
  isContentRow,
  putContent,
  takeContent,
  withContents,
} from "./content-drafts.ts";
import type { Drafted, PlannedBase } from "./content-reader.ts";
import { textOf } from "../../../config/edit/write-files.ts";
import type { PlannedText, TextChange } from "./planned-draft.ts";
import { draftOf } from "./shown-draft.ts";
import {
  addAuditEntry,
  type ConsoleDatabase,
  type DraftTextTable,
  type ConsoleQueries,
} from "./store.ts";
import type { FileTexts, Planned, TextReader } from "./text-files.ts";
import type { ConsoleTranslations } from "./translations.ts";

export interface EditingParts {
  /** The folder of the configuration, below which the files are. */
  readonly folder: string;
  readonly reader: TextReader;
  readonly translations: ConsoleTranslations;
  /** Null if there are no contents. */
  readonly contents: ContentDraftParts | null;
  /** Opens the database on first use. */
  readonly database: () => Promise<ConsoleDatabase>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface Drafts extends Pick<
  DraftStore,
  "put" | "importTexts" | "removeChange" | "discard" | "rebase"
> {
  /** Reads the contents that a label's draft changes. */
  drafted(grant: Grant): Promise<Drafted>;
  putContent(grant: Grant, edit: ContentEdit): Promise<number | ConsoleAnswer>;
  removeContentChange(grant: Grant, language: string, id: number): Promise<void>;
  opened(grant: Grant): Promise<OpenedDraft>;
}

export interface OpenedDraft {
  /** Null if there are no changes. */
  readonly planned: Planned | null;
  /** Null if it changes no contents. */
  readonly contents: PlannedBase | null;
  readonly draft: Draft;
  /** The files on which the draft is based. */
  readonly bases: FileTexts;
  /** When the latest change was made. */
  readonly latest: number;
}

/** Creates the store of unpublished changes, with a draft for each label. */
export function createDrafts(parts: EditingParts): Drafts {
  const { folder, database: opening, now } = parts;
  const inTurn = createKeyedQueue();
  const readDrafted = async ({ label }: Grant): Promise<Drafted> => {
    const { kysely } = await opening();
    return draftedIn(await rowsOf(kysely, label), await basesOf(kysely, label));
  };
  return {
    opened: (grant) => openDraft(parts, grant),
    drafted: readDrafted,
    // Contents are stored one after the other, so that two new ones get different ids.
    putContent: (grant, edit) =>
      inTurn("contents", async () => {
        if (parts.contents === null) {
          return refuseBy("no-content", { id: edit.id ?? 0, language: edit.language });
        }
        const own = { grant, database: await opening(), drafted: await readDrafted(grant) };
        return putContent(parts.contents, { ...own, at: now() }, edit);
      }),
    async removeContentChange({ label }, language, id) {
      const { kysely } = await opening();
      await takeContent(kysely, label, language, id);
      await dropUnusedFiles(kysely, label);
      await addAuditEntry(kysely, now(), label, "draft-delete", `content ${language} ${id}`);
    },
    put: (grant, address, text) =>
      storeChanges(parts, grant, [{ ...address, text }], "draft-put", nameOf(address)),
    importTexts: (grant, request) => importTexts(parts, grant, request),
    async removeChange({ label }, address) {
      const { kysely } = await opening();
      await take(kysely, label, address);
      await addAuditEntry(kysely, now(), label, "draft-delete", nameOf(address));
    },
    async discard({ label }) {
      const database = await opening();
      await database.transaction(async (queries) => {
        await queries.deleteFrom("draft_texts").where("label", "=", label).execute();
        await queries.deleteFrom("draft_files").where("label", "=", label).execute();
        await addAuditEntry(queries, now(), label, "draft-discard", "");
      });
    },
    async rebase({ label }, files) {
      const { kysely } = await opening();
      for (const file of files) {
        await kysely
          .updateTable("draft_files")
          .set({ text: textOf(join(folder, file)) })
          .where("label", "=", label)
          .where("file", "=", file)
          .execute();
      }
      await addAuditEntry(kysely, now(), label, "draft-rebase", files.join(" "));
    },
  };
}

async function openDraft(
  { database, reader, contents: own }: EditingParts,
  grant: Grant,
): Promise<OpenedDraft> {
  const { label } = grant;
  const { kysely } = await database();
  const rows = await rowsOf(kysely, label);
  if (rows.length === 0) {
    return { planned: null, contents: null, draft: EMPTY_DRAFT, bases: {}, latest: 0 };
  }
  const bases = await basesOf(kysely, label);
  const drafted = draftedIn(rows, bases);
  const texts = rows.filter((row) => !isContentRow(row));
  const hasContents = own !== null && drafted.changes.length > 0;
  const [planned, contents] = await Promise.all([
    reader.plan(texts, {}, bases),
    hasContents ? own.reader.plan(drafted) : null,
  ]);
  const draft = withContents(draftOf(planned, bases, grant), contents, bases);
  return { planned, contents, draft, bases, latest: rows.at(-1)?.at ?? 0 };
}

const EMPTY_DRAFT: Draft = { changes: [], contents: [], files: [], findings: [] };

async function importTexts(
  parts: EditingParts,
  grant: Grant,
  request: ImportRequest,
): Promise<ConsoleAnswer> {
  const read = await parts.translations.importTexts(request);
  if (read.kind !== "imported") return refuseWith(422, read.kind === "refused" ? read.why : "");
  const { changes, findings, unchanged, untranslated } = read;
  const faults = findings.filter(({ severity }) => severity === "error");
  if (faults.length > 0) {
    const first = faults.slice(0, 5);
    const why = first.map(({ file, line, message }) => `${file}:${line}: ${message}`);
    const rest = faults.length > 5 ? `; and ${faults.length - 5} more` : "";
    return refuseBy("not-taken", { why: `${why.join("; ")}${rest}` }, { findings });
  }
  const other = changes.find(({ locale }) => !mayChange(grant, locale))?.locale;
  if (other !== undefined) return refuseLanguage(grant, other);
  const details = `${request.instance} ${request.name}: ${changes.length}`;
  const refusal = await storeChanges(parts, grant, changes, "draft-import", details);
  if (refusal !== null) return refusal;
  const { draft } = await openDraft(parts, grant);
  return answerValue({ draft, taken: changes.length, unchanged, untranslated, findings });
}

/** Stores all changes or none. Returns the refusal; null if they are stored. */
async function storeChanges(
  { database: opening, reader, now }: EditingParts,
  grant: Grant,
  changes: readonly TextChange[],
  action: string,
  details: string,
): Promise<ConsoleAnswer | null> {
  if (changes.length === 0) return null;
  if (changes.some(({ text }) => text !== null && !isStorable(text))) return unstorable;
  const { label } = grant;
  const database = await opening();
  const rows = await rowsOf(database.kysely, label);
  // A new text may depend on another one of its line.
  const known = rows.filter((row) => changes.some((change) => isOfOneLine(row, change)));
  const planned = await reader.plan([...known, ...changes], {}, {});
  const refusal = refusalOf(planned, grant);
  if (refusal !== null) return refusal;
  const at = now();
  await database.transaction(async (queries) => {
    for (const file of planned.files) await insertTexts(queries, label, file, known, at);
    await addAuditEntry(queries, at, label, action, details);
  });
  return null;
}

function refusalOf({ files, faults, findings }: Planned, grant: Grant): ConsoleAnswer | null {
  const [fault] = faults;
  if (files.length === 0) {
    return refuseWith(422, (fault ?? findings[0])?.message ?? "There is no such text.");
  }
  const shared = files.find(({ instances }) => !instances.every((name) => maySee(grant, name)));
  if (shared !== undefined) {
    return refuseBy("other-instances", { file: shared.file });
  }
  // A draft only has changes that can be written into their files.
  return fault !== undefined || files.some(({ after }) => after === null)
    ? refuseWith(422, fault?.message ?? "The text cannot be put in.")
    : null;
}

/** @param known rows that stay as they are */
async function insertTexts(
  queries: ConsoleQueries,
  label: string,
  { file, before, changes }: PlannedText,
  known: readonly DraftTextTable[],
  at: number,
): Promise<void> {
  await queries
    .insertInto("draft_files")
    .values({ label, file, text: before })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const rows = changes
    .map(({ id, instance, locale, key, channel, text }): DraftTextTable => {
      return { label, file, id, instance, locale, key, channel, text, at };
    })
    .filter(
      ({ id, text }) =>
        !known.some((one) => one.file === file && one.id === id && one.text === text),
    );
  if (rows.length === 0) return;
  await queries
    .insertInto("draft_texts")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["label", "file", "id"]).doUpdateSet((row) => ({
        text: row.ref("excluded.text"),
        at,
      })),
    )
    .execute();
}

/** True if both changes concern the same line. */
function isOfOneLine(one: TextChange, other: TextChange): boolean {
  const { instance, locale, key } = other;
  return one.instance === instance && one.locale === locale && one.key === key;
}

function rowsOf(queries: ConsoleQueries, label: string): Promise<DraftTextTable[]> {
  return queries
    .selectFrom("draft_texts")
    .selectAll()
    .where("label", "=", label)
    .orderBy("at")
    .execute();
}

async function take(
  queries: ConsoleQueries,
  label: string,
  { instance, locale, key, id, channel }: DraftAddress,
): Promise<void> {
  const query = queries
    .deleteFrom("draft_texts")
    .where("label", "=", label)
    .where("instance", "=", instance)
    .where("locale", "=", locale)
    .where("key", "=", key);
  await (id === null ? query.where("channel", "=", channel) : query.where("id", "=", id)).execute();
  await dropUnusedFiles(queries, label);
}

/** Forgets files without changes, so that their next change is based on the file as it is then. */
async function dropUnusedFiles(queries: ConsoleQueries, label: string): Promise<void> {
  const used = queries.selectFrom("draft_texts").select("file").where("label", "=", label);
  await queries
    .deleteFrom("draft_files")
    .where("label", "=", label)
    .where("file", "not in", used)
    .execute();
}

function nameOf({ instance, locale, key, id, channel }: DraftAddress): string {
  return `${instance} ${locale} ${id ?? key + (channel === "" ? "" : ` (${channel})`)}`;
}

async function basesOf(queries: ConsoleQueries, label: string): Promise<FileTexts> {
  const rows = await queries
    .selectFrom("draft_files")
    .selectAll()
    .where("label", "=", label)
    .execute();
  return Object.fromEntries(rows.map(({ file, text }) => [file, text]));
}
