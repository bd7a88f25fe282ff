import type { VNode } from "preact";
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import type { ChatTicketCounts } from "../../../../api/chat/answers-tickets.ts";
import type { TicketView } from "../../../../api/chat/states.ts";
import type { Words } from "../../words.ts";
import { useNow } from "../clock.ts";
import { useView, countText } from "../context.ts";
import { Invitations } from "../chats/list.ts";
import { usePages } from "../pages.ts";
import { NEW_TICKET } from "../../ticket-acts.ts";
import { NewTicketPane } from "./new-ticket.ts";
import { TicketChoice, useChoice } from "./ticket-choice.ts";
import { TicketFilter, type TicketListFilter } from "./ticket-filter.ts";
import { useAnswer } from "../answer.ts";
import { TicketPane } from "./ticket.ts";
import { TicketRow } from "./ticket-row.ts";

/** The number of tickets that the list requests at once. */
const pageLength = "50";
/** Milliseconds after which the ages in the list are updated. */
const agesEvery = 30_000;

const NO_CHOICES = { tags: [], queues: [] } as const;

interface TicketsProps {
  readonly open: string;
  /** The tag whose tickets the address names, or null. */
  readonly tag: string | null;
}

/** The tickets of the app's project; `open` is the number of one, or empty. */
export function Tickets({ open, tag }: TicketsProps): readonly VNode[] {
  const { words } = useView();
  const list = html`<${TicketList} ...${{ open, tag }} />`;
  if (open === "new") return [list, html`<${NewTicketPane} />`];
  if (open !== "") return [list, html`<${TicketPane} key=${open} id=${open} />`];
  return [list, html`<main class="chat ticket empty"><h2>${words.pickTicket}</h2></main>`];
}

function TicketList({ open, tag }: TicketsProps): VNode {
  const { desk, acts, words } = useView();
  const { remembered } = acts.tickets;
  const [filter, setFilter] = useState<TicketListFilter>({
    search: "",
    agent: "",
    tag: tag ?? "",
    ...remembered.list,
  });
  const change = (next: Partial<TicketListFilter>): void => {
    const changed = { ...filter, ...next };
    const { view, order, queue } = changed;
    remembered.list = { view, order, queue };
    setFilter(changed);
  };
  // A ticket that was just created may be in another view than the one that is open.
  useEffect(() => change({ view: remembered.list.view }), [open]);
  useEffect(() => {
    if (tag !== null) change({ search: "", agent: "", queue: "", view: "all", tag });
  }, [tag]);
  const { answer: choices } = useAnswer(
    () => acts.tickets.choices(),
    `choices ${desk.ticketRound}`,
  );
  const mayEdit = desk.me?.rights.TICKET_EDIT === true;
  const now = useNow(agesEvery);
  const {
    first,
    rows: tickets,
    notice,
    end,
  } = usePages(
    async (after) => {
      const asked = { ...filter, length: pageLength, ...(after !== "" && { after }) };
      const { tickets: rows, ...page } = await acts.tickets.list(asked);
      return { rows, ...page };
    },
    JSON.stringify(filter),
    desk.ticketRound,
  );
  const choice = useChoice(tickets);
  const offered = choices ?? NO_CHOICES;
  const { search, tag: chosenTag, queue, agent } = filter;
  const isFiltered = [search, chosenTag, queue, agent].some((one) => one.trim() !== "");
  const hasQueues = offered.queues.length > 1;
  return html`<nav class="list" aria-label=${words.tickets}>
    <div class="filter" role="search">
      <${TicketFilter} ...${{ filter, change, choices: offered }} />
      ${
        mayEdit &&
        html`<a
          class="button"
          href="#tickets/new"
          aria-current=${open === "new" ? "page" : undefined}
        >
          ${words.newTicket}${desk.drafts.has(NEW_TICKET) && " ✎"}
        </a>`
      }
    </div>
    <${Invitations} />
    <${Views}
      view=${filter.view}
      counts=${first?.counts}
      turn=${(view: TicketView) => change({ view })}
    />
    <${TicketChoice} ...${{ choice, offered, mayEdit }} />
    <section aria-label=${words.tickets}>
      ${notice}
      ${first !== null && tickets.length === 0 && html`<p class="quiet">${isFiltered ? words.noMatch : words.noTickets}</p>`}
      <ul>
        ${tickets.map((one) => html`<${TicketRow} key=${one.id} ...${{ one, open, now, hasQueues }} choice=${mayEdit ? choice.of(one) : undefined} />`)}
      </ul>
      ${end}
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
