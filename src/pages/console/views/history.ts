import type { VNode } from "preact";
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { AuditEntry, Conflict, Publication, Published } from "../../../api/console.ts";
import { fill, listOf } from "../../shared/words.ts";
import { ask, conflictsOf } from "../api.ts";
import { toCamel, type Words } from "../words.ts";
import { mayPublish, Pending, problemOf, useAsked, useView, valueOf } from "./context.ts";

interface HistoryProps {
  readonly finish: (result: Published) => void;
}

/** All that was published. Each publication may be taken back. */
export function History({ finish }: HistoryProps): VNode {
  const { words, session } = useView();
  const asked = useAsked<{ readonly history: readonly Publication[] }>("history");
  return html`<div class="tools">
      <h2>${words.history}</h2>
      ${session.role === "admin" && html`<a href="#/changes/log">${words.auditLog}</a>`}
    </div>
    <${Pending} asked=${asked} />
    ${asked.value?.history.length === 0 && html`<p class="quiet">${words.noHistory}</p>`}
    <ol class="history">
      ${asked.value?.history.map(
        (one) => html`<${Entry} key=${one.id} of=${one} finish=${finish} />`,
      )}
    </ol>`;
}

function Entry({ of, finish }: { readonly of: Publication } & HistoryProps): VNode {
  const { words, language, token, session } = useView();
  const [problem, changeProblem] = useState("");
  const [conflicts, changeConflicts] = useState<readonly Conflict[]>([]);
  const restore = async (files: Readonly<Record<string, string>>): Promise<void> => {
    changeProblem("");
    try {
      finish(await ask<Published>(token, `history/${of.id}/restore`, { files }));
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
          ${fill(words.chooseTexts, { file: listOf(Object.keys(over), language) })}
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

/** All changes with their authors and times, the latest first. */
export function AuditLog(): VNode {
  const { words, language } = useView();
  const [label, choose] = useState("");
  const asked = useAsked<{ readonly audit: readonly AuditEntry[] }>("audit");
  const all = asked.value?.audit ?? [];
  const labels = [...new Set(all.map((one) => one.label))].toSorted();
  const shown = all.filter((one) => label === "" || one.label === label);
  const time = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" });
  return html`<section>
    <div class="tools">
      <h2>${words.auditLog}</h2>
      <a href="#/changes">${words.changes}</a>
      <label>
        <span>${words.who}</span>
        <select value=${label} onChange=${(event: Event) => choose(valueOf(event))}>
          <option value="">${words.everything}</option>
          ${labels.map((one) => html`<option value=${one}>${one}</option>`)}
        </select>
      </label>
      <button type="button" onClick=${asked.again}>${words.refresh}</button>
    </div>
    <${Pending} asked=${asked} />
    ${asked.value !== null && all.length === 0 && html`<p class="quiet">${words.noWrites}</p>`}
    ${
      shown.length > 0 &&
      html`<div class="scroll" tabindex="0" role="region" aria-label=${words.auditLog}>
        <table class="list">
          <thead>
            <tr>
              ${[words.when, words.who, words.outcome, words.details].map(
                (name) => html`<th scope="col">${name}</th>`,
              )}
            </tr>
          </thead>
          <tbody>
            ${shown.map(
              ({ at, label: who, action, details }) =>
                html`<tr>
                  <td>${time.format(new Date(at))}</td>
                  <td>${who}</td>
                  <td>${words[ACTIONS[toCamel(action)] ?? "changes"]}</td>
                  <td><code dir="ltr">${details}</code></td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`
    }
  </section>`;
}

/** By the names that the log gives them, without hyphens. */
const ACTIONS: Readonly<Record<string, keyof Words>> = {
  draftPut: "putIntoDraft",
  draftImport: "importFile",
  draftDelete: "takeBack",
  draftDiscard: "discard",
  draftRebase: "goOn",
  publish: "publish",
  restore: "restore",
  review: "reviewed",
  reviewDelete: "withdrawReview",
  doctor: "doctor",
  escalation: "handedOver",
};

/** A unified diff, its lines told apart by sign and colour. */
export function Diff({ of }: { readonly of: string }): VNode {
  return html`<pre class="diff" dir="ltr" tabindex="0">
${of
      .replace(/\n$/, "")
      .split("\n")
      .map((line) => html`<span class=${KINDS[line[0] ?? ""] ?? ""}>${line}${"\n"}</span>`)}</pre>`;
}

const KINDS: Readonly<Record<string, string>> = { "+": "come", "-": "gone", "@": "quiet" };
