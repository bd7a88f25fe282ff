import type { VNode } from "preact";
import { html } from "htm/preact";
import type { Chat } from "../../../../api/chat/answers.ts";
import { addressOf } from "../../saved.ts";
import { useNow } from "../clock.ts";
import { nameOf, nameReason, nameRoom, formatTime, useView } from "../context.ts";
import { Excerpt } from "../chats/list.ts";
import { usePages } from "../pages.ts";
import { TicketRow } from "../tickets/ticket-row.ts";
import { nameLanguage } from "../../../shared/words.ts";

/** Milliseconds after which a list is read again. */
const relistEvery = 20_000;

interface FoundChatsProps {
  /** The id of its heading, unique on the page. */
  readonly id?: string;
  /** The id of the element that names their owner, if the page has two such lists. */
  readonly of?: string;
  readonly title: string;
  /** The query to the service. */
  readonly query: Readonly<Record<string, string>>;
}

/** Shows the chats of the agent's rooms that match a query, the newest first. */
export function FoundChats({ id = "list-found", of = "", title, query }: FoundChatsProps): VNode {
  const { desk, acts, words } = useView();
  const now = useNow(relistEvery);
  // A chat that was closed here appears in the list at once.
  const closed = [...desk.chats.values()].filter(({ chat }) => chat.closed).length;
  const { first, rows, notice, end } = usePages(
    async (after) => {
      const { chats, next } = await acts.find({ ...query, after });
      return { rows: chats, next };
    },
    JSON.stringify(query),
    [now, closed],
  );
  return html`<section aria-labelledby=${`${id} ${of}`.trim()}>
    <h2 id=${id}>${title}</h2>
    ${notice} ${first !== null && rows.length === 0 && html`<p class="quiet">${words.noMatch}</p>`}
    <ul>
      ${rows.map((chat) => html`<${FoundChat} key=${chat.id} chat=${chat} />`)}
    </ul>
    ${end}
  </section>`;
}

/**
 * Shows a chat in two lines: person and time; then the found or last text, room, language, agent, reason.
 */
export function FoundChat({ chat }: { readonly chat: Chat }): VNode {
  const view = useView();
  const { desk, words, language } = view;
  const { id, name, created, room, lang, closeReason = "" } = chat;
  const state = chat.closed
    ? words.closedChat
    : chat.agent === null
      ? words.waitingChat
      : nameOf(view, chat.agent);
  const about = [
    nameRoom(view, room),
    lang === "" ? "" : nameLanguage(lang, language),
    state,
    nameReason(closeReason, words),
  ];
  return html`<li>
    <a
      class="row ticket-row"
      href=${addressOf(id)}
      aria-current=${desk.selected === id ? "true" : undefined}
    >
      <strong dir="auto">${name || nameOf(view, chat.creator)}</strong>
      <time class="quiet">${formatTime(created, language)}</time>
      <${Excerpt} of=${chat.excerpt} />
      <span class="preview quiet">
        ${about.filter(Boolean).map((part, at) => html`${at > 0 && " · "}<bdi>${part}</bdi>`)}
      </span>
    </a>
  </li>`;
}

type FoundTicketsProps = Omit<FoundChatsProps, "title">;

/** Shows the tickets that match the same query, for agents who may see tickets. */
export function FoundTickets({
  id = "list-found-tickets",
  of = "",
  query,
}: FoundTicketsProps): VNode {
  const { desk, acts, words } = useView();
  const now = useNow(relistEvery);
  const { first, rows, notice, end } = usePages(
    async (after) => {
      const asked = { ...query, view: "all", length: "20", ...(after !== "" && { after }) };
      const { tickets, next } = await acts.tickets.list(asked);
      return { rows: tickets, next };
    },
    JSON.stringify(query),
    desk.ticketRound,
  );
  return html`<section aria-labelledby=${`${id} ${of}`.trim()}>
    <h2 id=${id}>${words.tickets}</h2>
    ${notice} ${first !== null && rows.length === 0 && html`<p class="quiet">${words.noMatch}</p>`}
    <ul>
      ${rows.map((one) => html`<${TicketRow} key=${one.id} one=${one} open="" now=${now} />`)}
    </ul>
    ${end}
  </section>`;
}
