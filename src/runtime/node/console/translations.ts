import { dirname, join } from "node:path";
import type { Finding } from "../../../api/console.ts";
import { unitsOf } from "../../../config/edit/unit.ts";
import { readOwnDirectories, type Workbook, workbookOf } from "../../../config/edit/workbook.ts";
import { createReporter } from "../../../yaml/diagnostic.ts";
import { loadAll, type LoadOptions } from "../../../config/load/load.ts";
import { createSource } from "../../../yaml/source.ts";
import type { ExportRequest, ImportRequest } from "../../../gateway/console/files.ts";
import { answerInThread, createThread } from "../../../storage/thread.ts";
import { overlayOf, type TextChange } from "./planned-draft.ts";
import { type FileTexts, findingOf } from "./text-files.ts";

/** Writes and reads translators' files in a thread, because parsing would delay requests. */
export interface ConsoleTranslations {
  /** @param texts files instead of those on the disk, by their path below the folder */
  exportTexts(request: ExportRequest, texts?: FileTexts): Promise<Translated>;
  importTexts(request: ImportRequest): Promise<Translated>;
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
  // `process.env` is no plain object, and cannot be sent to a thread.
  const call = { file, options: { ...options, ...(env && { env: { ...env } }) } };
  return {
    exportTexts: (request, texts = {}) =>
      thread.call({ ...call, texts, request: { kind: "export", ...request } }),
    importTexts: (request) => thread.call({ ...call, request: { kind: "import", ...request } }),
  };
}

interface Call {
  readonly file: string;
  readonly options: LoadOptions;
  readonly texts?: FileTexts;
  readonly request:
    | ({ readonly kind: "export" } & ExportRequest)
    | ({ readonly kind: "import" } & ImportRequest);
}

const does = "writes and reads translators' files for the console";

const thread = createThread<Call, Translated>({
  module: new URL(import.meta.url),
  does,
  longest: 120_000,
  megabytes: 768,
  idleAfter: 10_000,
});

answerInThread(does, translateTexts);

async function translateTexts({ file, options, texts = {}, request }: Call): Promise<Translated> {
  const overlay = overlayOf(dirname(file), [], texts);
  const loaded = await loadAll(file, { ...options, overlay });
  const config = loaded.config ?? loaded.draft;
  if (config === null || loaded.file === null) {
    return { kind: "refused", why: "The files cannot be read: `health` says why." };
  }
  const index = config.instances.findIndex(({ name }) => name === request.instance);
  const own = readOwnDirectories(loaded.file)[index];
  if (own?.used !== true) {
    const why = `The instance "${request.instance}" says no texts of its own (messages: use lacks own).`;
    return { kind: "refused", why };
  }
  const workbook = workbookOf(loaded, config, index, own.directory, overlay);
  return request.kind === "export"
    ? writeTranslation(workbook, request)
    : takeTranslation(workbook, request, dirname(file));
}

async function writeTranslation(workbook: Workbook, request: ExportRequest): Promise<Translated> {
  const { locales, sourceLocale } = workbook;
  const unknown = request.locales.find((locale) => !locales.includes(locale));
  if (unknown !== undefined) return { kind: "refused", why: `Nobody speaks "${unknown}" here.` };
  const chosen = locales.filter((locale) =>
    request.locales.length === 0 ? locale !== sourceLocale : request.locales.includes(locale),
  );
  const languages = chosen.map((locale) => ({
    locale,
    units: unitsOf(locale, workbook.sheet(sourceLocale), workbook.sheet(locale)).filter(
      ({ address: { key } }) => request.keys.length === 0 || request.keys.includes(key),
    ),
  }));
  if (languages.every(({ units }) => units.length === 0)) {
    return { kind: "refused", why: "There are no such lines." };
  }
  if (request.format === "xliff") {
    const { toXliff } = await import("../../../config/translation/xliff.ts");
    return { kind: "exported", text: toXliff(languages, sourceLocale) };
  }
  const { toCsv } = await import("../../../config/translation/csv.ts");
  // Without the mark, Excel assumes another encoding.
  return { kind: "exported", text: toCsv(languages, true) };
}

async function takeTranslation(
  workbook: Workbook,
  request: ImportRequest,
  folder: string,
): Promise<Translated> {
  const { reviewSource } = await import("../../../config/translation/review.ts");
  const reporter = createReporter();
  const source = createSource(join(folder, request.name), request.text.replace(/^\uFEFF/, ""));
  const languages = reviewSource(source, workbook, reporter);
  const sum = (name: "unchanged" | "untranslated"): number =>
    languages.reduce((total, language) => total + language[name], 0);
  const changes = languages.flatMap(({ locale, changes: ofLanguage }) =>
    ofLanguage.map(({ unit, text }) => {
      const { id, address } = unit;
      return { instance: request.instance, locale, key: address.key, id, channel: "", text };
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
