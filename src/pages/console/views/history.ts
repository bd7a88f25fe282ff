import type { VNode } from "preact";
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { Conflict, Publication, Published } from "../../../api/console.ts";
import { fill } from "../../shared/words.ts";
import { ask, conflictsOf } from "../api.ts";
import { mayPublish, Pending, problemOf, useAsked, useView } from "./context.ts";

interface HistoryProps {
  readonly published: (result: Published) => void;
}

/** What was published; each may be taken back. */
export function History({ published }: HistoryProps): VNode {
  const { words } = useView();
  const asked = useAsked<{ readonly history: readonly Publication[] }>("history");
  return html`<h2>${words.history}</h2>
    <${Pending} asked=${asked} />
    ${asked.value?.history.length === 0 && html`<p class="quiet">${words.noHistory}</p>`}
    <ol class="history">
      ${asked.value?.history.map(
        (one) => html`<${Entry} key=${one.id} of=${one} published=${published} />`,
      )}
    </ol>`;
}

function Entry({ of, published }: { readonly of: Publication } & HistoryProps): VNode {
  const { words, language, token, session } = useView();
  const [problem, changeProblem] = useState("");
  const [conflicts, changeConflicts] = useState<readonly Conflict[]>([]);
  const restore = async (files: Readonly<Record<string, string>>): Promise<void> => {
    changeProblem("");
    try {
      published(await ask<Published>(token, `history/${of.id}/restore`, { files }));
    } catch (error) {
      const found = conflictsOf(error);
      changeConflicts(found);
      if (found.length === 0) changeProblem(problemOf(error, words));
    }
  };
  const over = Object.fromEntries(conflicts.map(({ file, hash }) => [file, hash ?? ""]));
  const time = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  const who = { label: of.label, time: time.format(new Date(of.at)) };
  return html`<li>
    <p>
      <b>${of.note}</b> ${of.restores !== null && fill(words.takesBack, { number: of.restores })}
      <small>${`#${of.id}`} ${fill(words.publishedBy, who)}</small>
    </p>
    <details>
      <summary>${words.details}</summary>
      ${of.files.map(({ file, diff }) => html`<${Diff} key=${file} of=${diff} />`)}
    </details>
    ${problem !== "" && html`<p class="problem" role="alert">${problem}</p>`}
    ${
      conflicts.length > 0 &&
      html`<p class="problem" role="alert">
          ${fill(words.chooseTexts, { file: Object.keys(over).join(", ") })}
        </p>
        ${conflicts.map(
          ({ file, theirs, yours }) =>
            html`<h3><code>${file}</code></h3>
              <div class="pair">
                <div>
                  <p class="quiet">${words.theirs}</p>
                  <pre>${theirs}</pre>
                </div>
                <div>
                  <p class="quiet">${words.before}</p>
                  <pre>${yours}</pre>
                </div>
              </div>`,
        )}
        <button type="button" onClick=${() => void restore(over)}>${words.restoreOver}</button>`
    }
    ${
      mayPublish(session) &&
      conflicts.length === 0 &&
      html`<button type="button" onClick=${() => void restore({})}>${words.restore}</button>`
    }
  </li>`;
}

/** A unified diff, its lines told apart by sign and colour. */
export function Diff({ of }: { readonly of: string }): VNode {
  return html`<pre class="diff" dir="ltr" tabindex="0">
${of
      .replace(/\n$/, "")
      .split("\n")
      .map((line) => html`<span class=${KINDS[line[0] ?? ""] ?? ""}>${line}${"\n"}</span>`)}</pre>`;
}

const KINDS: Readonly<Record<string, string>> = { "+": "come", "-": "gone", "@": "quiet" };
