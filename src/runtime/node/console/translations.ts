import { dirname, join } from "node:path";
import type { Finding } from "../../../api/console.ts";
import { unitsOf } from "../../../config/edit/unit.ts";
import { readOwnDirectories, type Workbook, workbookOf } from "../../../config/edit/workbook.ts";
import { createReporter } from "../../../yaml/diagnostic.ts";
import { loadAll, type LoadOptions } from "../../../config/load/load.ts";
import { createSource } from "../../../yaml/source.ts";
import type { ExportWish, ImportWish } from "../../../gateway/console/files.ts";
import { answerInThread, createThread } from "../../../storage/thread.ts";
import { overlayOf, type TextChange } from "./planned-draft.ts";
import { type FileTexts, findingOf } from "./text-files.ts";

/** Texts as translators' files, written and read in a thread: parsing would hold up requests. */
export interface ConsoleTranslations {
  /** @param texts files instead of those on the disk, by their path below the folder */
  exported(wish: ExportWish, texts?: FileTexts): Promise<Translated>;
  imported(wish: ImportWish): Promise<Translated>;
  close(): Promise<void>;
}

export type Translated =
  | { readonly kind: "exported"; readonly text: string }
  | {
      readonly kind: "imported";
      /** None where an error was found. */
      readonly changes: readonly TextChange[];
      readonly unchanged: number;
      readonly untranslated: number;
      readonly findings: readonly Finding[];
    }
  | { readonly kind: "refused"; readonly why: string };

export function createTranslations(
  file: string,
  { env, ...options }: LoadOptions,
): ConsoleTranslations {
  const thread = createThread<Call, Translated>({
    module: new URL(import.meta.url),
    does,
    longest: 120_000,
    idleAfter: 10_000,
  });
  // `process.env` is no plain object, and cannot be sent to a thread.
  const call = { file, options: { ...options, ...(env && { env: { ...env } }) } };
  return {
    exported: (wish, texts = {}) =>
      thread.call({ ...call, texts, wish: { kind: "export", ...wish } }),
    imported: (wish) => thread.call({ ...call, wish: { kind: "import", ...wish } }),
    close: () => thread.close(),
  };
}

interface Call {
  readonly file: string;
  readonly options: LoadOptions;
  readonly texts?: FileTexts;
  readonly wish:
    | ({ readonly kind: "export" } & ExportWish)
    | ({ readonly kind: "import" } & ImportWish);
}

const does = "writes and reads translators' files for the console";

answerInThread(does, translateTexts);

async function translateTexts({ file, options, texts = {}, wish }: Call): Promise<Translated> {
  const overlay = overlayOf(dirname(file), [], texts);
  const loaded = await loadAll(file, { ...options, overlay });
  const config = loaded.config ?? loaded.draft;
  if (config === null || loaded.file === null) {
    return { kind: "refused", why: "The files cannot be read: `health` says why." };
  }
  const index = config.instances.findIndex(({ name }) => name === wish.instance);
  const own = readOwnDirectories(loaded.file)[index];
  if (own?.used !== true) {
    const why = `The instance "${wish.instance}" says no texts of its own (messages: use lacks own).`;
    return { kind: "refused", why };
  }
  const workbook = workbookOf(loaded, config, index, own.directory, overlay);
  return wish.kind === "export"
    ? writeTranslation(workbook, wish)
    : takeTranslation(workbook, wish, dirname(file));
}

async function writeTranslation(workbook: Workbook, wish: ExportWish): Promise<Translated> {
  const { locales, sourceLocale } = workbook;
  const unknown = wish.locales.find((locale) => !locales.includes(locale));
  if (unknown !== undefined) return { kind: "refused", why: `Nobody speaks "${unknown}" here.` };
  const wanted = locales.filter((locale) =>
    wish.locales.length === 0 ? locale !== sourceLocale : wish.locales.includes(locale),
  );
  const languages = wanted.map((locale) => ({
    locale,
    units: unitsOf(locale, workbook.sheet(sourceLocale), workbook.sheet(locale)).filter(
      ({ place: { key } }) => wish.keys.length === 0 || wish.keys.includes(key),
    ),
  }));
  if (languages.every(({ units }) => units.length === 0)) {
    return { kind: "refused", why: "There are no such lines." };
  }
  if (wish.format === "xliff") {
    const { toXliff } = await import("../../../config/translation/xliff.ts");
    return { kind: "exported", text: toXliff(languages, sourceLocale) };
  }
  const { toCsv } = await import("../../../config/translation/csv.ts");
  // Excel takes it for another encoding otherwise.
  return { kind: "exported", text: toCsv(languages, true) };
}

async function takeTranslation(
  workbook: Workbook,
  wish: ImportWish,
  folder: string,
): Promise<Translated> {
  const { reviewSource } = await import("../../../config/translation/review.ts");
  const reporter = createReporter();
  const source = createSource(join(folder, wish.name), wish.text.replace(/^\uFEFF/, ""));
  const languages = reviewSource(source, workbook, reporter);
  const sum = (name: "unchanged" | "untranslated"): number =>
    languages.reduce((total, language) => total + language[name], 0);
  const changes = languages.flatMap(({ locale, changes: ofLanguage }) =>
    ofLanguage.map(({ unit, text }) => {
      const { id, place } = unit;
      return { instance: wish.instance, locale, key: place.key, id, channel: "", text };
    }),
  );
  return {
    kind: "imported",
    changes: reporter.failed() ? [] : changes,
    unchanged: sum("unchanged"),
    untranslated: sum("untranslated"),
    findings: reporter.diagnostics().map((one) => findingOf(one, folder)),
  };
}
