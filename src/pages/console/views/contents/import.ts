import type { VNode } from "preact";
import { html } from "htm/preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type {
  ImportedContentFile,
  ImportedContents,
  LeftBehind,
  LeftPart,
} from "../../../../api/console-import.ts";
import { valueOf } from "../../../shared/fields.ts";
import { ExplainedError, useAttempt } from "../../../shared/attempt.ts";
import { fill, LANGUAGES, listOf, nameLanguage } from "../../../shared/words.ts";
import { ask } from "../../api.ts";
import { IMPORT_NAMES } from "../../words.ts";
import { sayLeft, sayRefusal, type Sentence } from "../../findings.ts";
import { Findings, mayPublish, problemOf, SentenceText, useView } from "../context.ts";
import { Rendered } from "../texts/rendered.ts";

/** A file as it is sent. */
interface SentFile {
  readonly name: string;
  /** In Base64. */
  readonly file: string;
}

/** Sends a file for a preview, and again for the import. */
function useImport() {
  const { words, token } = useView();
  const [sent, changeSent] = useState<SentFile | null>(null);
  const [chosen, choose] = useState("");
  const [found, change] = useState<ImportedContents | null>(null);
  const { busy, problem, attempt } = useAttempt((error) => problemOf(error, words));
  const look = async (file: SentFile, tag: string, write = false): Promise<void> => {
    const json = { ...file, write, ...(tag !== "" && { language: tag }) };
    change(await ask<ImportedContents>(token, "contents/import", json));
  };
  const take = async (file: File): Promise<void> => {
    change(null);
    choose("");
    if (file.size > maxBytes) {
      // Pages cannot import quoteShell.
      const command = `afterword backend import '${file.name.replaceAll("'", `'\\''`)}'`;
      const values = { size: maxBytes / megabyte, command };
      throw new ExplainedError(fill(words.fileTooLarge, values));
    }
    const next = { name: file.name, file: await toBase64(file) };
    changeSent(next);
    await look(next, "");
  };
  return {
    sent,
    chosen,
    choose,
    found,
    problem,
    busy,
    look: (...given: Parameters<typeof look>) => void attempt(() => look(...given)),
    take: (file: File | undefined) => void (file && attempt(() => take(file))),
  };
}

/** Imports contents: a file is chosen or dropped, previewed, and taken over. */
export function ImportView(): VNode {
  const { words, language } = useView();
  const { sent, chosen, choose, found, problem, busy, look, take } = useImport();
  const [over, changeOver] = useState(false);
  const title = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => title.current?.focus(), []);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    changeOver(false);
    take(event.dataTransfer?.files[0]);
  };
  return html`<section class="bring" aria-labelledby="bring-title">
    <h2 id="bring-title" tabindex="-1" ref=${title}>${words.bringContents}</h2>
    <p class="quiet">
      ${fill(words.bringAbout, { columns: COLUMNS, bots: listOf(BOTS, language) })}
    </p>
    <label
      class=${over ? "drop over" : "drop"}
      onDragOver=${(event: DragEvent) => {
        event.preventDefault();
        changeOver(true);
      }}
      onDragLeave=${() => changeOver(false)}
      onDrop=${drop}
    >
      <span>${words.chooseFile}</span>
      <input
        type="file"
        accept=".csv,.tsv,.txt,.json,.yml,.yaml,.zip"
        onChange=${({ target }: Event) => {
          if (!(target instanceof HTMLInputElement)) return;
          take(target.files?.[0]);
          // The same file, after a correction, counts as another one.
          target.value = "";
        }}
      />
    </label>
    <div aria-live="polite">
      ${busy && html`<p class="quiet">${words.loading}</p>`}
      ${problem !== "" && html`<p class="problem" role="alert">${problem}</p>`}
      ${
        found !== null &&
        sent !== null &&
        html`<${Preview}
          of=${found}
          name=${sent.name}
          busy=${busy}
          language=${chosen}
          choose=${(tag: string) => {
            choose(tag);
            look(sent, tag);
          }}
          accept=${() => look(sent, chosen, true)}
        />`
      }
    </div>
  </section>`;
}

interface PreviewProps {
  readonly of: ImportedContents;
  readonly name: string;
  readonly busy: boolean;
  /** The language that was chosen for a file that names none. */
  readonly language: string;
  readonly choose: (tag: string) => void;
  readonly accept: () => void;
}

/** Shows the contents that a file would become, and the parts that stay behind. */
function Preview({ of, name, busy, language: chosen, choose, accept }: PreviewProps): VNode {
  const { words, language, session } = useView();
  const { findings, files, left, written } = of;
  const leftTotal = left.reduce((sum, { count }) => sum + count, 0);
  const isPresent = files.length === 0 && left.some(({ code }) => code.startsWith("present"));
  const isUnknown = !of.needsLanguage && files.length === 0 && findings.length === 0 && !isPresent;
  return html`<h3>
      <bdi>${name}</bdi>${of.format !== null && html` · ${IMPORT_NAMES[of.format] ?? words.format}`}
    </h3>
    ${isUnknown && html`<p class="problem" role="alert">${fill(words.unknownFile, { columns: COLUMNS })}</p>`}
    ${isPresent && html`<p role="status">${sayRefusal("nothing-new", {}, words, language)}</p>`}
    ${findings.length > 0 && html`<${Findings} of=${findings} />`}
    ${
      (of.needsLanguage || chosen !== "") &&
      !written &&
      html`<label>
        <span>${words.languageNeeded}</span>
        <select value=${chosen} onChange=${(event: Event) => choose(valueOf(event))}>
          <option value="" disabled>${words.language}</option>
          ${LANGUAGES.map((one) => html`<option value=${one}>${nameLanguage(one, language)}</option>`)}
        </select>
      </label>`
    }
    ${files.map((file) => html`<${ComingFile} key=${file.language} of=${file} />`)}
    ${
      leftTotal > 0 &&
      html`<details class="left">
        <summary>${fill(words.leftBehind, { count: leftTotal })}</summary>
        <ul class="findings">
          ${left.map((one) => html`<${Left} key=${one.code} of=${one} />`)}
        </ul>
      </details>`
    }
    ${
      written
        ? html`<p class="good" role="status">
            ${fill(words.importDone, {
              files: listOf(
                files.map(({ file }) => file),
                language,
              ),
            })}
            ${of.needsRestart && html` <b>${words.importRestart}</b>`}
          </p>`
        : files.length > 0 &&
          (mayPublish(session)
            ? html`<button type="button" class="primary" disabled=${busy} onClick=${accept}>
                ${words.importNow}
              </button>`
            : html`<p class="quiet">${words.onlyPublishers}</p>`)
    }`;
}

/** Parts that stay behind for one reason. A sentence that fits many of them is shown once. */
function Left({ of: { code, count, parts } }: { readonly of: LeftBehind }): VNode {
  const { words, language } = useView();
  const say = (one: LeftPart): Sentence => sayLeft(code, one, words, language);
  const alike = [...Map.groupBy(parts, (one) => JSON.stringify(say(one))).values()];
  const lines = alike.map((same) => {
    const [first] = same;
    const all = alike.length === 1 ? count : same.length;
    const isNamed = same.some(({ part }) => part !== null);
    return html`<li class="note">
      ${first !== undefined && html`<${SentenceText} of=${say(first)} />`}
      ${all > 1 && html` (${all})`}
      ${
        isNamed &&
        html`<ul>
          <${First} of=${same.map(describePart)} all=${all} />
        </ul>`
      }
    </li>`;
  });
  const all = alike.length === 1 ? 1 : alike.length + count - parts.length;
  return html`<${First} of=${lines} all=${all} />`;
}

/** The first items of a list, and the others behind a summary. */
function First({ of, all }: { readonly of: readonly VNode[]; readonly all: number }): VNode {
  const { words } = useView();
  return html`${of.slice(0, maxShown)}${
    all > maxShown &&
    html`<li>
      <details>
        <summary>${fill(words.moreLines, { count: all - maxShown })}</summary>
        <ul>
          ${of.slice(maxShown)} ${all > of.length && html`<li>+ ${all - of.length}</li>`}
        </ul>
      </details>
    </li>`
  }`;
}

/** Describes a part as the other bot names it, with its beginning and its position. */
function describePart({ file, line, part, text }: LeftPart): VNode {
  return html`<li>
    <bdi>${part}</bdi>${text !== null && text !== "" && html` · <bdi>${text}</bdi>`} ${" "}<small
      ><bdi>${line === null ? file : `${file}:${line}`}</bdi></small
    >
  </li>`;
}

const maxShown = 5;

/** The contents of one language. */
function ComingFile({ of }: { readonly of: ImportedContentFile }): VNode {
  const { words, language } = useView();
  const { contents, phrases, unpublished, hidden, first } = of;
  return html`<section class="coming">
    <h4>${nameLanguage(of.language, language)}</h4>
    <p>
      ${fill(words.wouldCome, { contents, phrases })}
      ${unpublished > 0 && html` ${fill(words.wouldBeUnpublished, { count: unpublished })}`}
      ${hidden > 0 && html` ${fill(words.wouldBeHidden, { count: hidden })}`} ${" "}<span
        class="quiet"
        >${fill(words.becomesFile, { file: of.file })}</span
      >
    </p>
    <ul class="pairs">
      ${first.map(
        ({ title, alternatives, answer }) =>
          html`<li lang=${of.language}>
            <p class="title">
              <b><bdi>${title}</bdi></b>
            </p>
            ${
              alternatives.length > 0 &&
              html`<p class="quiet" lang=${language}>
                <small>${words.alsoAsked}</small>${" "}
                <bdi lang=${of.language}>${alternatives.join(" · ")}</bdi>
              </p>`
            }
            ${answer.map((text) => html`<${Rendered} text=${text} locale=${of.language} />`)}
          </li>`,
      )}
      ${
        contents > first.length &&
        html`<li class="quiet">${fill(words.moreLines, { count: contents - first.length })}</li>`
      }
    </ul>
  </section>`;
}

/** The file's bytes in Base64. */
function toBase64(file: File): Promise<string> {
  const reader = new FileReader();
  return new Promise((resolve, reject) => {
    reader.addEventListener("load", () => {
      const { result } = reader;
      resolve(typeof result === "string" ? (result.split(",")[1] ?? "") : "");
    });
    reader.addEventListener("error", () => reject(reader.error ?? new Error("unreadable")));
    reader.readAsDataURL(file);
  });
}

const megabyte = 1_000_000;
/** With its encoding in Base64 it is below the limit of the API. */
const maxBytes = 3 * megabyte;

const COLUMNS = "question, answer";
const BOTS = ["Rasa", "Dialogflow ES", "Watson Assistant", "Botpress"];
