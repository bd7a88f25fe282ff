import type { VNode } from "preact";
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { ChatTicketCounts, ChatTicketLine } from "../../../api/chat/answers-tickets.ts";
import type { TicketView } from "../../../api/chat/states.ts";
import { sectionsOf } from "../lists.ts";
import type { Words } from "../words.ts";
import { useNow } from "./clock.ts";
import { sinceText, timeText, useView } from "./context.ts";
import { Invitation, valueOf } from "./list.ts";
import { draftOf } from "../ticket-acts.ts";
import { countText, languageOfTicket, STATES, useAnswer } from "./ticket-parts.ts";
import { TicketPane } from "./ticket.ts";

/** Milliseconds after which the list is read again. */
const relistEvery = 20_000;
/** How many the list asks for at once. */
const some = 50;

/** The tickets of the app's project; `open` is the number of one, or empty. */
export function Tickets({ open }: { readonly open: string }): readonly VNode[] {
  const { words } = useView();
  return [
    html`<${TicketList} open=${open} />`,
    open === ""
      ? html`<main class="chat ticket empty"><h2>${words.pickTicket}</h2></main>`
      : html`<${TicketPane} key=${open} id=${open} />`,
  ];
}

function TicketList({ open }: { readonly open: string }): VNode {
  const { desk, acts, words } = useView();
  const { remembered } = acts.tickets;
  const [filter, setFilter] = useState({
    search: "",
    view: remembered.view,
    length: String(some),
  });
  const change = (next: Partial<typeof filter>): void =>
    setFilter({ ...filter, length: String(some), ...next });
  const turn = (view: TicketView): void => {
    remembered.view = view;
    change({ view });
  };
  const now = useNow(relistEvery);
  const key = JSON.stringify([filter, now]);
  const { answer, said } = useAnswer(() => acts.tickets.list(filter), key);
  const { tickets = [], hasMore = false } = answer ?? {};
  const length = Number(filter.length);
  const { invitations } = sectionsOf(desk);
  return html`<nav class="list" aria-label=${words.tickets}>
    <div class="filter" role="search">
      <input
        id="search"
        type="search"
        dir="auto"
        maxlength="200"
        aria-label=${words.searchTickets}
        placeholder=${words.searchTickets}
        value=${filter.search}
        onInput=${(event: Event) => change({ search: valueOf(event) })}
      />
    </div>
    ${
      invitations.length > 0 &&
      html`<section aria-label=${words.invitations}>
        <ul>
          ${invitations.map((one) => html`<${Invitation} key=${one.chat.id} one=${one} />`)}
        </ul>
      </section>`
    }
    <${Views} view=${filter.view} counts=${answer?.counts} turn=${turn} />
    <section aria-label=${words.tickets}>
      ${said}
      ${answer !== null && tickets.length === 0 && html`<p class="quiet">${words.noMatch}</p>`}
      <ul>
        ${tickets.map((one) => html`<${TicketRow} key=${one.id} one=${one} open=${open} now=${now} />`)}
      </ul>
      ${
        hasMore &&
        length < 200 &&
        html`<button type="button" onClick=${() => change({ length: String(length + some) })}>
          ${words.more}
        </button>`
      }
    </section>
  </nav>`;
}

/** The lists by state, with how many tickets a search finds in each. */
const VIEWS: readonly (readonly [TicketView, keyof Words])[] = [
  ["new", "ticketNew"],
  ["mine", "myTickets"],
  ["open", "ticketOpen"],
  ["waiting", "ticketPending"],
  ["solved", "ticketSolved"],
  ["all", "allTickets"],
];
interface ViewsProps {
  readonly view: string;
  readonly counts: ChatTicketCounts | undefined;
  readonly turn: (view: TicketView) => void;
}

function Views({ view, counts, turn }: ViewsProps): VNode {
  const { words } = useView();
  return html`<div class="views" role="group" aria-label=${words.tickets}>
    ${VIEWS.map(([one, name]) => {
      const count = counts?.[one] ?? 0;
      return html`<button type="button" aria-pressed=${one === view} onClick=${() => turn(one)}>
        ${words[name]}${" "}
        <span class="count">${countText(count)}</span>
      </button>`;
    })}
  </div>`;
}

interface TicketRowProps {
  readonly one: ChatTicketLine;
  /** Number of the ticket that is open, or empty. */
  readonly open: string;
  readonly now: number;
}

/** A ticket in two lines: its title and age; person, language, state and assignee. */
function TicketRow({ one, open, now }: TicketRowProps): VNode {
  const { desk, words, language } = useView();
  const { title, number, user, status, assignee } = one;
  const hasDraft = desk.drafts.has(draftOf.answer(one.id));
  const about = [
    user,
    languageOfTicket(one, language),
    words[STATES[status]],
    assignee?.name ?? words.unassigned,
  ];
  return html`<li>
    <a
      class=${`row ticket-row ${status === 1 ? "unread" : ""}`}
      href=${`#tickets/${one.id}`}
      aria-current=${open === String(one.id) ? "true" : undefined}
    >
      <strong dir="auto">${hasDraft ? "✎ " : ""}${title || number}</strong>
      <time class="quiet" title=${timeText(one.created, language)}>
        ${sinceText(one.created, language, now)}
      </time>
      <span class="preview quiet">
        ${about.filter(Boolean).map((part, at) => html`${at > 0 && " · "}<bdi>${part}</bdi>`)}
      </span>
      ${one.tags.length > 0 && html`<span class="tags">${one.tags.map((tag) => html`<bdi class="tag">${tag}</bdi>`)}</span>`}
    </a>
  </li>`;
}
