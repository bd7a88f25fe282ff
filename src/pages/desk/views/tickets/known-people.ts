import type { VNode } from "preact";
import { html } from "htm/preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ChatTicketPerson } from "../../../../api/chat/answers-tickets.ts";
import type { NewTicket } from "../../ticket-acts.ts";
import { useView } from "../context.ts";
import { useAnswer } from "../answer.ts";

export interface Problem {
  /** Name of the field that it concerns; empty for all of them. */
  readonly at: string;
  readonly message: string;
}

export interface FieldsProps {
  /** The values that were typed, by field. */
  readonly typed: ReadonlyMap<string, string>;
  readonly problem: Problem;
}

export function describeProblem({ at }: Problem, name: keyof NewTicket): object {
  return at === name ? { "aria-invalid": "true", "aria-describedby": "new-problem" } : {};
}

/** Letters from which on known people are searched for. */
const minSearchLength = 2;

interface PersonFieldsProps extends FieldsProps {
  /** Called after a person was filled in. */
  readonly keep: () => void;
}

/**
 * The person's name and address, of which one is enough. Both offer known people, whom the service
 * finds: a browser's own list compares accents, and would hide García from an agent who types
 * "garcia".
 */
export function PersonFields({ typed, problem, keep }: PersonFieldsProps): VNode {
  const { words } = useView();
  const [contact, name] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)];
  const person = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => name.current?.focus(), []);
  const people = useKnownPeople((chosen) => {
    for (const [field, value] of [
      [name, chosen.name],
      [contact, chosen.contact],
      [person, chosen.person],
    ] as const) {
      if (field.current !== null) field.current.value = value;
    }
    keep();
  });
  const address = typed.get("contact") ?? "";
  const forgetPerson = (): void => {
    if (person.current !== null) person.current.value = "";
  };
  return html`<label for="new-name">${words.name}</label>
    <input
      id="new-name"
      name="name"
      ref=${name}
      required=${address.trim() === ""}
      maxlength="120"
      autocomplete="off"
      dir="auto"
      defaultValue=${typed.get("name") ?? ""}
      ...${people.propsOf("new-name", forgetPerson)}
      ...${describeProblem(problem, "name")}
    />
    <${Offered} people=${people} field="new-name" />
    <label for="new-contact">${words.contact}</label>
    <input
      id="new-contact"
      name="contact"
      ref=${contact}
      inputmode="email"
      maxlength="254"
      autocomplete="off"
      spellcheck=${false}
      dir="auto"
      defaultValue=${address}
      ...${people.propsOf("new-contact", () => undefined)}
      ...${describeProblem(problem, "contact")}
    />
    <${Offered} people=${people} field="new-contact" />
    <input type="hidden" name="person" ref=${person} defaultValue=${typed.get("person") ?? ""} />`;
}

/** Searches for people by the text of a field, and lets keys choose among them. */
function useKnownPeople(choose: (person: ChatTicketPerson) => void) {
  const { acts } = useView();
  const [{ field, search }, look] = useState({ field: "", search: "" });
  const [at, setAt] = useState(-1);
  const { answer } = useAnswer(
    async () => ({
      search,
      people: search.length < minSearchLength ? [] : await acts.tickets.people(search),
    }),
    search,
  );
  const offered = answer?.search === search ? answer.people : [];
  const end = (): void => {
    look({ field: "", search: "" });
    setAt(-1);
  };
  const take = (person: ChatTicketPerson | undefined): void => {
    if (person !== undefined) choose(person);
    end();
  };
  const handleKey = (event: KeyboardEvent): void => {
    if (offered.length === 0 || event.isComposing) return;
    const steps = new Map([
      ["ArrowDown", 1],
      ["ArrowUp", -1],
    ]).get(event.key);
    if (steps !== undefined) setAt((at + steps + offered.length) % offered.length);
    else if (event.key === "Escape") end();
    else if (event.key === "Enter" && at >= 0) take(offered[at]);
    else return;
    event.preventDefault();
  };
  const propsOf = (id: string, typed: () => void): object => ({
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-expanded": String(field === id && offered.length > 0),
    "aria-controls": field === id && offered.length > 0 ? "known-people" : undefined,
    "aria-activedescendant": field === id && at >= 0 ? `known-${at}` : undefined,
    onInput: ({ target }: Event): void => {
      typed();
      setAt(-1);
      if (target instanceof HTMLInputElement) look({ field: id, search: target.value.trim() });
    },
    onKeyDown: handleKey,
    onBlur: end,
  });
  return { field, offered, at, take, propsOf };
}

interface OfferedProps {
  readonly people: ReturnType<typeof useKnownPeople>;
  readonly field: string;
}

/** The people who are offered below the field that is typed in. */
function Offered({ people, field }: OfferedProps): VNode | null {
  const { words } = useView();
  const { offered, at, take } = people;
  if (people.field !== field || offered.length === 0) return null;
  return html`<ul id="known-people" class="canned" role="listbox" aria-label=${words.knownPeople}>
    ${offered.map(
      (one, place) =>
        html`<li
          key=${`${one.person} ${one.contact}`}
          id=${`known-${place}`}
          role="option"
          aria-selected=${place === at}
          onPointerDown=${(event: Event) => event.preventDefault()}
          onClick=${() => take(one)}
        >
          <strong dir="auto">${one.name}</strong>${" "}
          <span class="quiet" dir="auto">${one.contact || words.fromChats}</span>
        </li>`,
    )}
  </ul>`;
}
