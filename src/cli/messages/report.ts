import { relative } from "node:path";
import { quoteYaml } from "../../config/edit/yaml-quote.ts";
import type { Workbook } from "../../config/edit/workbook.ts";
import type { ReviewedLanguage } from "../../config/translation/review.ts";

/** What an import changes, text by text. */
export function diffOf(languages: readonly ReviewedLanguage[], workbook: Workbook): string {
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
      return `${shortened(workbook.ownFile(locale))}\n${texts.join("")}`;
    })
    .join("\n");
}

/** A line per language. */
export function summaryOf(
  languages: readonly ReviewedLanguage[],
  workbook: Workbook,
  dryRun: boolean,
): string {
  const lines = languages.map(({ locale, changes, unchanged, untranslated }) => {
    const added = changes.filter(({ unit }) => unit.target === null).length;
    const counts = `${added} new, ${changes.length - added} changed, ${unchanged} as before, ${untranslated} not translated`;
    const verb = dryRun ? "would go" : "written";
    const where =
      changes.length === 0 ? "" : ` (${verb} to ${shortened(workbook.ownFile(locale))})`;
    return `${locale}: ${counts}${where}\n`;
  });
  return lines.length === 0 ? "the file has no rows\n" : lines.join("");
}

function shortened(file: string): string {
  const short = relative(process.cwd(), file);
  return short.startsWith("..") ? file : short;
}
