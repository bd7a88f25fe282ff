import type { VNode } from "preact";
import { html } from "htm/preact";
import type { ChatTicket, ChatTicketWords } from "../../../api/chat/answers-tickets.ts";
import { timeText, useView } from "./context.ts";
import type { View } from "./context.ts";
import { FileLine } from "./file.ts";
import { linked } from "./messages.ts";

/** Everything that was said about a ticket, in the order in which it was said. */
export function TicketTimeline({ ticket }: { readonly ticket: ChatTicket }): VNode {
  const view = useView();
  const { words, language } = view;
  const person = ticket.user || words.somebody;
  return html`<ol>
    ${ticket.link !== "" && html`<li class="happened">${linked(ticket.link)}</li>`}
    ${ticket.dropped > 0 && html`<li class="happened">… ${ticket.dropped}</li>`}
    ${transcriptLines(ticket, person, view)}
    <li class="rule">${timeText(ticket.created, language)}</li>
    ${
      (ticket.message !== "" || ticket.files.length > 0) &&
      line({ kind: "theirs", who: person, when: "" }, ticket)
    }
    ${ticket.replies.map((reply) =>
      line(
        {
          kind: reply.type === "reply" ? "theirs" : "colleague",
          who: reply.user || words.somebody,
          when: timeText(reply.created, language),
        },
        reply,
      ),
    )}
  </ol>`;
}

/** What was said before, each line with its speaker and in its own direction. */
function transcriptLines(
  { transcript }: Pick<ChatTicketWords, "transcript">,
  person: string,
  { words, language }: View,
): readonly VNode[] {
  return transcript.map(({ user, name, message, created }, at) => {
    const before = transcript[at - 1];
    const kind = [
      user === "assistant" ? "imported assistant" : user === "agent" ? "colleague" : "imported",
      before?.user === user && before.name === name ? "goes-on" : "",
    ];
    const who =
      user === "assistant" ? words.assistant : user === "agent" ? name || words.agents : person;
    const when = created === null ? "" : timeText(created, language);
    return line({ kind: kind.join(" "), who, when }, { message, files: [] });
  });
}

interface LineStyle {
  readonly kind: string;
  readonly who: string;
  readonly when: string;
}

function line(
  { kind, who, when }: LineStyle,
  { message, files }: Pick<ChatTicketWords, "message" | "files">,
): VNode {
  return html`<li class=${`said ${kind}`}>
    <p class="who"><span dir="auto">${who}</span>${when !== "" && html` <time>${when}</time>`}</p>
    <div class="bubble">
      ${message !== "" && html`<p class="text" dir="auto">${linked(message)}</p>`}
      ${files.map((file) => html`<${FileLine} key=${file.url} file=${file} />`)}
    </div>
  </li>`;
}
