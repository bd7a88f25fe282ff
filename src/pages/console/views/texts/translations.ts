import type { VNode } from "preact";
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { Draft, Finding, ImportResult } from "../../../../api/console.ts";
import { type Options, Select } from "../../../shared/fields.ts";
import { ExplainedError, useAttempt } from "../../../shared/attempt.ts";
import { FailedCall } from "../../../shared/failed-call.ts";
import { fill, nameLanguage } from "../../../shared/words.ts";
import { ask } from "../../api.ts";
import { Findings, problemOf, save as saveFile, useView } from "../context.ts";

interface TranslationsProps {
  readonly locales: readonly string[];
  /** The lines that are shown. */
  readonly lines: readonly string[];
  /**
   * Called with the draft once it has the imported texts; null if this token cannot have a draft.
   */
  readonly keep: ((draft: Draft) => void) | null;
}

/** Exports the lines of the grid for translators, and imports their files into the draft. */
export function Translations({ locales, lines, keep }: TranslationsProps): VNode {
  const { words, language, token, bot } = useView();
  const [locale, changeLocale] = useState("");
  const [format, changeFormat] = useState("csv");
  const [result, setResult] = useState<ImportResult | null>(null);
  const [faults, changeFaults] = useState<readonly Finding[]>([]);
  const { problem, attempt } = useAttempt((error) => {
    if (error instanceof FailedCall) changeFaults(error.findings);
    return problemOf(error, words);
  });
  const begin = (work: () => Promise<void>): void => {
    setResult(null);
    changeFaults([]);
    void attempt(work);
  };
  const save = async (): Promise<void> => {
    const filter = { instance: bot, format, locales: locale, lines: lines.join(",") };
    const query = new URLSearchParams(filter).toString();
    const { text } = await ask<{ readonly text: string }>(token, `translations?${query}`);
    const name = [bot, locale].filter((one) => one !== "").join("-");
    saveFile(`${name}.${ENDINGS[format] ?? ""}`, text);
  };
  const read = async (field: HTMLInputElement): Promise<void> => {
    const file = field.files?.[0];
    if (file === undefined) return;
    const bytes = await file.arrayBuffer();
    // An empty field fires again when the same file, corrected, is chosen.
    field.value = "";
    const text = decode(bytes);
    if (text === null) throw new ExplainedError(words.notUtf8);
    const json = { instance: bot, name: file.name, text };
    const imported = await ask<ImportResult>(token, "translations", json);
    setResult(imported);
    keep?.(imported.draft);
  };
  return html`<details class="translations">
    <summary>${words.translations}</summary>
    <div class="tools">
      <label>
        <span>${words.language}</span>
        <${Select}
          value=${locale}
          options=${[["", words.everyLanguage], ...locales.map((one) => [one, nameLanguage(one, language)])]}
          change=${changeLocale}
        />
      </label>
      <label>
        <span>${words.format}</span>
        <${Select} value=${format} options=${FORMATS} change=${changeFormat} />
      </label>
      <button type="button" disabled=${lines.length === 0} onClick=${() => begin(save)}>
        ${words.exportLines}
      </button>
      ${
        keep !== null &&
        html`<label>
          <span>${words.importFile}</span>
          <input
            type="file"
            accept=".csv,.tsv,.xlf,.xliff"
            onChange=${({ target }: Event) =>
              target instanceof HTMLInputElement && begin(() => read(target))}
          />
        </label>`
      }
    </div>
    ${problem !== "" && html`<p class="problem" role="alert">${problem}</p>`}
    <${Findings} of=${faults} />
    ${result !== null && html`<${Result} of=${result} />`}
  </details>`;
}

/** The outcome of an import. */
function Result({ of }: { readonly of: ImportResult }): VNode {
  const { words } = useView();
  const { taken: count, unchanged, untranslated, findings } = of;
  return html`<p class="good" role="status">
      ${fill(words.imported, { count, unchanged, untranslated })}
    </p>
    <${Findings} of=${findings} />`;
}

const FORMATS: Options = [
  ["csv", "CSV"],
  ["xliff", "XLIFF 1.2"],
];
const ENDINGS: Readonly<Record<string, string>> = { csv: "csv", xliff: "xlf" };

/** Decodes UTF-8. Null for anything else, which would come out damaged. */
function decode(bytes: ArrayBuffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
