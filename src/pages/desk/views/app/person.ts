import type { VNode } from "preact";
import { html } from "htm/preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ChatTicket } from "../../../../api/chat/answers-tickets.ts";
import { ticketOfPerson } from "../../saved.ts";
import { Back } from "../chats/chat.ts";
import { nameOf, useTitle, useView } from "../context.ts";
import { FoundChats, FoundTickets } from "./found.ts";

/** A person with all chats and tickets that this agent may see. */
export function PersonPane({ id }: { readonly id: string }): VNode {
  const { desk, words } = useView();
  const heading = useRef<HTMLHeadingElement>(null);
  const { name, about } = usePerson(id);
  useTitle(`#people/${id}`, name);
  useLayoutEffect(() => heading.current?.focus(), [id]);
  const query = { person: id };
  return html`<main class="chat person" aria-labelledby="person-name">
    <header class="chat-head">
      <${Back} />
      <div class="chat-title">
        <h2 id="person-name" tabindex="-1" ref=${heading} dir="auto">${name}</h2>
        <p class="quiet" dir="auto">${about || words.personHistory}</p>
      </div>
    </header>
    <div class="person-lists">
      <${FoundChats} id="person-chats" of="person-name" title=${words.chats} query=${query} />
      ${
        desk.me?.rights.TICKET_VIEW === true &&
        html`<${FoundTickets} id="person-tickets" of="person-name" query=${query} />`
      }
    </div>
  </main>`;
}

/**
 * Reads a person's name and other data: of a user of the chat, or of somebody who asked in a
 * ticket.
 */
function usePerson(id: string): { readonly name: string; readonly about: string } {
  const view = useView();
  const { desk, acts, words } = view;
  const [asker, setAsker] = useState<ChatTicket | null>(null);
  const ticket = ticketOfPerson(id);
  useEffect(() => {
    setAsker(null);
    if (desk.phase !== "in") return;
    if (ticket === null) acts.readPerson(id);
    // The lists below say why it can't be read.
    else void acts.tickets.read(ticket).then(setAsker, () => undefined);
  }, [id, desk.phase]);
  if (ticket !== null) return { name: asker?.user || words.somebody, about: asker?.contact ?? "" };
  const person = desk.people.get(id);
  // The id of the app is useful to people if nothing else is.
  return { name: nameOf(view, id), about: person?.contact || person?.externalId || "" };
}
