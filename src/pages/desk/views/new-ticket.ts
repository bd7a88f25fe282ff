import type { VNode } from "preact";
import { html } from "htm/preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ChatTicketPerson } from "../../../api/chat/answers-tickets.ts";
import { readMailAddress } from "../../../locales/person.ts";
import { LANGUAGES, nameLanguage } from "../../shared/words.ts";
import { FailedCall } from "../../shared/failed-call.ts";
import { explain } from "../context.ts";
import { LONGEST_TEXT } from "../outbox.ts";
import { NEW_TICKET, type NewTicket } from "../ticket-acts.ts";
import { Back } from "./chat.ts";
import { useView } from "./context.ts";
import { useAnswer, useAnswering } from "./ticket-parts.ts";
import { editsIn } from "./user-form.ts";

/**
 * Shows the form for a ticket about a phone call and the like. It keeps its values until it is
 * sent.
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
    ${mayCreate && html`<${NewTicketForm} />`}
  </main>`;
}

function NewTicketForm(): VNode {
  const { desk, acts, words } = useView();
  const form = useRef<HTMLFormElement>(null);
  const [problem, setProblem] = useState<Problem>({ at: "", message: "" });
  const [busy, setBusy] = useState(false);
  const typed = editsIn(desk.drafts.get(NEW_TICKET));
  const [search, setSearch] = useState("");
  const { answer: people } = useAnswer(
    async () => (search.length < shortestSearch ? [] : acts.tickets.people(search)),
    search,
  );
  const handleInput = (): void => {
    if (form.current === null) return;
    setSearch(searchIn(form.current));
    takeKnown(form.current, people ?? []);
    acts.draft(NEW_TICKET, JSON.stringify(readForm(form.current)));
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (form.current === null || busy) return;
    const ticket = readForm(form.current);
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
    location.hash = "#tickets";
  };
  return html`<form
    ref=${form}
    class="fields"
    aria-busy=${busy}
    onInput=${handleInput}
    onSubmit=${(event: Event) => void submit(event)}
  >
    <${PersonFields} ...${{ typed, problem, people: people ?? [] }} />
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
    <${Choices} ...${{ typed, problem }} />
    <p id="new-problem" class="problem" role="alert">${problem.message}</p>
    <div class="buttons">
      <button type="button" onClick=${discard}>${words.discard}</button>
      <button class="primary" disabled=${busy}>${busy ? words.sending : words.makeTicket}</button>
    </div>
  </form>`;
}

interface FieldsProps {
  /** The values that were typed, by field. */
  readonly typed: ReadonlyMap<string, string>;
  readonly problem: Problem;
}

/** Letters from which on people who asked before are looked for. */
const shortestSearch = 2;

interface PersonFieldsProps extends FieldsProps {
  /** People who asked before and whom what is typed may mean. */
  readonly people: readonly ChatTicketPerson[];
}

/** The person's name and address, of which one is enough; both offer people who asked before. */
function PersonFields({ typed, problem, people }: PersonFieldsProps): VNode {
  const { words } = useView();
  const first = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => first.current?.focus(), []);
  const contact = typed.get("contact") ?? "";
  return html`<label for="new-name">${words.name}</label>
    <input
      id="new-name"
      name="name"
      ref=${first}
      list="known-names"
      required=${contact.trim() === ""}
      maxlength="120"
      autocomplete="off"
      dir="auto"
      defaultValue=${typed.get("name") ?? ""}
      ...${describeProblem(problem, "name")}
    />
    <label for="new-contact">${words.contact}</label>
    <input
      id="new-contact"
      name="contact"
      list="known-contacts"
      inputmode="email"
      maxlength="254"
      autocomplete="off"
      spellcheck=${false}
      dir="auto"
      defaultValue=${contact}
      ...${describeProblem(problem, "contact")}
    />
    <datalist id="known-names">
      ${people.map((person) => html`<option value=${labelOf(person)}></option>`)}
    </datalist>
    <datalist id="known-contacts">
      ${people.map(({ name, contact: address }) => html`<option value=${address} label=${name}></option>`)}
    </datalist>`;
}

/** Names a person by their address too: several people may have one name. */
function labelOf({ name, contact }: ChatTicketPerson): string {
  return `${name} <${contact}>`;
}

/** Reads what was typed of a person where the cursor is. */
function searchIn(form: HTMLFormElement): string {
  const { activeElement: field } = document;
  const isOfPerson = field instanceof HTMLInputElement && field.getAttribute("list") !== null;
  return isOfPerson && form.contains(field) ? field.value.trim() : "";
}

/** Fills in name and address of a person who was chosen among those that are offered. */
function takeKnown(form: HTMLFormElement, people: readonly ChatTicketPerson[]): void {
  const [name, contact] = ["name", "contact"].map((field) => form.elements.namedItem(field));
  if (!(name instanceof HTMLInputElement && contact instanceof HTMLInputElement)) return;
  const chosen = people.find(
    (person) =>
      labelOf(person) === name.value || (name.value === "" && person.contact === contact.value),
  );
  if (chosen === undefined) return;
  name.value = chosen.name;
  contact.value = chosen.contact;
}

/** The queue, among those in which the agent may make tickets, the assignee and the language. */
function Choices({ typed, problem }: FieldsProps): VNode {
  const { desk, acts, words, language } = useView();
  const answering = useAnswering();
  const assignee = typed.get("assignee") ?? desk.me?.id;
  const { answer: choices } = useAnswer(() => acts.tickets.choices(), "choices");
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

function describeProblem({ at }: Problem, name: keyof NewTicket): object {
  return at === name ? { "aria-invalid": "true", "aria-describedby": "new-problem" } : {};
}

interface Problem {
  /** Name of the field that it is about; empty for all of them. */
  readonly at: string;
  readonly message: string;
}

/** Finds the field that a refusal of the service names. */
function locateProblem(error: unknown, message: string): Problem {
  const named = error instanceof FailedCall ? /^(\w+):/.exec(error.message)?.[1] : undefined;
  return { at: named ?? "", message };
}

function readForm(form: HTMLFormElement): NewTicket {
  const data = new FormData(form);
  const read = (name: keyof NewTicket): string => {
    const value = data.get(name);
    return typeof value === "string" ? value : "";
  };
  return {
    name: read("name"),
    contact: read("contact"),
    title: read("title"),
    message: read("message"),
    queue: read("queue"),
    assignee: read("assignee"),
    language: read("language"),
  };
}

function focusField(form: HTMLFormElement, name: keyof NewTicket): void {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLElement) field.focus();
}
