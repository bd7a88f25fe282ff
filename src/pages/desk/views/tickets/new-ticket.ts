import type { VNode } from "preact";
import { html } from "htm/preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ChatTicketChoices } from "../../../../api/chat/answers-tickets.ts";
import { readMailAddress } from "../../../../locales/person.ts";
import { readField } from "../../../shared/fields.ts";
import { LANGUAGES, nameLanguage } from "../../../shared/words.ts";
import { FailedCall } from "../../../shared/failed-call.ts";
import { explain } from "../../context.ts";
import { LONGEST_TEXT } from "../../outbox.ts";
import { draftOf, NEW_FILES, NEW_TICKET, type NewTicket } from "../../ticket-acts.ts";
import { Back } from "../chats/chat.ts";
import { useView } from "../context.ts";
import { Dialog } from "../dialogs.ts";
import { FileButton } from "../file.ts";
import { describeProblem, type FieldsProps, PersonFields, type Problem } from "./known-people.ts";
import { ChosenFiles, useFiles } from "./ticket-files.ts";
import { useAnswer } from "../answer.ts";
import { useAnswering } from "./ticket-parts.ts";
import { editsIn } from "../chats/user-form.ts";

/**
 * Shows the form for a ticket that begins elsewhere, for example with a phone call. The typed values
 * are kept until it is sent or discarded.
 */
export function NewTicketPane(): VNode {
  const { desk, words } = useView();
  const heading = useRef<HTMLHeadingElement>(null);
  const mayCreate = desk.me?.rights.TICKET_EDIT === true;
  useLayoutEffect(() => {
    if (!mayCreate) heading.current?.focus();
  }, []);
  return html`<main class="chat new-ticket" aria-labelledby="new-ticket-title">
    <header class="chat-head">
      <${Back} to="#tickets" label=${words.tickets} />
      <div class="chat-title">
        <h2 id="new-ticket-title" tabindex="-1" ref=${heading}>${words.newTicket}</h2>
        <p class="quiet">${mayCreate ? words.newTicketAbout : words.notAllowed}</p>
      </div>
    </header>
    ${(mayCreate || desk.drafts.has(NEW_TICKET)) && html`<${NewTicketForm} />`}
  </main>`;
}

function NewTicketForm(): VNode {
  const { desk, acts, words } = useView();
  const form = useRef<HTMLFormElement>(null);
  const [problem, setProblem] = useState<Problem>({ at: "", message: "" });
  const [busy, setBusy] = useState(false);
  const typed = editsIn(desk.drafts.get(NEW_TICKET));
  const files = useFiles(NEW_FILES);
  const { answer: choices } = useAnswer(() => acts.tickets.choices(), "choices");
  const [isConfirming, setIsConfirming] = useState(false);
  const saveDraft = (): void => {
    if (form.current !== null) acts.draft(NEW_TICKET, JSON.stringify(readForm(form.current)));
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (form.current === null || busy) return;
    const attachments = files.chosen.map(({ id }) => id);
    const ticket = { ...readForm(form.current), attachments };
    if (ticket.contact.trim() !== "" && readMailAddress(ticket.contact) === null) {
      setProblem({ at: "contact", message: words.mailWrong });
      focusField(form.current, "contact");
      return;
    }
    setBusy(true);
    setProblem({ at: "", message: "" });
    try {
      await acts.tickets.open(ticket);
    } catch (error) {
      setProblem(locateProblem(error, explain(error, words)));
      setBusy(false);
    }
  };
  const discard = (): void => {
    acts.draft(NEW_TICKET, "");
    acts.draft(draftOf.files(NEW_FILES), "");
    location.hash = "#tickets";
  };
  const isEmpty = !desk.drafts.has(NEW_TICKET) && files.chosen.length === 0;
  return html`<form
    ref=${form}
    class="fields"
    aria-busy=${busy}
    onInput=${saveDraft}
    onSubmit=${(event: Event) => void submit(event)}
  >
    <${PersonFields} ...${{ typed, problem, keep: saveDraft }} />
    <label for="new-title">${words.ticketTitle}</label>
    <input
      id="new-title"
      name="title"
      required
      maxlength="1000"
      autocomplete="off"
      dir="auto"
      defaultValue=${typed.get("title") ?? ""}
    />
    <label for="new-message">${words.ticketText}</label>
    <textarea
      id="new-message"
      name="message"
      required
      rows="6"
      maxlength=${LONGEST_TEXT}
      dir="auto"
      defaultValue=${typed.get("message") ?? ""}
    ></textarea>
    <${ChosenFiles} files=${files} />
    <${Choices} ...${{ typed, problem, choices }} />
    <p id="new-problem" class="problem" role="alert">${problem.message || files.problem}</p>
    <div class="buttons">
      <${FileButton} fileTypes=${choices?.fileTypes ?? null} pick=${files.add} />
      <button type="button" onClick=${isEmpty ? discard : () => setIsConfirming(true)}>
        ${words.discard}
      </button>
      <button class="primary" disabled=${busy || files.busy}>
        ${busy ? words.sending : words.makeTicket}
      </button>
    </div>
    ${isConfirming && html`<${DiscardDialog} ...${{ discard, stay: () => setIsConfirming(false) }} />`}
  </form>`;
}

interface ChoicesProps extends FieldsProps {
  readonly choices: ChatTicketChoices | null;
}

/** Shows the assignee, the language, and the queue if there are several in which the agent may edit. */
function Choices({ typed, problem, choices }: ChoicesProps): VNode {
  const { desk, words, language } = useView();
  const answering = useAnswering();
  const assignee = typed.get("assignee") ?? desk.me?.id;
  const queues = (choices?.queues ?? []).filter(({ editable }) => editable);
  const spoken = typed.get("language") ?? language;
  return html`${
      queues.length > 1 &&
      html`<label for="new-queue">${words.queue}</label>
        <select id="new-queue" name="queue" ...${describeProblem(problem, "queue")}>
          ${queues.map(
            ({ id, name }) =>
              html`<option value=${String(id)} selected=${typed.get("queue") === String(id)}>
                ${name}
              </option>`,
          )}
        </select>`
    }
    <label for="new-assignee">${words.assignee}</label>
    <select id="new-assignee" name="assignee" ...${describeProblem(problem, "assignee")}>
      ${[...answering].map(
        ([id, name]) => html`<option value=${id} selected=${assignee === id}>${name}</option>`,
      )}
    </select>
    <label for="new-language">${words.chatLanguage}</label>
    <select id="new-language" name="language">
      ${LANGUAGES.map(
        (one) =>
          html`<option value=${one} selected=${spoken === one}>
            ${nameLanguage(one, language)}
          </option>`,
      )}
    </select>`;
}

interface DiscardDialogProps {
  readonly discard: () => void;
  readonly stay: () => void;
}

function DiscardDialog({ discard, stay }: DiscardDialogProps): VNode {
  const { words } = useView();
  return html`<${Dialog} title=${words.discardAsk} done=${stay}>
    <div class="buttons">
      <button type="button" onClick=${stay}>${words.cancel}</button>
      <button type="button" class="primary" onClick=${discard}>${words.discard}</button>
    </div>
  <//>`;
}

/** Finds the field that a refusal of the service names. */
function locateProblem(error: unknown, message: string): Problem {
  const named = error instanceof FailedCall ? /^(\w+):/.exec(error.message)?.[1] : undefined;
  return { at: named ?? "", message };
}

function readForm(form: HTMLFormElement): Omit<NewTicket, "attachments"> {
  const data = new FormData(form);
  const read = (name: string): string => readField(data, name);
  return {
    name: read("name"),
    contact: read("contact"),
    title: read("title"),
    message: read("message"),
    queue: read("queue"),
    assignee: read("assignee"),
    language: read("language"),
    person: read("person"),
  };
}

function focusField(form: HTMLFormElement, name: keyof NewTicket): void {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLElement) field.focus();
}
