import type { VNode } from "preact";
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { AuditEntry } from "../../../../api/console-health.ts";
import { Select } from "../../../shared/fields.ts";
import { fill, nameLanguage } from "../../../shared/words.ts";
import { nameLine, toCamel, type Words } from "../../words.ts";
import { Pending, useAnswer, useView } from "../context.ts";

/** All changes with their authors and times, the latest first. */
export function AuditLog(): VNode {
  const { words, language } = useView();
  const [label, choose] = useState("");
  const answer = useAnswer<{ readonly audit: readonly AuditEntry[] }>("audit");
  const all = answer.value?.audit ?? [];
  const labels = [...new Set(all.map((one) => one.label))].toSorted();
  const shown = all.filter((one) => label === "" || one.label === label);
  const time = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" });
  return html`<section>
    <div class="tools">
      <h2>${words.auditLog}</h2>
      <a href="#/changes">${words.changes}</a>
      <label>
        <span>${words.who}</span>
        <${Select} value=${label} options=${[["", words.everything], ...labels]} change=${choose} />
      </label>
      <button type="button" onClick=${answer.again}>${words.refresh}</button>
    </div>
    <${Pending} of=${answer} />
    ${answer.value !== null && all.length === 0 && html`<p class="quiet">${words.noWrites}</p>`}
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
                  <td>${sayDetails(action, details, words, language)}</td>
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
  contentsImport: "bringContents",
  draftDelete: "takeBack",
  draftDiscard: "discard",
  draftRebase: "goOn",
  publish: "publish",
  restore: "restore",
  review: "reviewed",
  reviewDelete: "withdrawReview",
  doctor: "doctor",
  escalation: "handedOver",
  insightsErase: "insights",
  questionDismiss: "notForBot",
};

/** Says which line or content an entry is about; other details are names and numbers. */
function sayDetails(
  action: string,
  details: string,
  words: Words,
  language: string,
): VNode | string {
  const [, instance = "", locale = "", target = ""] = LINES[action]?.exec(details) ?? [];
  if (target === "") return html`<bdi>${details}</bdi>`;
  const isContent = instance === "content";
  const [key = ""] = target.split(" ", 1);
  const text = target.slice(key.length);
  const line = isContent ? `${words.contents} #${target}` : nameLine(words, key) + text;
  const about = fill(words.lineIn, { line, language: nameLanguage(locale, language) });
  return isContent || instance === "" ? about : html`<bdi>${instance}</bdi> · ${about}`;
}

const DRAFTED = /^(\S+) (\S+) (\S.*)$/u;
const REVIEWED = /^()(\S+) (\S.*)$/u;
/** By the actions whose details name a line: bot, language and line, or language and line. */
const LINES: Readonly<Record<string, RegExp>> = {
  "draft-put": DRAFTED,
  "draft-delete": DRAFTED,
  review: REVIEWED,
  "review-delete": REVIEWED,
};
