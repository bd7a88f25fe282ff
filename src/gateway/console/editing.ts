import type { Conflict, Draft, Publication, PublishedChange } from "../../api/console.ts";
import type { Grant } from "../../api/console-session.ts";
import type { PublishedContent } from "../../api/console-contents.ts";
import type { Config } from "../../config/config.ts";
import {
  refuseConflicts,
  maySee,
  noPublication,
  refuseUnseen,
  isStale,
  uncheckedOf,
} from "./access.ts";
import { type ConsoleAnswer, answerValue } from "./answer.ts";
import { refuseBy } from "./refusals.ts";
import type { DraftAddress, Editing, PublicationRequest } from "./files.ts";
import { formatUnifiedDiff } from "./unified-diff.ts";

/** Keeps drafts and publications: in files and a database on Node, in KV on Workers. */
export interface DraftStore extends Pick<
  Editing,
  "importTexts" | "reviews" | "review" | "record" | "audit"
> {
  /** Brings what is in force up to date before a publication. */
  look(): Promise<void>;
  opened(grant: Grant): Promise<OpenedTexts>;
  /** Puts a text into the draft, or says why it cannot. */
  put(grant: Grant, address: DraftAddress, text: string | null): Promise<ConsoleAnswer | null>;
  removeChange(grant: Grant, address: DraftAddress): Promise<void>;
  discard(grant: Grant): Promise<void>;
  rebase(grant: Grant, files: readonly string[]): Promise<void>;
  /** The latest first. */
  history(): Promise<readonly StoredPublication[]>;
  publication(grant: Grant, id: number): Promise<OldPublication | null>;
  hashOf(text: string | null): Promise<string | null>;
}

export interface EditedFile {
  /** Below the configuration's folder. */
  readonly file: string;
  /** The instances whose texts it has. */
  readonly instances: readonly string[];
  /** The text now; null if there is none. */
  readonly before: string | null;
  readonly after: string | null;
}

export interface OpenedTexts {
  readonly draft: Draft;
  /** The configuration with the draft; null where none can be made. */
  readonly config: Config | null;
  readonly files: readonly EditedFile[];
  /** The files when the draft was begun. */
  readonly bases: Readonly<Record<string, string | null>>;
  publish(note: string): Promise<ConsoleAnswer>;
}

/** A publication that can be restored to the state before it. */
export interface OldPublication {
  /** `after` is their text before it, `published` the text that it wrote. */
  readonly files: readonly (EditedFile & { readonly published: string | null })[];
  restore(request: PublicationRequest): Promise<ConsoleAnswer>;
}

export interface StoredPublication extends Omit<Publication, "files" | "imported"> {
  readonly imported: { readonly format: string; readonly source: string } | null;
  readonly files: readonly (EditedFile & {
    /** The file's text now. */
    readonly now: string | null;
    readonly changes: readonly PublishedChange[];
    readonly contents: readonly PublishedContent[];
  })[];
}

/** Drafts, conflicts, publications and their history, for any store. */
export function createEditing(store: DraftStore): Editing {
  return {
    importTexts: store.importTexts,
    reviews: store.reviews,
    review: store.review,
    record: store.record,
    audit: store.audit,
    draft: (grant) => store.opened(grant),
    async put(grant, address, text) {
      if (text !== null && !isStorable(text)) return unstorable;
      return (await store.put(grant, address, text)) ?? answerDraft(grant);
    },
    async removeChange(grant, address) {
      await store.removeChange(grant, address);
      return answerDraft(grant);
    },
    async discard(grant) {
      await store.discard(grant);
      return answerDraft(grant);
    },
    async rebase(grant, files) {
      const { draft } = await store.opened(grant);
      const names = draft.files.map(({ file }) => file);
      const meant = names.filter((file) => files.length === 0 || files.includes(file));
      await store.rebase(grant, meant);
      return answerDraft(grant);
    },
    publish: (grant, request) => publishDraft(store, grant, request),
    restore: (grant, id, request) => restorePublication(store, grant, id, request),
    history: (grant) => readHistory(store, grant),
  };

  async function answerDraft(grant: Grant): Promise<ConsoleAnswer> {
    return answerValue((await store.opened(grant)).draft);
  }
}

async function publishDraft(
  store: DraftStore,
  grant: Grant,
  request: PublicationRequest,
): Promise<ConsoleAnswer> {
  await store.look();
  const opened = await store.opened(grant);
  const { draft, files, bases } = opened;
  if (files.length === 0) return refuseBy("nothing-drafted");
  const conflicts: Conflict[] = [];
  for (const { file, before: theirs, after: yours } of files) {
    const hash = await store.hashOf(theirs);
    const isChanged = draft.files.some((one) => one.file === file && one.conflict);
    if (!isChanged && !isStale(request, file, hash)) continue;
    const changes = draft.changes.filter((one) => one.file === file);
    const contents = draft.contents.filter((one) => one.file === file);
    conflicts.push({ file, before: bases[file] ?? null, theirs, yours, hash, changes, contents });
  }
  if (conflicts.length > 0) return refuseConflicts(conflicts);
  const refusal = uncheckedOf(draft.findings, request) ?? refuseUnseen(grant, files);
  return refusal ?? opened.publish(request.note);
}

async function restorePublication(
  store: DraftStore,
  grant: Grant,
  id: number,
  request: PublicationRequest,
): Promise<ConsoleAnswer> {
  const found = Number.isSafeInteger(id) ? await store.publication(grant, id) : null;
  if (found === null) return noPublication;
  const refusal = refuseUnseen(grant, found.files);
  if (refusal !== null) return refusal;
  const conflicts: Conflict[] = [];
  for (const { file, before: theirs, after: yours, published } of found.files) {
    const hash = await store.hashOf(theirs);
    if (file in request.files ? !isStale(request, file, hash) : theirs === published) continue;
    conflicts.push({ file, before: published, theirs, yours, hash, changes: [], contents: [] });
  }
  return conflicts.length > 0 ? refuseConflicts(conflicts) : found.restore(request);
}

async function readHistory(store: DraftStore, grant: Grant): Promise<readonly Publication[]> {
  const rows = await store.history();
  const seen = rows.filter(({ files }) =>
    files.every(({ instances }) => instances.every((name) => maySee(grant, name))),
  );
  return Promise.all(
    seen.map(async ({ files, imported, ...row }) => {
      const ids = new Set(files.flatMap(({ contents }) => contents.map(({ id }) => id)));
      const shown = files.map(async ({ file, before, after, now, changes, contents: all }) => {
        const { diff, lines } = cutDiff(formatUnifiedDiff(file, before, after));
        const contents = all.slice(0, maxContents);
        const more = { lines, contents: all.length - contents.length };
        return { file, diff, more, hash: await store.hashOf(now), changes, contents };
      });
      return {
        ...row,
        imported: imported && { ...imported, contents: ids.size },
        files: await Promise.all(shown),
      };
    }),
  );
}

/** An import of thousands of contents would make the list of publications megabytes long. */
const maxContents = 100;
const maxLines = 1000;
const maxDiffLength = 65_536;

/** Cuts a diff after a line. Returns the number of lines that were cut. */
function cutDiff(diff: string): { readonly diff: string; readonly lines: number } {
  const lines = diff.replace(/\n$/, "").split("\n");
  let length = 0;
  const cut = lines.findIndex((line, at) => {
    length += line.length + 1;
    return at >= maxLines || length > maxDiffLength;
  });
  if (cut === -1) return { diff, lines: 0 };
  return { diff: `${lines.slice(0, cut).join("\n")}\n`, lines: lines.length - cut };
}
/** False for texts that a database or a file cannot store. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

export const unstorable = refuseBy("unstorable");
