import { existsSync } from "node:fs";
import { quoteYaml } from "../../yaml/quote.ts";
import type { ReviewedLanguage } from "../../config/translation/review.ts";
import { createReporter, type Diagnostic, diagnosticsAsText } from "../../yaml/diagnostic.ts";
import { decodeSource, readSource } from "../../yaml/read-file.ts";
import {
  type Arguments,
  requireOnlyPositional,
  type Option,
  readChoice,
  createArgumentError,
} from "../command/arguments.ts";
import { type Command, findConfigFile, configOption, type Terminal } from "../command/command.ts";
import { shortenPath } from "../command/shortened.ts";
import { formatCount } from "../command/counted.ts";
import { groupOf } from "../command/group.ts";
import { toCsv } from "../../config/translation/csv.ts";
import { didYouMeanLocale, readLocale } from "../../config/translation/locale-names.ts";
import { reviewSource } from "../../config/translation/review.ts";
import { unitsOf } from "../../config/edit/unit.ts";
import { planFiles, type Workbook } from "../../config/edit/workbook.ts";
import { openWorkbook } from "../messages/workbook.ts";
import { toXliff } from "../../config/translation/xliff.ts";
import { writeFiles } from "../../config/edit/write-files.ts";

const instanceOption: Option = {
  name: "instance",
  value: "NAME",
  help: "instance whose texts are meant; needed when instances have them in different places",
};

const messagesExportCommand: Command = {
  name: "messages export",
  usage: "[--format csv|xliff] [--locale L]… [--out FILE] [--config FILE] [--instance NAME]",
  options: [
    configOption,
    instanceOption,
    { name: "format", value: "F", help: "csv (default) or xliff (1.2)" },
    {
      name: "locale",
      value: "L",
      help: "language to translate into; may be given several times (default: all that have texts)",
      many: true,
    },
    { name: "out", value: "FILE", help: "file to write (default: standard output)" },
    { name: "force", help: "write the file even when it exists" },
    { name: "bom", help: "begin CSV with a byte order mark, which Excel needs for UTF-8" },
  ],
  run: exportMessages,
};

const messagesImportCommand: Command = {
  name: "messages import",
  usage: "[--dry-run] FILE|- [--config FILE] [--instance NAME]",
  options: [
    configOption,
    instanceOption,
    { name: "dry-run", help: "show what would change, and write nothing" },
  ],
  positionals: 1,
  run: importMessages,
};

export const messagesCommand: Command = groupOf("messages", {
  export: {
    summary: "Writes all texts as CSV or XLIFF, for translators.",
    load: async () => messagesExportCommand,
  },
  import: {
    summary: "Takes translated texts into messages/<locale>.yaml.",
    load: async () => messagesImportCommand,
  },
});

async function exportMessages(args: Arguments, terminal: Terminal): Promise<number> {
  const name = args.command;
  const format = readChoice(args, "format", ["csv", "xliff"]);
  const out = args.one("out");
  const { workbook, diagnostics } = await open(args, terminal);
  if (workbook === null) return fail(diagnostics, terminal);
  const languages = chooseTargetLocales(name, args.all("locale"), workbook).map((locale) => ({
    locale,
    units: unitsOf(locale, workbook.sheet(workbook.sourceLocale), workbook.sheet(locale)),
  }));
  const text =
    format === "csv"
      ? toCsv(languages, args.has("bom"))
      : toXliff(languages, workbook.sourceLocale);
  if (out === null) {
    terminal.out(text);
    return 0;
  }
  if (existsSync(out) && !args.has("force")) {
    terminal.error(`afterword ${name}: ${out} exists already; --force overwrites it\n`);
    return 1;
  }
  const failure = await writeFiles([{ file: out, text }]);
  if (failure !== null) {
    terminal.error(`afterword ${name}: ${failure.message}\n`);
    return 1;
  }
  const count = languages.reduce((sum, { units }) => sum + units.length, 0);
  terminal.out(
    `${formatCount(count, "text")} in ${formatCount(languages.length, "language")}, written to ${out}\n`,
  );
  return 0;
}

function chooseTargetLocales(
  name: string,
  given: readonly string[],
  { locales, sourceLocale }: Workbook,
): readonly string[] {
  if (given.length === 0) return locales.filter((locale) => locale !== sourceLocale);
  const known = given
    .flatMap((list) => list.split(","))
    .map((written) => {
      const locale = readLocale(written, locales);
      if (locale !== null) return locale;
      const message = `no language is known by the tag "${written}".${didYouMeanLocale(written, locales)}`;
      throw createArgumentError(name, message);
    });
  return [...new Set(known)];
}

async function importMessages(args: Arguments, terminal: Terminal): Promise<number> {
  const file = requireOnlyPositional(args, "name a CSV or XLIFF file, or - for standard input");
  const dryRun = args.has("dry-run");
  const { workbook, diagnostics } = await open(args, terminal);
  if (workbook === null) return fail(diagnostics, terminal);
  const reporter = createReporter();
  const source =
    file === "-"
      ? decodeSource("-", await terminal.readInput(), reporter)
      : readSource(file, MAX_BYTES, reporter);
  if (source === null) return fail(reporter.diagnostics(), terminal);
  const languages = reviewSource(source, workbook, reporter);
  const files = reporter.failed() ? [] : planFiles(languages, workbook, reporter);
  if (reporter.failed()) {
    fail(reporter.diagnostics(), terminal);
    terminal.error("nothing was written\n");
    return 1;
  }
  const failure = dryRun ? null : await writeFiles(files);
  if (failure !== null) {
    terminal.error(`afterword ${args.command}: ${failure.message}\n`);
    return 1;
  }
  terminal.error(diagnosticsAsText(reporter.diagnostics()));
  const diff = dryRun ? diffOf(languages, workbook) : "";
  terminal.out(`${diff}${diff === "" ? "" : "\n"}${summaryOf(languages, workbook, dryRun)}`);
  return 0;
}

/** All languages of a large instance, and the notes of a translator's tool. */
const MAX_BYTES = 33_554_432;

function open(args: Arguments, terminal: Terminal): ReturnType<typeof openWorkbook> {
  const file = findConfigFile(args.one("config"), terminal);
  return openWorkbook(args.command, file, args.one("instance"), { env: terminal.env });
}

function fail(diagnostics: readonly Diagnostic[], terminal: Terminal): number {
  terminal.error(diagnosticsAsText(diagnostics));
  return 1;
}

/** Describes the changes of an import, text by text. */
function diffOf(languages: readonly ReviewedLanguage[], workbook: Workbook): string {
  return languages
    .filter(({ changes }) => changes.length > 0)
    .map(({ locale, changes }) => {
      const texts = changes.map(({ unit, text }) => {
        const before =
          unit.target === null
            ? ""
            : `\n  - ${quoteYaml(unit.target)}${unit.origin === "shipped" ? "  (Afterword's)" : ""}`;
        return `${unit.id}${before}\n  + ${quoteYaml(text)}\n`;
      });
      return `${shortenPath(workbook.ownFile(locale))}\n${texts.join("")}`;
    })
    .join("\n");
}

/** A line per language. */
function summaryOf(
  languages: readonly ReviewedLanguage[],
  workbook: Workbook,
  dryRun: boolean,
): string {
  const lines = languages.map(({ locale, changes, unchanged, respaced, untranslated }) => {
    const added = changes.filter(({ unit }) => unit.target === null).length;
    const spaces = respaced === 0 ? "" : ` (${respaced} but for spaces or normalization)`;
    const counts = `${added} new, ${changes.length - added} changed, ${unchanged} as before${spaces}, ${untranslated} not translated`;
    const verb = dryRun ? "would go" : "written";
    const where =
      changes.length === 0 ? "" : ` (${verb} to ${shortenPath(workbook.ownFile(locale))})`;
    return `${locale}: ${counts}${where}\n`;
  });
  return lines.length === 0 ? "the file has no rows\n" : lines.join("");
}
