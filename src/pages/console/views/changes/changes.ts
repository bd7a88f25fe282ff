import type { VNode } from "preact";
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import type { Draft, Published } from "../../../../api/console.ts";
import { Switch, valueOf } from "../../../shared/fields.ts";
import { isRefusedBy } from "../../../shared/failed-call.ts";
import { fill } from "../../../shared/words.ts";
import { ask, patience } from "../../api.ts";
import {
  canEdit,
  Findings,
  mayPublish,
  Pending,
  save,
  SnapshotDetails,
  useAnswer,
  useView,
} from "../context.ts";
import { AuditLog } from "./audit-log.ts";
import { Conflicts, useConflicts } from "./conflicts.ts";
import { ContentPairs } from "./content-pairs.ts";
import { Diff, History } from "./history.ts";
import { Pairs } from "../texts/rendered.ts";

/** Changes that are drafted and published; or the log of them all. */
export function ChangesView({ log }: { readonly log: boolean }): VNode {
  return log ? html`<${AuditLog} />` : html`<${Changes} />`;
}

function Changes(): VNode {
  const { words, token, session, noteDraft, renew } = useView();
  const drafts = canEdit(session);
  const answer = useAnswer<Draft>(drafts ? "draft" : null);
  const [done, changeDone] = useState<OutcomeProps | null>(null);
  const [count, next] = useState(0);
  const finish = (result: Published): void => {
    changeDone({ of: result, at: new Date() });
    // The bar counts the draft's changes, even after its owner has opened another view.
    const take = (next: Draft): void => {
      noteDraft(next);
      answer.put(next);
    };
    if (drafts) ask<Draft>(token, "draft").then(take, answer.again);
    next(count + 1);
    // Each of several nodes takes its turn.
    for (const turn of [0, 1, 2, 3]) setTimeout(() => void renew(), turn * (patience / 2));
  };
  const again = (): void => {
    answer.again();
    next(count + 1);
  };
  const draft = answer.value;
  useEffect(() => {
    if (draft !== null) noteDraft(draft);
  }, [draft]);
  return html`<section class="changes" aria-label=${words.changes}>
    <h2>${words.changes}</h2>
    <div class="draft">
      ${drafts && html`<${Pending} of=${answer} />`}
      ${done !== null && html`<${Outcome} ...${done} />`}
      ${
        draft !== null &&
        (draft.changes.length + draft.contents.length === 0
          ? html`<${NoChanges} />`
          : html`<${Review} draft=${draft} again=${again} finish=${finish} />`)
      }
      ${
        !session.editable &&
        html`<p class="quiet">${session.readOnly ? words.editOff : words.filesUnknown}</p>`
      }
    </div>
    ${(session.editable || session.readOnly) && html`<${History} key=${count} finish=${finish} />`}
  </section>`;
}

/** Leads to the views in which changes are made. */
function NoChanges(): VNode {
  const { words, session } = useView();
  return html`<p class="quiet">${words.noChanges}</p>
    <p class="choices">
      <a class="button" href="#/texts">${words.texts}</a>
      ${session.contents && html`<a class="button" href="#/contents">${words.contents}</a>`}
    </p>`;
}

interface OutcomeProps {
  readonly of: Published;
  readonly at: Date;
}

function Outcome({ of, at }: OutcomeProps): VNode {
  const { words, language, session, snapshots } = useView();
  const { patch, csv } = of.takeAway;
  const files = html`<div class="tools">
    <button type="button" onClick=${() => save("afterword.patch", patch)}>
      ${words.savePatch}
    </button>
    ${csv.map(
      ({ name, text }) =>
        html`<button type="button" onClick=${() => save(name, text)}>
          ${words.saveCsv} (${name})
        </button>`,
    )}
  </div>`;
  if (of.kind === "published") {
    const time = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
    return html`<div class="published">
        <p class="good" role="status">${words.published}</p>
        <p class="quiet">#${of.id} · <bdi>${session.label}</bdi> · ${time.format(at)}</p>
        <${SnapshotDetails} of=${[of.snapshot]} />
      </div>
      ${snapshots.length > 0 && files}`;
  }
  return html`<p class="problem" role="alert">
      ${fill(words.patch, { reason: `${of.file} (${of.code})` })}
    </p>
    <pre dir="ltr" tabindex="0">${patch}</pre>
    ${files}`;
}

interface ReviewProps {
  readonly draft: Draft;
  /** Reads the draft and the history again. */
  readonly again: () => void;
  readonly finish: (result: Published) => void;
}

function Review({ draft, again, finish }: ReviewProps): VNode {
  const { words, token, session, noteDraft } = useView();
  const [note, changeNote] = useState("");
  const [accepted, accept] = useState(false);
  const { conflicts, changeConflicts, busy, problem, attempt } = useConflicts();
  const broken = draft.findings.some(({ severity }) => severity === "error");
  const warned = !broken && draft.findings.length > 0;
  const files = Object.fromEntries(draft.files.map(({ file, hash }) => [file, hash ?? ""]));
  const publish = (event: Event): void => {
    event.preventDefault();
    const json = { note, files, warnings: accepted };
    void attempt(async () => {
      try {
        finish(await ask<Published>(token, "draft/publish", json));
      } catch (error) {
        // An earlier answer was lost, or another tab has published the draft.
        if (!isRefusedBy("nothing-drafted", error)) throw error;
        again();
      }
    });
  };
  const discard = (): void => {
    // A discarded draft cannot be restored.
    if (!confirm(words.discard)) return;
    void attempt(async () => {
      noteDraft(await ask<Draft>(token, "draft", undefined, "DELETE"));
      again();
    });
  };
  if (conflicts.length > 0) {
    const leave = (): void => {
      changeConflicts([]);
      again();
    };
    return html`<${Conflicts} conflicts=${conflicts} leave=${leave} />`;
  }
  return html`<${Shown} draft=${draft} />
    <${Findings} of=${draft.findings} linked />
    ${broken && html`<p class="problem">${words.mendFirst}</p>`}
    ${problem !== "" && html`<p class="problem" role="alert">${problem}</p>`}
    <form onSubmit=${publish}>
      ${
        mayPublish(session)
          ? html`<label>
                <span>${words.noteField}</span>
                <input
                  value=${note}
                  maxlength="1000"
                  onInput=${(event: Event) => changeNote(valueOf(event))}
                />
              </label>
              ${
                warned &&
                html`<${Switch} label=${words.inSpite} isOn=${accepted} turn=${accept} required />`
              }
              <button class="primary" disabled=${busy || broken}>${words.publish}</button>`
          : html`<p class="quiet">${words.onlyPublishers}</p>`
      }
      <button type="button" disabled=${busy} onClick=${discard}>${words.discard}</button>
    </form>`;
}

/** A draft as readers will see it, or as its files will be written. */
function Shown({ draft }: { readonly draft: Draft }): VNode {
  const { words } = useView();
  const [asFiles, change] = useState(false);
  const createButton = (files: boolean, word: string): VNode =>
    html`<button type="button" aria-pressed=${asFiles === files} onClick=${() => change(files)}>
      ${word}
    </button>`;
  const changes = draft.changes.map((one) => ({ ...one, before: one.theirs, after: one.text }));
  const contents = draft.contents.map((one) => ({ ...one, before: one.theirs }));
  return html`<div class="tabs" role="group" aria-label=${words.changes}>
      ${createButton(false, words.asReaders)} ${createButton(true, words.asFiles)}
    </div>
    ${
      asFiles
        ? draft.files.map(({ file, diff }) => html`<${Diff} key=${file} of=${diff} />`)
        : html`<${Pairs} of=${changes} names=${[words.before, words.after]} drafted />
            <${ContentPairs} of=${contents} states=${[words.before, words.after]} />`
    }`;
}
