import type { VNode } from "preact";
import { html } from "htm/preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { Back } from "./chat.ts";
import { nameOf, useView } from "./context.ts";
import { FoundChats, FoundTickets } from "./found.ts";

/** A person with all chats and tickets that this agent may see. */
export function PersonPane({ id }: { readonly id: string }): VNode {
  const view = useView();
  const { desk, acts, words } = view;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (desk.phase === "in") acts.readPerson(id);
  }, [id, desk.phase]);
  useLayoutEffect(() => heading.current?.focus(), [id]);
  const person = desk.people.get(id);
  const query = { person: id };
  return html`<main class="chat person" aria-labelledby="person-name">
    <header class="chat-head">
      <${Back} />
      <div class="chat-title">
        <h2 id="person-name" tabindex="-1" ref=${heading} dir="auto">${nameOf(view, id)}</h2>
        <p class="quiet" dir="auto">
          ${[person?.contact, person?.externalId].filter(Boolean).join(" · ") || words.personHistory}
        </p>
      </div>
    </header>
    <div class="person-lists">
      <${FoundChats} id="person-chats" title=${words.chats} query=${query} />
      ${
        desk.me?.rights.TICKET_VIEW === true &&
        html`<${FoundTickets} id="person-tickets" query=${query} />`
      }
    </div>
  </main>`;
}
