import type { VNode } from "preact";
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { ChatTicketLine } from "../../../api/chat/answers-tickets.ts";
import { sectionsOf } from "../lists.ts";
import { useNow } from "./clock.ts";
import { sinceText, timeText, useView } from "./context.ts";
import { Invitation, valueOf } from "./list.ts";
import { languageOfTicket, STATES, useAnswer } from "./ticket-parts.ts";
import { TicketPane } from "./ticket.ts";

/** How many the list asks for at once. */
const some = 50;

/** The tickets of the app's project, for reading; `open` is the number of one, or empty. */
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
  const [filter, setFilter] = useState({ search: "", status: "", length: String(some) });
  const change = (next: Partial<typeof filter>): void =>
    setFilter({ ...filter, length: String(some), ...next });
  const now = useNow(60_000);
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
      <select
        aria-label=${words.allStates}
        value=${filter.status}
        onChange=${(event: Event) => change({ status: valueOf(event) })}
      >
        <option value="">${words.allStates}</option>
        ${Object.entries(STATES).map(
          ([state, name]) => html`<option value=${state}>${words[name]}</option>`,
        )}
      </select>
    </div>
    ${
      invitations.length > 0 &&
      html`<section aria-label=${words.invitations}>
        <ul>
          ${invitations.map((one) => html`<${Invitation} key=${one.chat.id} one=${one} />`)}
        </ul>
      </section>`
    }
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

interface TicketRowProps {
  readonly one: ChatTicketLine;
  /** Number of the ticket that is open, or empty. */
  readonly open: string;
  readonly now: number;
}

/** A ticket in two lines: its title and age; person, language, state and assignee. */
function TicketRow({ one, open, now }: TicketRowProps): VNode {
  const { words, language } = useView();
  const { title, number, user, status, assignee } = one;
  const about = [user, languageOfTicket(one, language), words[STATES[status]], assignee?.name];
  return html`<li>
    <a
      class=${`row ticket-row ${status === 1 ? "unread" : ""}`}
      href=${`#tickets/${one.id}`}
      aria-current=${open === String(one.id) ? "true" : undefined}
    >
      <strong dir="auto">${title || number}</strong>
      <time class="quiet" title=${timeText(one.created, language)}>
        ${sinceText(one.created, language, now)}
      </time>
      <span class="preview quiet">
        ${about.filter(Boolean).map((part, at) => html`${at > 0 && " · "}<bdi>${part}</bdi>`)}
      </span>
    </a>
  </li>`;
}
