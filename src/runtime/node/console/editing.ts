import { join } from "node:path";
import type { Draft, ExportedChanges, Grant } from "../../../api/console.ts";
import { uncheckedOf } from "../../../gateway/console/access.ts";
import {
  createEditing,
  type OldPublication,
  type OpenedTexts,
  type StoredPublication,
} from "../../../gateway/console/editing.ts";
import type { Editing } from "../../../gateway/console/files.ts";
import { type Answer, refused, value } from "../../../gateway/console/answer.ts";
import { createDrafts, type EditingParts } from "./drafts.ts";
import { hashOf, textOf } from "../../../config/edit/write-files.ts";
import {
  type PublicationAim,
  type PublicationEntry,
  type PublishedFile,
  type ReloadFiles,
  publishFiles,
} from "./publications.ts";
import { audited } from "./store.ts";
import { unifiedDiff } from "../../../gateway/console/unified-diff.ts";

export interface FileEditing extends Editing {
  /** Notes in the audit log what nobody with a token did; the last of these stay. */
  note(action: string, details: string): Promise<void>;
}

/** Drafts in the database, publications in the owner's files. */
export function createFileEditing({
  reloadFiles,
  ...parts
}: EditingParts & {
  readonly reloadFiles: ReloadFiles;
}): FileEditing {
  const { folder, reader, now } = parts;
  const drafts = createDrafts(parts);
  let publishing: Promise<unknown> = Promise.resolve();

  const editing = createEditing({
    ...drafts,
    look: async () => undefined,
    opened,
    history,
    publication,
    hashOf: async (text) => hashOf(text),
    async reviews() {
      const { kysely } = await parts.database();
      return kysely.selectFrom("reviews").selectAll().execute();
    },
    async review({ label }, { locale, key, text, from, source }, wanted) {
      const database = await parts.database();
      await database.transaction(async (queries) => {
        await queries
          .deleteFrom("reviews")
          .where("locale", "=", locale)
          .where("key", "=", key)
          .where("text", "=", text)
          .where("from", "=", from)
          .execute();
        const at = now();
        const row = { locale, key, text, from, source, label, at };
        if (wanted) await queries.insertInto("reviews").values(row).execute();
        await audited(queries, at, label, wanted ? "review" : "review-delete", `${locale} ${key}`);
      });
    },
    async record({ label }, action, details) {
      const { kysely } = await parts.database();
      await audited(kysely, now(), label, action, details);
    },
    async audit() {
      const { kysely } = await parts.database();
      const rows = await kysely
        .selectFrom("audit")
        .selectAll()
        .orderBy("id", "desc")
        .limit(500)
        .execute();
      return rows.map(({ at, label, action, details }) => {
        return { at: new Date(at).toISOString(), label, action, details };
      });
    },
  });
  return {
    ...editing,
    publish: (grant, wish) => inTurn(() => editing.publish(grant, wish)),
    restore: (grant, id, wish) => inTurn(() => editing.restore(grant, id, wish)),
    async note(action, details) {
      const { kysely } = await parts.database();
      await audited(kysely, now(), NOBODY, action, details);
      const notes = kysely.selectFrom("audit").select("id").where("label", "=", NOBODY);
      const kept = notes.orderBy("id", "desc").limit(mostNotes);
      await kysely
        .deleteFrom("audit")
        .where("label", "=", NOBODY)
        .where("id", "not in", kept)
        .execute();
    },
  };

  /** One publication at a time. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = publishing.then(work);
    publishing = turn.catch(() => undefined);
    return turn;
  }

  async function opened(grant: Grant): Promise<OpenedTexts> {
    const { planned, draft, bases, latest } = await drafts.opened(grant);
    const files = (planned?.files ?? []).map(({ file, before, after, instances }) => {
      return { file, before, after, instances };
    });
    const config = planned?.config ?? null;
    return {
      draft,
      config,
      files,
      bases,
      async publish(note) {
        const aim = { wanted: config?.hash ?? null, drafted: latest };
        const csv = await csvOf(draft.changes, files);
        return write(grant, files, aim, csv, note, null);
      },
    };
  }

  async function publication(grant: Grant, id: number): Promise<OldPublication | null> {
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
      const current = textOf(join(folder, file));
      const names = namesIn(instances);
      return { file, before: current, after: before, instances: names, published: after };
    });
    return {
      files,
      async restore(wish) {
        const texts = Object.fromEntries(files.map(({ file, after }) => [file, after]));
        const { config, findings, loads } = await reader.plan([], texts, {});
        // Old texts may have what the check would not let in today.
        const errors = loads ? [] : findings.filter(({ severity }) => severity === "error");
        const aim = { wanted: config?.hash ?? null, drafted: 0 };
        return uncheckedOf(errors, wish) ?? write(grant, files, aim, [], wish.note, id);
      },
    };
  }

  async function write(
    grant: Grant,
    files: readonly PublishedFile[],
    aim: PublicationAim,
    csv: ExportedChanges["csv"],
    note: string,
    restores: number | null,
  ): Promise<Answer> {
    const database = await parts.database();
    const entry: PublicationEntry = { label: grant.label, note, restores, at: now() };
    const changed = files.filter(({ before, after }) => before !== after);
    if (changed.length === 0) return refused(422, "The files say this already.");
    const written = await publishFiles(database, folder, changed, entry, reloadFiles, aim);
    const diffs = changed.map(({ file, before, after }) => unifiedDiff(file, before, after));
    const takeAway = { patch: diffs.join(""), csv };
    if (written.kind === "published") return value({ ...written, takeAway });
    if (written.kind === "refused") {
      // It may be about a file of an instance that the token is not for.
      const why = grant.instances === null ? written.why : "the log says why";
      return refused(503, `The files could not be put in force, and are as before: ${why}`);
    }
    if (written.kind === "changed") {
      return refused(
        409,
        `${written.file} was changed a moment ago: look again. Nothing was written.`,
      );
    }
    if (written.kind === "busy") {
      return refused(409, "Somebody else is publishing: look again. Nothing was written.");
    }
    const { code } = written.fault;
    const message = written.fault.message.replaceAll(`${folder}/`, "");
    if (!READ_ONLY.has(code)) return refused(503, `Nothing was published: ${message}`);
    return value({ kind: "patch", reason: message, takeAway });
  }

  /** As the files will be, a table for each instance that the changes were made for. */
  async function csvOf(
    changes: Draft["changes"],
    files: readonly PublishedFile[],
  ): Promise<ExportedChanges["csv"]> {
    const texts = Object.fromEntries(files.map(({ file, after }) => [file, after]));
    const tables = [...Map.groupBy(changes, ({ instance }) => instance)].map(
      async ([instance, ofInstance]) => {
        const locales = [...new Set(ofInstance.map(({ locale }) => locale))];
        const keys = [...new Set(ofInstance.map(({ key }) => key))];
        const wish = { instance, format: "csv" as const, locales, keys };
        const made = await parts.translations.exported(wish, texts);
        return made.kind === "exported" ? [{ name: `${instance}.csv`, text: made.text }] : [];
      },
    );
    return (await Promise.all(tables)).flat();
  }

  async function history(): Promise<readonly StoredPublication[]> {
    const { kysely } = await parts.database();
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
    return rows.map(({ id, label, note, at, restores, snapshot }) => {
      const own = files.filter(({ publication }) => publication === id);
      const shown = own.map(({ file, before, after, instances }) => {
        return {
          file,
          before,
          after,
          instances: namesIn(instances),
          now: textOf(join(folder, file)),
        };
      });
      return {
        id,
        label,
        note,
        at: new Date(at).toISOString(),
        restores,
        snapshot,
        files: shown,
      };
    });
  }
}

/** Stands in the place of a label; no token has it. */
const NOBODY = "(nobody)";
/** They must not push what people did out of the log. */
const mostNotes = 200;

/** What the system says of places where nobody may write. */
const READ_ONLY: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EROFS"]);

function namesIn(json: string): readonly string[] {
  const names: unknown = JSON.parse(json);
  return Array.isArray(names) ? names.map(String) : [];
}
