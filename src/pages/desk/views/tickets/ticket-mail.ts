import type { VNode } from "preact";
import { html } from "htm/preact";
import type { ChatTicket, ChatTicketChoices } from "../../../../api/chat/answers-tickets.ts";
import type { ChatTicketMailAction } from "../../../../api/chat/schema-tickets.ts";
import { useAttempt } from "../../../shared/attempt.ts";
import { fill } from "../../../shared/words.ts";
import { explain } from "../../context.ts";
import type { Words } from "../../words.ts";
import { useView } from "../context.ts";
import { linkAddresses } from "../chats/messages.ts";
import type { ShownTicket } from "./ticket-parts.ts";

/** Explains how the person gets the answer. Until it is known, e-mail is not mentioned. */
export function sayWhereAnswersGo(
  { contact: address }: ChatTicket,
  choices: ChatTicketChoices | null,
  words: Words,
): string {
  if (choices === null) return "";
  return choices.mail && address !== "" ? fill(words.answerMailed, { address }) : words.answerAbout;
}

type Mail = ChatTicket["mails"][number];

interface MailProps {
  readonly mail: Mail;
  readonly shown: ShownTicket;
}

/** Words for received mails that are no reply, by their state. */
export const OF_ARRIVED = {
  held: "mailHeld",
  discarded: "mailDiscarded",
  automatic: "mailAutomatic",
  bounced: "mailBounced",
} as const;

const OF_SENT = {
  queued: "mailQueued",
  // A process that is killed now leaves it so until its claim ends.
  sending: "mailSending",
  sent: "mailSent",
  doubtful: "mailDoubtful",
  failed: "mailFailed",
} as const;

/**
 * Below an answer: whether its mail was sent. Below a reply: the text that its sender's program
 * quoted.
 */
export function ReplyMail({ mail, shown }: MailProps): VNode | false {
  const { words } = useView();
  const { state, quoted, reason } = mail;
  if (!isIn(OF_SENT, state)) return quoted !== "" && html`<${Quoted} text=${quoted} />`;
  const why = reason === "" ? "" : ` (${reason})`;
  const isOpen = state === "doubtful" || state === "failed";
  return html`<div class="mail ${state}">
    <p class="quiet">${words[OF_SENT[state]]}${why}</p>
    ${isOpen && html`<${Decision} ...${{ mail, shown, actions: [["resend", words.retry]] }} />`}
  </div>`;
}

/** A mail that is no reply. An agent decides about one that is held. */
export function ArrivedMail({ mail, shown }: MailProps): VNode | false {
  const { words } = useView();
  const { state, address, message, quoted, reason } = mail;
  if (!isIn(OF_ARRIVED, state)) return false;
  const actions: Actions = [
    ["accept", words.mailAccept],
    ["discard", words.mailDiscard],
  ];
  return html`<li class="said theirs mail ${state}">
    <p class="who">
      <span dir="auto">${fill(words[OF_ARRIVED[state]], { address })}</span>
      ${reason !== "" && html` <span class="quiet">(${reason})</span>`}
    </p>
    <div class="bubble">
      ${message !== "" && html`<p class="text" dir="auto">${linkAddresses(message)}</p>`}
      ${quoted !== "" && html`<${Quoted} text=${quoted} />`}
      ${state === "held" && html`<${Decision} ...${{ mail, shown, actions }} />`}
    </div>
  </li>`;
}

type Actions = readonly (readonly [ChatTicketMailAction["action"], string])[];

/** Buttons for agents who may decide; a refusal is shown beside them. */
function Decision({
  mail,
  shown,
  actions,
}: MailProps & { readonly actions: Actions }): VNode | false {
  const { acts, words } = useView();
  const { busy, problem, attempt } = useAttempt((error) => explain(error, words));
  const decide = async (action: ChatTicketMailAction["action"]): Promise<void> => {
    const worked = await attempt(async () =>
      shown.show(await acts.tickets.decideMail(shown.ticket, { mail: mail.id, action })),
    );
    if (!worked) await shown.reread();
  };
  if (!shown.ticket.editable) return false;
  return html`<div class="buttons">
      ${actions.map(
        ([action, label]) =>
          html`<button type="button" disabled=${busy} onClick=${() => void decide(action)}>
            ${label}
          </button>`,
      )}
    </div>
    <p class="problem" role="alert">${problem}</p>`;
}

function Quoted({ text }: { readonly text: string }): VNode {
  const { words } = useView();
  return html`<details class="quoted">
    <summary>${words.quotedText}</summary>
    <p class="text quiet" dir="auto">${linkAddresses(text)}</p>
  </details>`;
}

function isIn<Names extends object>(names: Names, state: string): state is keyof Names & string {
  return Object.hasOwn(names, state);
}
