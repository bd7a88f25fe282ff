import type { VNode } from "preact";
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import type { ChatTicketLine } from "../../../../api/chat/answers-tickets.ts";
import type { DeskChat } from "../../state/state.ts";
import { useView } from "../context.ts";
import { STATES } from "../../context.ts";

/** Shows the tickets of a chat, and a button to create the first. Each needs a right of the agent. */
export function ChatTickets({ one }: { readonly one: DeskChat }): VNode | null {
  const { desk, acts, words } = useView();
  const { id, closed } = one.chat;
  const { rights } = desk.me ?? {};
  const [tickets, setTickets] = useState<readonly ChatTicketLine[]>([]);
  const mayView = rights?.TICKET_VIEW === true;
  useEffect(() => {
    // The list is optional, so a failure is ignored.
    if (mayView) void acts.tickets.ofChat(id).then(setTickets, () => undefined);
  }, [id, mayView, closed, desk.ticketRound]);
  const mayCreate = rights?.TICKET_EDIT === true && tickets.length === 0;
  if (!mayView || (tickets.length === 0 && !mayCreate)) return null;
  return html`<section class="other-chats" aria-labelledby="chat-tickets">
    <h2 id="chat-tickets">${words.tickets}</h2>
    <ul>
      ${tickets.map(
        ({ id: ticket, number, title, status }) =>
          html`<li key=${ticket}>
            <a href=${`#tickets/${ticket}`} dir="auto">${title || number}</a>${" "}
            <span class="quiet">${words[STATES[status]]}</span>
          </li>`,
      )}
    </ul>
    ${mayCreate && html`<button type="button" onClick=${() => void acts.tickets.create(id)}>${words.makeTicket}</button>`}
  </section>`;
}
