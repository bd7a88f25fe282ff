import type { VNode } from "preact";
import { html } from "htm/preact";
import type { ChatTicketLine } from "../../../api/chat/answers-tickets.ts";
import { STATES } from "../context.ts";
import { draftOf } from "../ticket-acts.ts";
import { formatSince, formatTime, useView } from "./context.ts";
import { Excerpt } from "./list.ts";
import { languageOfTicket } from "./ticket-parts.ts";

interface TicketRowProps {
  readonly one: ChatTicketLine;
  /** Number of the ticket that is open, or empty. */
  readonly open: string;
  readonly now: number;
}

/** A ticket in two lines: its title and age; person, language, state and assignee. */
export function TicketRow({ one, open, now }: TicketRowProps): VNode {
  const { desk, words, language } = useView();
  const { title, number, user, status, assignee } = one;
  const waits = status === 1 || (status === 2 && desk.me !== null && assignee?.id === desk.me.id);
  const hasDraft = desk.drafts.has(draftOf.answer(one.id));
  const about = [
    user,
    languageOfTicket(one, language),
    words[STATES[status]],
    assignee?.name ?? "",
  ];
  return html`<li>
    <a
      class=${`row ticket-row ${waits ? "unread" : ""}`}
      href=${`#tickets/${one.id}`}
      aria-current=${open === String(one.id) ? "true" : undefined}
    >
      <strong dir="auto">${hasDraft ? "✎ " : ""}${title || number}</strong>
      <time class="quiet" title=${formatTime(one.created, language)}>
        ${formatSince(one.created, language, now)}
      </time>
      <${Excerpt} of=${one.excerpt} />
      <span class="preview quiet">
        ${about.filter(Boolean).map((part, at) => html`${at > 0 && " · "}<bdi>${part}</bdi>`)}
      </span>
      ${one.tags.length > 0 && html`<span class="tags">${one.tags.map((tag) => html`<bdi class="tag">${tag}</bdi>`)}</span>`}
    </a>
  </li>`;
}
