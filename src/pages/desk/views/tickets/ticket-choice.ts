import type { VNode } from "preact";
import { html } from "htm/preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ChatTicketChoices, ChatTicketLine } from "../../../../api/chat/answers-tickets.ts";
import { readField } from "../../../shared/fields.ts";
import { useAttempt } from "../../../shared/attempt.ts";
import { FailedCall } from "../../../shared/failed-call.ts";
import { fill } from "../../../shared/words.ts";
import { explain, STATES } from "../../context.ts";
import type { TicketsEdit } from "../../ticket-acts.ts";
import { useView } from "../context.ts";
import type { RowChoice } from "./ticket-row.ts";
import { useAnswering } from "./ticket-parts.ts";

/** The tickets that are chosen in a list, to be changed together. */
export interface Choice {
  readonly chosen: readonly ChatTicketLine[];
  readonly areAll: boolean;
  readonly of: (one: ChatTicketLine) => RowChoice;
  readonly choose: (tickets: readonly ChatTicketLine[]) => void;
  /** Chooses the whole list, or none of it. */
  readonly toggleAll: () => void;
}

/** Keeps the choice among the rows of a list. Tickets that leave the list stay chosen. */
export function useChoice(rows: readonly ChatTicketLine[]): Choice {
  const [kept, setKept] = useState<ReadonlyMap<number, ChatTicketLine>>(new Map());
  const last = useRef<number | null>(null);
  const choose = (tickets: readonly ChatTicketLine[]): void =>
    setKept(new Map(tickets.map((one) => [one.id, one])));
  // A row that was read again has later changes.
  const fresh = new Map(rows.map((one) => [one.id, one]));
  const chosen = [...kept.values()].map((one) => fresh.get(one.id) ?? one);
  const areAll = rows.length > 0 && rows.every(({ id }) => kept.has(id));
  const toggle = (one: ChatTicketLine, withRange: boolean): void => {
    const [from, to] = [last.current, one.id].map((id) => rows.findIndex((row) => row.id === id));
    last.current = one.id;
    const isRange = withRange && from !== undefined && to !== undefined && from >= 0 && to >= 0;
    const range = isRange ? rows.slice(Math.min(from, to), Math.max(from, to) + 1) : [one];
    const ids = new Set(range.map(({ id }) => id));
    const others = chosen.filter(({ id }) => !ids.has(id));
    choose(kept.has(one.id) ? others : [...others, ...range]);
  };
  return {
    chosen,
    areAll,
    choose,
    toggleAll: () => choose(areAll ? [] : [...chosen, ...rows]),
    of: (one) => ({
      isChosen: kept.has(one.id),
      toggle: (withRange) => toggle(one, withRange),
    }),
  };
}

/** A ticket that was not changed, and why. */
interface Failure {
  readonly ticket: ChatTicketLine;
  readonly reason: string;
}

interface TicketChoiceProps {
  readonly choice: Choice;
  /** Tags in use, and the project's queues. */
  readonly offered: Pick<ChatTicketChoices, "tags" | "queues">;
  /** False also where the right was taken away meanwhile: then only the outcome of a change is left. */
  readonly mayEdit: boolean;
}

/** Changes the chosen tickets in one go, and names those that were not changed. */
export function TicketChoice({ choice, offered, mayEdit }: TicketChoiceProps): VNode {
  const { acts, words } = useView();
  const { chosen } = choice;
  const { busy, problem, attempt } = useAttempt((error) => explain(error, words));
  const [changed, setChanged] = useState<number | null>(null);
  const [failures, setFailures] = useState<readonly Failure[]>([]);
  const [isOpen, setOpen] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    if (isOpen) form.current?.querySelector("select")?.focus();
  }, [isOpen]);
  // The first choice does not show the form until it is complete, because it would move the rows.
  if (isOpen && chosen.length === 0) setOpen(false);
  const change = async (edit: TicketsEdit): Promise<void> => {
    const results = await acts.tickets.changeSeveral(chosen, edit);
    const refusals = new Map(results.map(({ id, refused }) => [id, refused]));
    const left = chosen.flatMap((ticket) => {
      const refused = refusals.get(ticket.id);
      if (refused === null || refused === undefined) return [];
      const { code, message } = refused;
      return { ticket, reason: explain(new FailedCall(code, message, refused), words) };
    });
    setFailures(left);
    setChanged(chosen.length - left.length);
    choice.choose(left.map(({ ticket }) => ticket));
    if (left.length === 0) form.current?.reset();
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    const edit = form.current === null ? null : readEdit(form.current);
    if (edit !== null && !busy) void attempt(() => change(edit));
  };
  const clear = (): void => {
    choice.choose([]);
    setFailures([]);
    setChanged(null);
  };
  const report = [
    ...(changed === null ? [] : [fill(words.changedCount, { count: changed })]),
    ...(failures.length === 0 ? [] : [fill(words.unchangedCount, { count: failures.length })]),
  ];
  return html`<div class=${`ticket-choice ${chosen.length > 0 ? "chosen-some" : ""}`}>
    ${mayEdit && html`<${ChoiceBar} ...${{ choice, isOpen, toggle: () => setOpen(!isOpen) }} />`}
    ${
      mayEdit &&
      isOpen &&
      html`<form ref=${form} class="fields" aria-busy=${busy} onSubmit=${submit}>
        <${EditFields} offered=${offered} />
        <div class="buttons">
          <button type="button" onClick=${clear}>${words.clearSelection}</button>
          <button class="primary" disabled=${busy}>${busy ? words.sending : words.apply}</button>
        </div>
      </form>`
    }
    <p role="status">${report.join(" · ")}</p>
    <p class="problem" role="alert">${problem}</p>
    <${Failures} failures=${failures} />
  </div>`;
}

interface ChoiceBarProps {
  readonly choice: Choice;
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

function ChoiceBar({ choice, isOpen, toggle }: ChoiceBarProps): VNode {
  const { words } = useView();
  const count = choice.chosen.length;
  return html`<div class="choose-bar">
    <label class="choose-all">
      <input type="checkbox" class="choose" checked=${choice.areAll} onClick=${choice.toggleAll} />
      <span>${count === 0 ? words.selectAll : fill(words.selectedCount, { count })}</span>
    </label>
    ${
      count > 0 &&
      html`<button type="button" aria-expanded=${isOpen} onClick=${toggle}>
        ${words.changeSelected}
      </button>`
    }
  </div>`;
}

function Failures({ failures }: { readonly failures: readonly Failure[] }): VNode | null {
  if (failures.length === 0) return null;
  return html`<ul class="failures">
    ${failures.map(
      ({ ticket, reason }) =>
        html`<li key=${ticket.id}>
          <a href=${`#tickets/${ticket.id}`} dir="auto">${ticket.title || ticket.number}</a>${" "}
          <span>${reason}</span>
        </li>`,
    )}
  </ul>`;
}

function EditFields({ offered: { tags, queues } }: Pick<TicketChoiceProps, "offered">): VNode {
  const { words } = useView();
  const answering = useAnswering();
  return html`<label>
      <span>${words.assignee}</span>
      <select name="assignee">
        <option value="">${words.noChange}</option>
        <option value="-">${words.unassigned}</option>
        ${[...answering].map(([id, name]) => html`<option value=${`=${id}`}>${name}</option>`)}
      </select>
    </label>
    <label>
      <span>${words.ticketState}</span>
      <select name="status">
        <option value="">${words.noChange}</option>
        ${([2, 3, 4] as const).map((state) => html`<option value=${String(state)}>${words[STATES[state]]}</option>`)}
      </select>
    </label>
    ${
      queues.length > 1 &&
      html`<label>
        <span>${words.queue}</span>
        <select name="queue">
          <option value="">${words.noChange}</option>
          ${queues.map(({ id, name }) => html`<option value=${String(id)}>${name}</option>`)}
        </select>
      </label>`
    }
    ${(["addTags", "removeTags"] as const).map(
      (name) =>
        html`<label>
          <span>${words[name]}</span>
          <input
            name=${name}
            dir="auto"
            autocomplete="off"
            list="tags-in-use"
            placeholder=${words.tagsHelp}
          />
        </label>`,
    )}
    <datalist id="tags-in-use">
      ${tags.map((tag) => html`<option value=${tag}></option>`)}
    </datalist>`;
}

/** Reads the change from the form; null if it changes nothing. */
function readEdit(form: HTMLFormElement): TicketsEdit | null {
  const data = new FormData(form);
  const read = (name: string): string => readField(data, name).trim();
  const toTags = (name: string): readonly string[] =>
    read(name)
      .split(",")
      .map((tag) => tag.trim())
      .filter(Boolean);
  const [assignee, status, queue] = [read("assignee"), read("status"), read("queue")];
  const [addTags, removeTags] = [toTags("addTags"), toTags("removeTags")];
  const edit = {
    ...(assignee !== "" && { assignee: assignee.slice(1) }),
    ...(status !== "" && { status: Number(status) }),
    ...(queue !== "" && { queue: Number(queue) }),
    ...(addTags.length > 0 && { addTags }),
    ...(removeTags.length > 0 && { removeTags }),
  };
  return Object.keys(edit).length === 0 ? null : edit;
}
