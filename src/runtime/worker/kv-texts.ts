import type { Grant } from "../../api/console-session.ts";
import type { Config } from "../../config/config.ts";
import { refuseUnseen } from "../../gateway/console/access.ts";
import { type ConsoleAnswer, refuseWith, answerValue } from "../../gateway/console/answer.ts";
import {
  createEditing,
  type OldPublication,
  type OpenedTexts,
  type StoredPublication,
} from "../../gateway/console/editing.ts";
import type { DraftAddress, Findings, TextFiles } from "../../gateway/console/files.ts";
import type { Platform } from "../../gateway/exchange/platform.ts";
import {
  type ChangedFile,
  createChangedFile,
  createKvDrafts,
  fileOf,
  guardCall,
  type KvDrafts,
  nameOf,
  type StoredChange,
  type StoredDraft,
  textIn,
} from "./kv-drafts.ts";
import type { Overrides } from "./overrides.ts";
import type { TextNamespace } from "./platform.ts";
import {
  type PushedPublication,
  type PushedVersion,
  pushedTextsOf,
  pushTexts,
} from "./pushed-texts.ts";
import { mayGo, readOwnTexts, withTextsChanged } from "./text-edits.ts";

export interface KvTextsParts {
  readonly store: TextNamespace;
  readonly overrides: Pick<Overrides, "look" | "follow">;
  /** Returns the configuration in force. */
  readonly config: () => Config;
  readonly platform: Pick<Platform, "now" | "digest">;
}

/**
 * Lets the console change texts in the KV namespace of pushed texts. A publication is a pushed
 * version, which all isolates load like those of `afterword overrides`.
 */
export function createKvTexts(parts: KvTextsParts): TextFiles {
  const { overrides, config, platform } = parts;
  const drafts = createKvDrafts(parts.store, config, platform);
  const editor: Editor = { ...parts, drafts };
  return {
    everyText: false,
    contents: null,
    importContents: null,
    read: async () => ({ findings: [], sets: placesIn(config()) }),
    exportTexts: async () => refuseWith(409, refuseElsewhere("`afterword messages export` writes")),
    editing: createEditing({
      look: async () => void (await overrides.look()),
      opened: (grant) => openTexts(editor, grant),
      put: (grant, place, text) => putText(editor, grant, place, text),
      importTexts: async () =>
        refuseWith(409, refuseElsewhere("`afterword messages import` changes")),
      removeChange: ({ label }, place) =>
        drafts.change(label, "draft-delete", placeName(place), (stored) =>
          withChanges(stored, withoutSame(stored.changes, place, placeMembers)),
        ),
      discard: ({ label }) =>
        drafts.change(label, "draft-discard", "", (stored) => withChanges(stored, [])),
      async rebase({ label }, names) {
        const { files } = await drafts.opened(label);
        const fresh = Object.fromEntries(
          names.map((name) => [name, files.get(name)?.before ?? null]),
        );
        await drafts.change(label, "draft-rebase", names.join(" "), (stored) => {
          return { ...stored, bases: { ...stored.bases, ...fresh } };
        });
      },
      async history() {
        const { versions = [] } = (await overrides.look()) ?? {};
        const current = config();
        return versions.flatMap((version) => publishedIn(version, current));
      },
      publication: (grant, id) => findPublication(editor, grant, id),
      hashOf: async (text) => (text === null ? null : platform.digest(text)),
      reviews: async () => (await drafts.notes()).reviews,
      async review({ label }, { locale, key, text, from, source }, isReviewed) {
        const { reviews } = await drafts.notes();
        const review = { locale, key, text, from, source, label, at: platform.now() };
        const others = withoutSame(reviews, review, ["locale", "key", "text", "from"]);
        const action = isReviewed ? "review" : "review-delete";
        const entry = { label, action, details: `${locale} ${key}` };
        await drafts.note(entry, isReviewed ? [...others, review] : others);
      },
      record: ({ label }, action, details) => drafts.note({ label, action, details }),
      audit: () => drafts.audit(),
    }),
  };
}

interface Editor extends KvTextsParts {
  readonly drafts: KvDrafts;
}

/** Lists the owner's texts of each table set, with their files and lines. */
function placesIn({ tableSets, instances }: Config): Findings["sets"] {
  return tableSets.map((set, index) => {
    const instance = instances.find(({ tableSet }) => tableSet === index);
    if (instance === undefined) return { lines: [], places: [] };
    const places = Object.keys(set.channels[""] ?? {}).flatMap((locale) =>
      Object.entries(readOwnTexts(set, locale)).map(([key, text], at) => {
        return { key, locale, id: key, text, file: nameOf(instance, locale), line: at + 1 };
      }),
    );
    return { lines: [], places };
  });
}

async function putText(
  { config, drafts, platform }: Editor,
  grant: Grant,
  place: DraftAddress,
  text: string | null,
): Promise<ConsoleAnswer | null> {
  const { instance, key, locale } = place;
  const file = fileOf(config(), place);
  const set = config().tableSets[file?.instance.tableSet ?? -1];
  if (file === null || set === undefined) return refuseWith(404, "There is no such instance.");
  const refusal = refuseUnseen(grant, [file]);
  if (refusal !== null) return refusal;
  if (place.channel !== "" || (place.id !== null && place.id !== key)) {
    return refuseWith(
      422,
      refuseElsewhere("a text for a channel, a condition or a variant stands in"),
    );
  }
  if (text === null && !mayGo(set, locale, key)) {
    return refuseWith(
      422,
      refuseElsewhere("a line that has several texts, or hides Afterword's, is taken out in"),
    );
  }
  const own = readOwnTexts(set, locale);
  await drafts.change(grant.label, "draft-put", placeName(place), (stored) => {
    const others = withoutSame(stored.changes, place, placeMembers);
    const known = stored.changes.find((one) => !others.includes(one));
    const from = known === undefined ? (own[key] ?? null) : known.from;
    const made = { instance, locale, key, text, from, at: platform.now() };
    const bases = { [file.file]: textIn(own), ...stored.bases };
    return { ...stored, changes: [...others, made], bases };
  });
  return null;
}

async function openTexts(editor: Editor, { label }: Grant): Promise<OpenedTexts> {
  const { config, drafts } = editor;
  const { draft, edited, files, latest, bases } = await drafts.opened(label);
  const changed = [...files.values()];
  return {
    draft,
    config: edited,
    files: changed,
    bases,
    async publish(note) {
      const release = { edited: edited ?? config(), files: changed, note, restores: null };
      const made = await publishTexts(editor, label, release);
      if (made.kind !== "value") return made;
      await drafts.change(label, "publish", [...files.keys()].join(" "), (stored) =>
        withChanges(
          stored,
          // Changes that were made meanwhile stay in the draft.
          stored.changes.filter(({ at }) => at > latest),
        ),
      );
      return made;
    },
  };
}

async function findPublication(
  editor: Editor,
  { label }: Grant,
  id: number,
): Promise<OldPublication | null> {
  const list = await editor.overrides.look();
  const found = list?.versions
    .map((version) => version.publication)
    .find((one) => one?.number === id);
  if (found === undefined) return null;
  const current = editor.config();
  let edited = current;
  const files: (ChangedFile & { readonly published: string | null })[] = [];
  for (const { instance, locale, before, after } of found.files) {
    const file = fileOf(current, { instance, locale });
    if (file === null) continue;
    edited = withTextsChanged(edited, file.instance, locale, before);
    const made = createChangedFile(current, edited, file, before);
    files.push({ ...made, published: textIn({ ...made.own, ...after }) });
  }
  return {
    files,
    async restore({ note }) {
      const made = await publishTexts(editor, label, { edited, files, note, restores: id });
      if (made.kind === "value") {
        await editor.drafts.note({ label, action: "restore", details: String(id) });
      }
      return made;
    },
  };
}

interface Release extends Pick<PushedPublication, "note" | "restores"> {
  readonly edited: Config;
  readonly files: readonly ChangedFile[];
}

/** Writes a version. This isolate uses it at once, the others as soon as KV has it. */
async function publishTexts(
  { store, overrides, config, platform }: Editor,
  label: string,
  { edited, files, note, restores }: Release,
): Promise<ConsoleAnswer> {
  if (files.every(({ before, after }) => before === after)) {
    return refuseWith(422, "The texts say this already.");
  }
  const list = await overrides.look();
  if (list === null) return refuseWith(503, "KV does not give the texts: nothing was published.");
  const numbers = list.versions.map(({ publication }) => publication?.number ?? 0);
  const number = 1 + Math.max(0, ...numbers);
  const changed = files.map(({ texts }) => texts);
  const publication: PushedPublication = { number, label, note, restores, files: changed };
  const pushed = await guardCall(() =>
    pushTexts(
      store,
      pushedTextsOf(edited),
      platform.now(),
      (text) => platform.digest(text),
      publication,
    ),
  );
  await overrides.follow(pushed.list);
  const takeAway = { patch: files.map(({ diff }) => diff).join(""), csv: [] };
  return answerValue({ kind: "published", id: number, snapshot: config().hash, takeAway });
}

/**
 * Describes the publication of a version. Empty if the version was not published by the console.
 */
function publishedIn(
  { publication, pushed }: PushedVersion,
  current: Config,
): readonly StoredPublication[] {
  if (publication === undefined) return [];
  const { number: id, label, note, restores } = publication;
  const files = publication.files.map(({ instance, instances, locale, before, after }) => {
    const known = fileOf(current, { instance, locale });
    const file = known?.file ?? `${instance}/${locale}.yaml`;
    const set = current.tableSets[known?.instance.tableSet ?? -1];
    const now = set === undefined ? null : textIn(readOwnTexts(set, locale));
    const changes = [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => {
      const [was = null, is = null] = [before[key], after[key]];
      return was === is ? [] : [{ locale, key, id: key, before: was, after: is }];
    });
    return {
      file,
      instances,
      before: textIn(before),
      after: textIn(after),
      now,
      changes,
      contents: [],
    };
  });
  return [{ id, label, note, at: pushed, restores, imported: null, snapshot: null, files }];
}

function refuseElsewhere(what: string): string {
  return `On Workers the console changes what a line says to everybody: ${what} your files, and \`afterword overrides push\` brings them here.`;
}

const placeMembers = ["instance", "locale", "key"] as const;

/** Removes the entries that have the same members as another one. */
function withoutSame<Member extends string, T extends Readonly<Record<Member, unknown>>>(
  all: readonly T[],
  other: Readonly<Record<Member, unknown>>,
  members: readonly Member[],
): readonly T[] {
  return all.filter((one) => members.some((name) => one[name] !== other[name]));
}

function placeName({ instance, locale, key }: DraftAddress): string {
  return `${instance} ${locale} ${key}`;
}

/** Replaces the changes, and forgets the bases of files without any, so that their next one is fresh. */
function withChanges(stored: StoredDraft, changes: readonly StoredChange[]): StoredDraft {
  const locales = new Set(changes.map(({ locale }) => `/${locale}.yaml`));
  const bases = Object.entries(stored.bases).filter(([file]) =>
    locales.has(file.slice(file.lastIndexOf("/"))),
  );
  return { ...stored, changes, bases: Object.fromEntries(bases) };
}
