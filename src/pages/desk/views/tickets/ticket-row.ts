import type { VNode } from "preact";
import { html } from "htm/preact";
import type { ChatTicketLine } from "../../../../api/chat/answers-tickets.ts";
import { STATES } from "../../context.ts";
import { draftOf } from "../../ticket-acts.ts";
import { fill } from "../../../shared/words.ts";
import { addressOfTag } from "../../saved.ts";
import { formatSince, formatTime, useView } from "../context.ts";
import { Excerpt } from "../chats/list.ts";
import { languageOfTicket } from "./ticket-parts.ts";

interface TicketRowProps {
  readonly one: ChatTicketLine;
  /** Number of the ticket that is open, or empty. */
  readonly open: string;
  readonly now: number;
  /** True where the project has several queues, so that the row names the ticket's. */
  readonly hasQueues?: boolean;
  /** Undefined where tickets cannot be selected. */
  readonly choice?: RowChoice;
}

/** The selection of a row. `withRange` also changes the rows between it and the last one clicked. */
export interface RowChoice {
  readonly isChosen: boolean;
  readonly toggle: (withRange: boolean) => void;
}

/** A ticket in a list: its title and age, and below them the person, language, state and so on. */
export function TicketRow({ one, open, now, hasQueues, choice }: TicketRowProps): VNode {
  const { desk, acts, words, language } = useView();
  const { title, number, user, status, assignee } = one;
  // A row that is older than an answer sent from this page says that the ticket still waits.
  const isStale = one.seen < (acts.tickets.remembered.answered.get(one.id) ?? 0);
  const isUnanswered =
    status === 1 || (status === 2 && desk.me !== null && assignee?.id === desk.me.id);
  const waits = isUnanswered && !isStale;
  const hasDraft = desk.drafts.has(draftOf.answer(one.id));
  const about = [
    user,
    languageOfTicket(one, language),
    words[STATES[status]],
    assignee?.name ?? "",
    hasQueues === true ? one.queue : "",
  ];
  return html`<li class=${choice === undefined ? "" : "choosable"}>
    ${choice !== undefined && html`<${Checkbox} ...${{ choice, title: title || number }} />`}
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
    </a>
    <${Tags} tags=${one.tags} />
  </li>`;
}

interface TagsProps {
  readonly tags: readonly string[];
}

/** Links from tags to the tickets that have them. */
export function Tags({ tags }: TagsProps): VNode | null {
  const { words } = useView();
  if (tags.length === 0) return null;
  return html`<span class="tags">
    ${tags.map(
      (tag) =>
        html`<a
          class="tag"
          dir="auto"
          href=${addressOfTag(tag)}
          title=${fill(words.findTag, { tag })}
        >
          ${tag}
        </a>`,
    )}
  </span>`;
}

interface CheckboxProps {
  readonly choice: RowChoice;
  readonly title: string;
}

function Checkbox({ choice, title }: CheckboxProps): VNode {
  const { words } = useView();
  return html`<input
    type="checkbox"
    class="choose"
    aria-label=${fill(words.selectTicket, { title })}
    checked=${choice.isChosen}
    onClick=${({ shiftKey }: MouseEvent) => choice.toggle(shiftKey)}
  />`;
}
