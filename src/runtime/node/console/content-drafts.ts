import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { ContentDetails, ContentFields } from "../../../api/console-contents.ts";
import type { Draft } from "../../../api/console.ts";
import type { Grant } from "../../../api/console-session.ts";
import { CONTENT_FIELDS, readContentFields } from "../../../backend/content/content-fields.ts";
import { hashOf, textOf } from "../../../config/edit/write-files.ts";
import { refuseUnseen } from "../../../gateway/console/access.ts";
import { type ConsoleAnswer, refuseWith } from "../../../gateway/console/answer.ts";
import { refuseBy } from "../../../gateway/console/refusals.ts";
import { isStorable, unstorable } from "../../../gateway/console/editing.ts";
import type { ContentEdit } from "../../../gateway/console/files.ts";
import { parseJson } from "../../../json/values.ts";
import type { ContentReader, Drafted, PlannedBase } from "./content-reader.ts";
import { type ContentDraft, findDifferingFields } from "./planned-contents.ts";
import {
  addAuditEntry,
  type ConsoleDatabase,
  type ConsoleQueries,
  type DraftTextTable,
} from "./store.ts";
import type { FileTexts } from "./text-files.ts";

export interface ContentDraftParts {
  /** The folder of the configuration, below which the files are. */
  readonly folder: string;
  readonly reader: ContentReader;
  /** True for a file, below the folder, in the directory of the contents. */
  readonly isFile: (file: string) => boolean;
  /** The instances that use the contents. */
  readonly instances: () => readonly string[];
}

/** Picks the changes of contents from a label's rows. */
export function draftedIn(rows: readonly DraftTextTable[], bases: FileTexts): Drafted {
  const changes = rows.filter(isContentRow).map(({ id, locale, file, text }): ContentDraft => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const kept = parseJson(text ?? "null") as Kept | null;
    const number = Number(id.slice(prefix.length));
    return {
      language: locale,
      file,
      id: number,
      fields: kept?.fields ?? null,
      like: kept?.like,
    };
  });
  return { changes, bases };
}

/** A row keeps the fields of a content that change, and the model of a copy. */
interface Kept {
  readonly fields: Partial<ContentFields>;
  readonly like?: number | undefined;
}

/** True for the change of a content; the others are of texts. */
export function isContentRow({ key }: Pick<DraftTextTable, "key">): boolean {
  return key === CONTENT;
}

/** A draft together with its contents. */
export function withContents(draft: Draft, planned: PlannedBase | null, bases: FileTexts): Draft {
  if (planned === null) return draft;
  const contents = planned.files.flatMap(({ changes }) => changes);
  const changed = new Set(contents.map(({ language, id }) => `${language} ${id}`));
  const files = planned.files.map(({ file, before, diff }) => {
    const base = bases[file] === undefined ? before : bases[file];
    return { file, hash: hashOf(base), conflict: base !== before, diff };
  });
  const findings = planned.findings.filter(
    ({ severity, content }) =>
      severity === "error" ||
      (severity === "warning" &&
        content !== undefined &&
        changed.has(`${content.language} ${content.id}`)),
  );
  return {
    ...draft,
    contents,
    files: [...draft.files, ...files],
    findings: [...draft.findings, ...findings],
  };
}

/** A label's draft as its database has it. */
export interface OwnDraft {
  readonly grant: Grant;
  readonly database: ConsoleDatabase;
  readonly drafted: Drafted;
  readonly at: number;
}

/** Puts a content into a label's draft. Returns its id, or a refusal. */
export async function putContent(
  { folder, reader, instances }: ContentDraftParts,
  { grant, database, drafted, at }: OwnDraft,
  edit: ContentEdit,
): Promise<number | ConsoleAnswer> {
  const { language, fields } = edit;
  const target = await reader.findTarget(drafted, language, edit.id);
  const least = Math.max(edit.least, target.id);
  const id = edit.id ?? (await findFreeId(database, least));
  const { file } = target;
  if (target.stored) return refuseBy("in-database");
  const shown = target.exists ? await reader.details(drafted, language, id) : null;
  // A few fields of a content that was deleted after its owner read it are no whole content.
  const isDeleted = shown === null || shown.draft === "removed";
  if (edit.id !== null && edit.seen !== null && fields !== null && isDeleted) {
    return refuseBy("content-deleted", { id, language });
  }
  // A deleted content keeps its id if it is put back whole, because no new content gets that id.
  const isDeletedId = async (): Promise<boolean> => {
    const { id: next } = await reader.findTarget(drafted, language, null);
    return id < (await findFreeId(database, next));
  };
  const isPossible =
    edit.id === null ||
    target.exists ||
    (fields !== null && (target.isElsewhere || (await isDeletedId())));
  if (!isPossible) return refuseBy("no-content", { id, language });
  const refusal = refuseUnseen(grant, [{ file, instances: instances() }]);
  if (refusal !== null) return refusal;
  const stale = findStale(edit, shown?.fields ?? null);
  if (stale !== undefined) {
    const message = `"${stale}" of content ${id} was changed meanwhile: look at it again. Nothing was overwritten.`;
    return refuseWith(409, message, { fields: shown?.fields });
  }
  const kept = drafted.changes.find((one) => one.language === language && one.id === id);
  const before = shown === null ? null : await readBefore(reader, drafted, shown);
  const like = kept?.like ?? (before === null ? (edit.like ?? undefined) : undefined);
  const model = like === undefined ? null : await reader.details(drafted, language, like);
  const start = shown?.fields ?? model?.fields ?? readContentFields(null);
  const changed = fields === null ? null : findDifferingFields(before, { ...start, ...fields });
  const isNothing =
    changed === null ? before === null : before !== null && Object.keys(changed).length === 0;
  const text = changed === null ? null : JSON.stringify({ fields: changed, like });
  const texts = Object.values(changed ?? {})
    .flat()
    .filter((one) => typeof one === "string");
  if (!texts.every(isStorable)) return unstorable;
  await database.transaction(async (queries) => {
    if (isNothing) await takeContent(queries, grant.label, language, id);
    else
      await insertContent(queries, grant.label, join(folder, file), {
        file,
        language,
        id,
        text,
        at,
      });
    await addAuditEntry(queries, at, grant.label, "draft-put", `content ${language} ${id}`);
  });
  return id;
}

/** Finds the fields that the file had when the draft was begun. */
async function readBefore(
  reader: ContentReader,
  drafted: Drafted,
  { language, id, written }: ContentDetails,
): Promise<ContentFields | null> {
  const planned = await reader.plan(drafted);
  const changes = planned.files.flatMap((file) => file.changes);
  const change = changes.find((one) => one.language === language && one.id === id);
  return change === undefined ? written : change.before;
}

/** Plans the contents with old files; null if none of these files has contents. */
export async function planRestored(
  contents: ContentDraftParts | null,
  texts: FileTexts,
): Promise<PlannedBase | null> {
  const own = Object.entries(texts).filter(([file]) => contents?.isFile(file) === true);
  if (contents === null || own.length === 0) return null;
  return contents.reader.plan({ changes: [], bases: {} }, Object.fromEntries(own));
}

/** The first field that somebody else has changed since it was seen. */
function findStale(
  { fields, seen }: ContentEdit,
  shown: ContentFields | null,
): keyof ContentFields | undefined {
  if (shown === null || seen === null || fields === null) return undefined;
  return CONTENT_FIELDS.find(
    (name) =>
      fields[name] !== undefined &&
      seen[name] !== undefined &&
      !isDeepStrictEqual(seen[name], shown[name]) &&
      !isDeepStrictEqual(fields[name], shown[name]),
  );
}

/**
 * Finds an id that no content has had, because links and counts of a deleted one must not lead to
 * another. Ids of all drafts, of the audit log, and of imports that were taken back count as taken.
 */
export async function findFreeId({ kysely }: ConsoleDatabase, least: number): Promise<number> {
  const drafted = kysely.selectFrom("draft_texts").select("id").where("key", "=", CONTENT);
  const logged = kysely
    .selectFrom("audit")
    .select("details as id")
    .distinct()
    .where("action", "=", "draft-put")
    .where("details", "like", `${prefix}%`);
  const rows = await drafted.union(logged).execute();
  const ids = rows.map(({ id }) => Number(id.slice(id.lastIndexOf(" ") + 1)) || 0);
  const imports = await kysely
    .selectFrom("publications")
    .select(({ fn }) => fn.max("last").as("last"))
    .executeTakeFirst();
  return [...ids, imports?.last ?? 0].reduce((most, id) => Math.max(most, id + 1), least);
}

interface ContentRow {
  readonly file: string;
  readonly language: string;
  readonly id: number;
  readonly text: string | null;
  readonly at: number;
}

/** @param path the file's, which the draft is begun with */
async function insertContent(
  queries: ConsoleQueries,
  label: string,
  path: string,
  { file, language, id, text, at }: ContentRow,
): Promise<void> {
  await queries
    .insertInto("draft_files")
    .values({ label, file, text: textOf(path) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = { label, file, id: `${prefix}${id}`, instance: "", locale: language };
  await queries
    .insertInto("draft_texts")
    .values({ ...row, key: CONTENT, channel: "", text, at })
    .onConflict((conflict) => conflict.columns(["label", "file", "id"]).doUpdateSet({ text, at }))
    .execute();
}

/** Removes the change of a content from a draft. */
export async function takeContent(
  queries: ConsoleQueries,
  label: string,
  language: string,
  id: number,
): Promise<void> {
  await queries
    .deleteFrom("draft_texts")
    .where("label", "=", label)
    .where("key", "=", CONTENT)
    .where("locale", "=", language)
    .where("id", "=", `${prefix}${id}`)
    .execute();
}

/** Replaces the name of a line. */
const CONTENT = "content";
const prefix = "content ";
