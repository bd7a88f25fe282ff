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

/** Explains how the person gets the answer; empty until the desk knows whether e-mail is sent. */
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

/** The words for received mails that are not replies, by their state. */
export const ARRIVED_WORDS = {
  held: "mailHeld",
  discarded: "mailDiscarded",
  automatic: "mailAutomatic",
  bounced: "mailBounced",
} as const;

/** The words for mails that carry an answer, by their state. */
const SENT_WORDS = {
  queued: "mailQueued",
  // If the sending process is killed, the mail stays in this state until the claim ends.
  sending: "mailSending",
  sent: "mailSent",
  doubtful: "mailDoubtful",
  failed: "mailFailed",
} as const;

/**
 * Shows below an answer whether its mail was sent, and below a reply the text that its sender's
 * program quoted.
 */
export function ReplyMail({ mail, shown }: MailProps): VNode | false {
  const { words } = useView();
  const { state, quoted, reason } = mail;
  if (!isIn(SENT_WORDS, state)) return quoted !== "" && html`<${Quoted} text=${quoted} />`;
  const why = reason === "" ? "" : ` (${reason})`;
  const canResend = state === "doubtful" || state === "failed";
  return html`<div class="mail ${state}">
    <p class="quiet">${words[SENT_WORDS[state]]}${why}</p>
    ${canResend && html`<${Decision} ...${{ mail, shown, actions: [["resend", words.retry]] }} />`}
  </div>`;
}

/** Shows a received mail that is not a reply, with buttons if it is held for an agent's decision. */
export function ArrivedMail({ mail, shown }: MailProps): VNode | false {
  const { words } = useView();
  const { state, address, message, quoted, reason } = mail;
  if (!isIn(ARRIVED_WORDS, state)) return false;
  const actions: Actions = [
    ["accept", words.mailAccept],
    ["discard", words.mailDiscard],
  ];
  return html`<li class="said theirs mail ${state}">
    <p class="who">
      <span dir="auto">${fill(words[ARRIVED_WORDS[state]], { address })}</span>
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

/** Shows buttons to agents who may change the ticket, and beside them why a decision was refused. */
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
