import type { VNode } from "preact";
import { html } from "htm/preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { ChatTicket } from "../../../api/chat/answers-tickets.ts";
import { fill } from "../../shared/words.ts";
import { Back } from "./chat.ts";
import { useView } from "./context.ts";
import { languageOfTicket, STATES, useAnswer } from "./ticket-parts.ts";
import { TicketTimeline } from "./ticket-timeline.ts";

/** One ticket: what was said before it, its text, and what was answered. */
export function TicketPane({ id }: { readonly id: string }): VNode {
  const { acts, words } = useView();
  const { answer, said } = useAnswer(() => acts.tickets.read(id), id);
  return html`<main class="chat ticket" aria-label=${words.tickets}>
    ${
      answer === null
        ? html`<div class="chat-head"><${Back} to="#tickets" label=${words.tickets} />${said}</div>`
        : html`<${Ticket} ticket=${answer} />`
    }
  </main>`;
}

function Ticket({ ticket }: { readonly ticket: ChatTicket }): readonly VNode[] {
  const { words, language } = useView();
  const { number, title, user, contact, queue, status } = ticket;
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  const about = [number, words[STATES[status]], queue, user, languageOfTicket(ticket, language)];
  return [
    html`<header class="chat-head">
      <${Back} to="#tickets" label=${words.tickets} />
      <div class="chat-title">
        <h2 tabindex="-1" ref=${heading} dir="auto">${title || number}</h2>
        <p class="quiet">
          ${about.filter(Boolean).map((part, at) => html`${at > 0 && " · "}<bdi>${part}</bdi>`)}
          ${contact !== "" && html` · <a href=${`mailto:${contact}`} dir="auto">${contact}</a>`}
        </p>
      </div>
    </header>`,
    html`<div class="messages">
      <div
        class="log"
        role="region"
        aria-label=${fill(words.conversation, { name: user || words.somebody })}
        tabindex="0"
      >
        <${TicketTimeline} ticket=${ticket} />
      </div>
    </div>`,
  ];
}
