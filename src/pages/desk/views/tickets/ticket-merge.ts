import type { VNode } from "preact";
import { html } from "htm/preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ChatTicket } from "../../../../api/chat/answers-tickets.ts";
import { ExplainedError, useAttempt } from "../../../shared/attempt.ts";
import { FailedCall } from "../../../shared/failed-call.ts";
import { fill } from "../../../shared/words.ts";
import { STATES } from "../../context.ts";
import type { Words } from "../../words.ts";
import { useView } from "../context.ts";
import { Dialog } from "../dialogs.ts";
import { explainChange, type ShownTicket } from "./ticket-parts.ts";

interface MergeDialogProps {
  readonly shown: ShownTicket;
  readonly done: () => void;
}

/**
 * Asks into which ticket this one is merged, then shows that ticket and asks again: a merge can't
 * be undone, so no single key makes one.
 */
export function MergeDialog({ shown, done }: MergeDialogProps): VNode {
  const { words } = useView();
  const [target, setTarget] = useState<ChatTicket | null>(null);
  const title = fill(words.mergeTitle, { number: shown.ticket.number });
  return html`<${Dialog} title=${title} done=${done}>
    ${
      target === null
        ? html`<${NumberForm} ...${{ shown, done, setTarget }} />`
        : html`<${Confirmation} ...${{ shown, done, target, setTarget }} />`
    }
  <//>`;
}

interface NumberFormProps extends MergeDialogProps {
  readonly setTarget: (target: ChatTicket | null) => void;
}

function NumberForm({ shown: { ticket }, done, setTarget }: NumberFormProps): VNode {
  const { desk, acts, words } = useView();
  const field = useRef<HTMLInputElement>(null);
  const { problem, attempt } = useAttempt((error) => explainChange(error, words));
  // The draft outlives the dialog, so that Escape takes nothing back.
  const draft = `merge ${ticket.id}`;
  const find = async (): Promise<void> => {
    const number = field.current?.value.trim() ?? "";
    // A ticket's number begins with characters for people; the digits at the end are its id.
    const into = /(?:^|\D)(\d{1,15})$/.exec(number)?.[1] ?? "";
    const target = await acts.tickets.read(into).catch((error: unknown) => {
      const isMissing = error instanceof FailedCall && error.status === 404;
      throw isMissing ? new ExplainedError(fill(words.noSuchTicket, { number })) : error;
    });
    const refused = findObstacle(ticket, target, words);
    if (refused !== "") throw new ExplainedError(refused);
    setTarget(target);
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    void attempt(find);
  };
  return html`<form onSubmit=${submit}>
    <label for="merge-into">${words.mergeInto}</label>
    <input
      id="merge-into"
      ref=${field}
      required
      pattern=".*\\d\\s*"
      autocomplete="off"
      list="merge-others"
      dir="ltr"
      defaultValue=${desk.drafts.get(draft) ?? ""}
      aria-describedby="merge-problem"
      onInput=${() => acts.draft(draft, field.current?.value ?? "")}
    />
    <datalist id="merge-others">
      ${ticket.others.map(({ number, title }) => html`<option value=${number}>${title}</option>`)}
    </datalist>
    <p id="merge-problem" class="problem" role="alert">${problem}</p>
    <div class="buttons">
      <button type="button" onClick=${done}>${words.cancel}</button>
      <button class="primary">${words.mergeNext}</button>
    </div>
  </form>`;
}

/** Explains why a ticket cannot be merged into another one; empty if it can. */
function findObstacle(ticket: ChatTicket, target: ChatTicket, words: Words): string {
  const { number } = target;
  if (target.id === ticket.id) return words.refusedSelf;
  if (target.mergedInto !== null) return fill(words.refusedMerged, { number });
  return target.status === 5 ? fill(words.refusedClosed, { number }) : "";
}

interface ConfirmationProps extends NumberFormProps {
  readonly target: ChatTicket;
}

function Confirmation({ shown, done, target, setTarget }: ConfirmationProps): VNode {
  const { acts, words } = useView();
  const { ticket, reread } = shown;
  const { busy, problem, attempt } = useAttempt((error) => explainChange(error, words));
  const safe = useRef<HTMLButtonElement>(null);
  // An additional Enter must not merge.
  useLayoutEffect(() => safe.current?.focus(), []);
  const merge = async (): Promise<void> => {
    const worked = await attempt(async () => {
      const merged = await acts.tickets.merge(ticket, String(target.id));
      acts.draft(`merge ${ticket.id}`, "");
      done();
      location.hash = `#tickets/${merged.id}`;
    });
    if (!worked) await reread();
  };
  const question = fill(words.mergeConfirm, { number: ticket.number, other: target.number });
  return html`<p id="merge-question"><strong>${question}</strong></p>
    <dl class="merge-target">
      <dt>${words.ticketTitle}</dt>
      <dd dir="auto">${target.title || target.number}</dd>
      <dt>${words.name}</dt>
      <dd dir="auto">${target.user || words.somebody}</dd>
      <dt>${words.ticketState}</dt>
      <dd>${words[STATES[target.status]]}</dd>
    </dl>
    <p id="merge-about">${words.mergeAbout}</p>
    <p class="problem" role="alert">${problem}</p>
    <div class="buttons">
      <button
        type="button"
        ref=${safe}
        aria-describedby="merge-question merge-about"
        onClick=${() => setTarget(null)}
      >
        ${words.cancel}
      </button>
      <button type="button" class="primary" disabled=${busy} onClick=${() => void merge()}>
        ${words.mergeTicket.replace("…", "")}
      </button>
    </div>`;
}
