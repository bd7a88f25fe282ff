import type { Conflict, Grant, Publication } from "../../api/console.ts";
import type { Config } from "../../config/config.ts";
import {
  conflicted,
  maySee,
  noPublication,
  notSeen,
  stale,
  uncheckedOf,
} from "../../gateway/console/access.ts";
import { type Answer, refused, value } from "../../gateway/console/answer.ts";
import type { DraftPlace, PublicationWish, TextFiles } from "../../gateway/console/files.ts";
import { unifiedDiff } from "../../gateway/console/unified-diff.ts";
import type { Platform } from "../../gateway/platform.ts";
import {
  type ChangedFile,
  changedFile,
  createKvDrafts,
  fileOf,
  guarded,
  nameOf,
  type StoredChange,
  type StoredDraft,
  textIn,
} from "./kv-drafts.ts";
import type { Overrides } from "./overrides.ts";
import type { TextNamespace } from "./platform.ts";
import { type PushedPublication, pushedTextsOf, pushTexts } from "./pushed-texts.ts";
import { mayGo, ownTexts, withTextsChanged } from "./text-edits.ts";

export interface KvTextsParts {
  readonly store: TextNamespace;
  readonly overrides: Pick<Overrides, "look" | "follow">;
  /** What is in force. */
  readonly config: () => Config;
  readonly platform: Pick<Platform, "now" | "digest">;
}

/**
 * Texts that the console changes in the KV namespace of pushed texts: a publication is a pushed
 * version, so that all isolates take it over as they do those of `afterword overrides`.
 */
export function createKvTexts({ store, overrides, config, platform }: KvTextsParts): TextFiles {
  const drafts = createKvDrafts(store, config, platform);
  const digest = (text: string) => platform.digest(text);
  const hashOf = async (text: string | null): Promise<string | null> =>
    text === null ? null : digest(text);

  return {
    everyText: false,
    async read() {
      const { tableSets, instances } = config();
      const sets = tableSets.map((set, index) => {
        const instance = instances.find(({ tableSet }) => tableSet === index);
        if (instance === undefined) return { lines: [], places: [] };
        const places = Object.keys(set.channels[""] ?? {}).flatMap((locale) =>
          Object.entries(ownTexts(set, locale)).map(([key, text], at) => {
            return { key, locale, id: key, text, file: nameOf(instance, locale), line: at + 1 };
          }),
        );
        return { lines: [], places };
      });
      return { findings: [], sets };
    },
    exported: async () => refused(409, elsewhere("`afterword messages export` writes")),
    editing: {
      async draft({ label }) {
        const { draft, edited } = await drafts.opened(label);
        return { draft, config: edited };
      },
      put,
      imported: async () => refused(409, elsewhere("`afterword messages import` changes")),
      async takeOut({ label }, place) {
        await drafts.change(label, "draft-delete", placeName(place), (stored) =>
          withChanges(
            stored,
            stored.changes.filter((one) => !isSame(one, place)),
          ),
        );
        return drafted(label);
      },
      async discard({ label }) {
        await drafts.change(label, "draft-discard", "", (stored) => withChanges(stored, []));
        return drafted(label);
      },
      async rebase({ label }, names) {
        const { files } = await drafts.opened(label);
        const meant = [...files.values()].filter(
          ({ file }) => names.length === 0 || names.includes(file),
        );
        const fresh = Object.fromEntries(meant.map(({ file, before }) => [file, before]));
        await drafts.change(label, "draft-rebase", Object.keys(fresh).join(" "), (stored) => {
          return { ...stored, bases: { ...stored.bases, ...fresh } };
        });
        return drafted(label);
      },
      publish,
      restore,
      history,
      reviews: async () => (await drafts.notes()).reviews,
      async review({ label }, { locale, key, text, from, source }, wanted) {
        const { reviews } = await drafts.notes();
        const others = reviews.filter(
          (one) =>
            one.locale !== locale || one.key !== key || one.text !== text || one.from !== from,
        );
        const review = { locale, key, text, from, source, label, at: platform.now() };
        const action = wanted ? "review" : "review-delete";
        const entry = { label, action, details: `${locale} ${key}` };
        await drafts.note(entry, wanted ? [...others, review] : others);
      },
      record: ({ label }, action, details) => drafts.note({ label, action, details }),
      audit: () => drafts.audit(),
    },
  };

  async function drafted(label: string): Promise<Answer> {
    return value((await drafts.opened(label)).draft);
  }

  async function put(grant: Grant, place: DraftPlace, text: string | null): Promise<Answer> {
    const { label } = grant;
    const { key, locale } = place;
    const file = fileOf(config(), place);
    const set = config().tableSets[file?.instance.tableSet ?? -1];
    if (file === null || set === undefined) return refused(404, "There is no such instance.");
    const refusal = notSeen(grant, [file]);
    if (refusal !== null) return refusal;
    if (place.channel !== "" || (place.id !== null && place.id !== key)) {
      return refused(422, elsewhere("a text for a channel, a condition or a variant stands in"));
    }
    if (text !== null && (!text.isWellFormed() || text.includes("\0"))) {
      return refused(422, "A text cannot have the character U+0000, nor half a surrogate pair.");
    }
    if (text === null && !mayGo(set, locale, key)) {
      return refused(
        422,
        elsewhere("a line that has several texts, or hides Afterword's, is taken out in"),
      );
    }
    const own = ownTexts(set, locale);
    const { instance } = place;
    await drafts.change(label, "draft-put", placeName(place), (stored) => {
      const known = stored.changes.find((one) => isSame(one, place));
      const from = known === undefined ? (own[key] ?? null) : known.from;
      const made = { instance, locale, key, text, from, at: platform.now() };
      const others = stored.changes.filter((one) => !isSame(one, place));
      const bases = { [file.file]: textIn(own), ...stored.bases };
      return { ...stored, changes: [...others, made], bases };
    });
    return drafted(label);
  }

  async function publish(grant: Grant, wish: PublicationWish): Promise<Answer> {
    const { label } = grant;
    await overrides.look();
    const { draft, edited, files, latest } = await drafts.opened(label);
    if (edited === null) return refused(422, "Your draft has no changes.");
    const { bases } = await drafts.stored(label);
    const found = draft.files.map(async ({ file, conflict }): Promise<readonly Conflict[]> => {
      const { before = null, after = null } = files.get(file) ?? {};
      const hash = await hashOf(before);
      if (!conflict && !stale(wish, file, hash)) return [];
      const changes = draft.changes.filter((one) => one.file === file);
      const base = bases[file] ?? null;
      return [{ file, before: base, theirs: before, yours: after, hash, changes }];
    });
    const conflicts = (await Promise.all(found)).flat();
    if (conflicts.length > 0) return conflicted(conflicts);
    const changed = [...files.values()];
    const refusal = uncheckedOf(draft.findings, wish) ?? notSeen(grant, changed);
    if (refusal !== null) return refusal;
    const made = await release(label, edited, changed, wish.note, null);
    if (made.kind !== "value") return made;
    await drafts.change(label, "publish", [...files.keys()].join(" "), (stored) =>
      withChanges(
        stored,
        // What came meanwhile stays.
        stored.changes.filter(({ at }) => at > latest),
      ),
    );
    return made;
  }

  async function restore(grant: Grant, id: number, wish: PublicationWish): Promise<Answer> {
    const list = await overrides.look();
    const publication = list?.versions
      .map((version) => version.publication)
      .find((one) => one?.number === id);
    if (publication === undefined) return noPublication;
    const current = config();
    let edited = current;
    const changed: ChangedFile[] = [];
    const conflicts: Conflict[] = [];
    for (const { instance, locale, before, after } of publication.files) {
      const file = fileOf(current, { instance, locale });
      if (file === null) continue;
      edited = withTextsChanged(edited, file.instance, locale, before);
      const made = changedFile(current, edited, file, before);
      changed.push(made);
      const hash = await hashOf(made.before);
      const differs = Object.entries(after).some(([key, text]) => (made.own[key] ?? null) !== text);
      if (made.file in wish.files ? !stale(wish, made.file, hash) : !differs) continue;
      const published = textIn({ ...made.own, ...after });
      const texts = { before: published, theirs: made.before, yours: made.after };
      conflicts.push({ file: made.file, ...texts, hash, changes: [] });
    }
    const refusal = notSeen(grant, changed);
    if (refusal !== null) return refusal;
    if (conflicts.length > 0) return conflicted(conflicts);
    const made = await release(grant.label, edited, changed, wish.note, id);
    if (made.kind === "value") {
      await drafts.note({ label: grant.label, action: "restore", details: String(id) });
    }
    return made;
  }

  /** Writes a version and puts it in force: here now, elsewhere when KV has brought it there. */
  async function release(
    label: string,
    edited: Config,
    files: readonly ChangedFile[],
    note: string,
    restores: number | null,
  ): Promise<Answer> {
    if (files.every(({ before, after }) => before === after)) {
      return refused(422, "The texts say this already.");
    }
    const list = await overrides.look();
    if (list === null) return refused(503, "KV does not give the texts: nothing was published.");
    const numbers = list.versions.map(({ publication }) => publication?.number ?? 0);
    const number = 1 + Math.max(0, ...numbers);
    const changed = files.map(({ published }) => published);
    const publication: PushedPublication = { number, label, note, restores, files: changed };
    const pushed = await guarded(() =>
      pushTexts(store, pushedTextsOf(edited), platform.now(), digest, publication),
    );
    await overrides.follow(pushed.list);
    const takeAway = { patch: files.map(({ diff }) => diff).join(""), csv: [] };
    return value({ kind: "published", id: number, snapshot: config().hash, takeAway });
  }

  async function history(grant: Grant): Promise<readonly Publication[]> {
    const { versions = [] } = (await overrides.look()) ?? {};
    const current = config();
    const shown = versions.map(async ({ publication, pushed }): Promise<Publication[]> => {
      if (publication === undefined) return [];
      const { number: id, label, note, restores, files } = publication;
      const names = files.flatMap(({ instances }) => instances);
      if (!names.every((name) => maySee(grant, name))) return [];
      const diffs = files.map(async ({ instance, locale, before, after }) => {
        const known = fileOf(current, { instance, locale });
        const file = known?.file ?? `${instance}/${locale}.yaml`;
        const set = current.tableSets[known?.instance.tableSet ?? -1];
        const now = set === undefined ? null : textIn(ownTexts(set, locale));
        const diff = unifiedDiff(file, textIn(before), textIn(after));
        return { file, diff, hash: await hashOf(now) };
      });
      const listed = await Promise.all(diffs);
      return [{ id, label, note, at: pushed, restores, snapshot: null, files: listed }];
    });
    return (await Promise.all(shown)).flat();
  }
}

function elsewhere(what: string): string {
  return `On Workers the console changes what a line says to everybody: ${what} your files, and \`afterword overrides push\` brings them here.`;
}

type PlaceOfChange = Pick<StoredChange, "instance" | "locale" | "key">;

function isSame(one: PlaceOfChange, other: PlaceOfChange): boolean {
  return one.instance === other.instance && one.locale === other.locale && one.key === other.key;
}

function placeName({ instance, locale, key }: DraftPlace): string {
  return `${instance} ${locale} ${key}`;
}

/** The next change of a file begins with the texts of its time. */
function withChanges(stored: StoredDraft, changes: readonly StoredChange[]): StoredDraft {
  const locales = new Set(changes.map(({ locale }) => `/${locale}.yaml`));
  const bases = Object.entries(stored.bases).filter(([file]) =>
    locales.has(file.slice(file.lastIndexOf("/"))),
  );
  return { ...stored, changes, bases: Object.fromEntries(bases) };
}
