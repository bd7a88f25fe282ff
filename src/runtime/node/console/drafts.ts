import { join } from "node:path";
import type { Draft, Grant, LineFinding } from "../../../api/console.ts";
import { maySee } from "../../../gateway/console/access.ts";
import type { DraftPlace, Editing } from "../../../gateway/console/files.ts";
import { type Answer, refused, value } from "../../../gateway/console/answer.ts";
import { storable } from "../../../storage/storable.ts";
import { hashOf, textOf } from "./file-text.ts";
import type { PlannedText } from "./planned-draft.ts";
import { audited, type ConsoleDatabase, type DraftTextTable, type Queries } from "./store.ts";
import type { FileTexts, Planned, TextReader } from "./text-files.ts";

export interface EditingParts {
  /** The folder of the configuration, below which the files are. */
  readonly folder: string;
  readonly reader: TextReader;
  /** Opens it when it is needed first. */
  readonly database: () => Promise<ConsoleDatabase>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface Drafts extends Pick<Editing, "draft" | "put" | "takeOut" | "discard" | "rebase"> {
  opened(label: string): Promise<OpenedDraft>;
}

export interface OpenedDraft {
  /** Null: there are no changes. */
  readonly planned: Planned | null;
  readonly draft: Draft;
  /** The files as the draft was begun with them. */
  readonly bases: FileTexts;
  /** When the latest of the changes came. */
  readonly latest: number;
}

/** What people have changed and not published: a draft for each label. */
export function createDrafts({ folder, reader, database: opening, now }: EditingParts): Drafts {
  return {
    opened,
    async draft(label) {
      const { planned, draft } = await opened(label);
      return { draft, config: planned?.config ?? null };
    },
    async put(grant, place, text) {
      const { kysely } = await opening();
      const { label } = grant;
      const refusal = await store(kysely, grant, place, text);
      if (refusal !== null) return refusal;
      await audited(kysely, now(), label, "draft-put", nameOf(place));
      return value((await opened(label)).draft);
    },
    async takeOut({ label }, place) {
      const { kysely } = await opening();
      await take(kysely, label, place);
      await audited(kysely, now(), label, "draft-delete", nameOf(place));
      return value((await opened(label)).draft);
    },
    async discard({ label }) {
      const database = await opening();
      await database.transaction(async (queries) => {
        await queries.deleteFrom("draft_texts").where("label", "=", label).execute();
        await queries.deleteFrom("draft_files").where("label", "=", label).execute();
        await audited(queries, now(), label, "draft-discard", "");
      });
      return value((await opened(label)).draft);
    },
    async rebase({ label }, files) {
      const { kysely } = await opening();
      const { draft } = await opened(label);
      const meant = draft.files.filter(({ file }) => files.length === 0 || files.includes(file));
      for (const { file } of meant) {
        await kysely
          .updateTable("draft_files")
          .set({ text: textOf(join(folder, file)) })
          .where("label", "=", label)
          .where("file", "=", file)
          .execute();
      }
      const names = meant.map(({ file }) => file).join(" ");
      await audited(kysely, now(), label, "draft-rebase", names);
      return value((await opened(label)).draft);
    },
  };

  async function opened(label: string): Promise<OpenedDraft> {
    const { kysely } = await opening();
    const rows = await kysely
      .selectFrom("draft_texts")
      .selectAll()
      .where("label", "=", label)
      .orderBy("at")
      .execute();
    const none = { changes: [], files: [], findings: [] };
    if (rows.length === 0) return { planned: null, draft: none, bases: {}, latest: 0 };
    const bases = await basesOf(kysely, label);
    const planned = await reader.plan(rows, {}, bases);
    return { planned, draft: draftOf(planned, bases), bases, latest: rows.at(-1)?.at ?? 0 };
  }

  async function store(
    queries: Queries,
    grant: Grant,
    place: DraftPlace,
    text: string | null,
  ): Promise<Answer | null> {
    if (text !== null && storable(text) !== text) {
      return refused(422, "A text cannot have the character U+0000, nor half a surrogate pair.");
    }
    const planned = await reader.plan([{ ...place, text }], {}, {});
    const [file] = planned.files;
    const [change] = file?.changes ?? [];
    if (file === undefined || change === undefined) {
      return refused(422, planned.findings[0]?.message ?? "There is no such text.");
    }
    const others = file.instances.filter((name) => !maySee(grant, name));
    if (others.length > 0) {
      const message = `${file.file} is also spoken by instances that your token (${grant.label}) is not for.`;
      return refused(403, message);
    }
    // What does not fit into its file at all is no draft.
    if (file.after === null || planned.faults.length > 0) {
      return refused(422, planned.faults[0]?.message ?? "The text cannot be put in.");
    }
    const { instance, locale, key, channel, id } = change;
    const { label } = grant;
    const at = now();
    const row: DraftTextTable = {
      label,
      file: file.file,
      id,
      instance,
      locale,
      key,
      channel,
      text,
      at,
    };
    await queries
      .insertInto("draft_files")
      .values({ label, file: file.file, text: file.before })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await queries
      .insertInto("draft_texts")
      .values(row)
      .onConflict((conflict) => conflict.columns(["label", "file", "id"]).doUpdateSet({ text, at }))
      .execute();
    return null;
  }
}

async function take(
  queries: Queries,
  label: string,
  { instance, locale, key, id, channel }: DraftPlace,
): Promise<void> {
  const query = queries
    .deleteFrom("draft_texts")
    .where("label", "=", label)
    .where("instance", "=", instance)
    .where("locale", "=", locale)
    .where("key", "=", key);
  await (id === null ? query.where("channel", "=", channel) : query.where("id", "=", id)).execute();
  // The next change of a file begins with the file of its time.
  const used = queries.selectFrom("draft_texts").select("file").where("label", "=", label);
  await queries
    .deleteFrom("draft_files")
    .where("label", "=", label)
    .where("file", "not in", used)
    .execute();
}

function nameOf({ instance, locale, key, id, channel }: DraftPlace): string {
  return `${instance} ${locale} ${id ?? key + (channel === "" ? "" : ` (${channel})`)}`;
}

async function basesOf(queries: Queries, label: string): Promise<FileTexts> {
  const rows = await queries
    .selectFrom("draft_files")
    .selectAll()
    .where("label", "=", label)
    .execute();
  return Object.fromEntries(rows.map(({ file, text }) => [file, text]));
}

function draftOf(planned: Planned, bases: FileTexts): Draft {
  const baseOf = ({ file, before }: PlannedText): string | null => {
    const base = bases[file];
    return base === undefined ? before : base;
  };
  const changes = planned.files.flatMap(({ file, changes: ofFile }) =>
    ofFile.map(({ instance, locale, key, id, text, from, theirs }) => {
      return { instance, locale, key, id, text, file, before: from, theirs };
    }),
  );
  const files = planned.files.map((one) => ({
    file: one.file,
    hash: hashOf(baseOf(one)),
    conflict: baseOf(one) !== one.before,
    diff: one.diff,
  }));
  const keys = new Set(changes.map(({ file, key }) => `${file} ${key}`));
  const lines = new Map<string, LineFinding>();
  // Instances may share a file.
  for (const line of planned.sets.flatMap((set) => set.lines)) lines.set(placeOf(line), line);
  const findings = planned.findings.flatMap((finding) => {
    const line = lines.get(placeOf(finding));
    if (finding.severity === "error") return [line ?? finding];
    return line !== undefined && keys.has(`${line.file} ${line.key}`) ? [line] : [];
  });
  return { changes, files, findings };
}

function placeOf({ file, line, column, code }: Draft["findings"][number]): string {
  return `${file} ${line} ${column} ${code}`;
}
