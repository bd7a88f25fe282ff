import type { RefObject, VNode } from "preact";
import { html } from "htm/preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type {
  ChatTicket,
  ChatTicketChoices,
  ChatTicketFile,
} from "../../../../api/chat/answers-tickets.ts";
import { Select } from "../../../shared/fields.ts";
import { FailedCall } from "../../../shared/failed-call.ts";
import { explain, STATES } from "../../context.ts";
import { LONGEST_TEXT } from "../../outbox.ts";
import { draftOf } from "../../ticket-acts.ts";
import { fill } from "../../../shared/words.ts";
import { CannedButton, CannedList, useCanned } from "../chats/composer.ts";
import type { Canned } from "../chats/composer.ts";
import { useView } from "../context.ts";
import { FileButton } from "../file.ts";
import { ChosenFiles, useFiles } from "./ticket-files.ts";
import { sayWhereAnswersGo } from "./ticket-mail.ts";
import { listNames, Others, type usePresence } from "./ticket-presence.ts";
import { findNextTicket } from "../rows.ts";
import type { ShownTicket } from "./ticket-parts.ts";

type Mode = keyof typeof draftOf;

interface TicketComposerProps {
  readonly shown: ShownTicket;
  /** Null if not known yet. */
  readonly choices: ChatTicketChoices | null;
  readonly presence: ReturnType<typeof usePresence>;
}

/**
 * The field where an agent answers a ticket, or writes a note about it. A draft belongs to its
 * ticket.
 */
export function TicketComposer({ shown, choices, presence }: TicketComposerProps): VNode | null {
  const { desk, words } = useView();
  const { ticket } = shown;
  const [mode, setMode] = useState<Mode>("answer");
  // The buttons of the other mode are new ones, so the focus goes on to the field.
  const isSwitched = useRef(false);
  const switchMode = (next: Mode): void => {
    isSwitched.current = next !== mode;
    setMode(next);
  };
  const draft = desk.drafts.get(draftOf.answer(ticket.id)) ?? "";
  const open = ticket.status !== 5;
  if (!ticket.editable || !open) {
    const reason = open ? words.mayNotAnswer : words.ticketIsClosed;
    if (open && draft === "") return null;
    return html`<div class="instead">
      <p>
        ${reason}${" "}
        ${
          ticket.mergedInto !== null &&
          html`<a href=${`#tickets/${ticket.mergedInto.id}`}>
            ${fill(words.mergedInto, { number: ticket.mergedInto.number })}
          </a>`
        }
      </p>
      ${draft !== "" && html`<textarea aria-label=${words.yourMessage} rows="2" dir="auto" readonly value=${draft}></textarea>`}
    </div>`;
  }
  return html`<${Writing}
    key=${`${ticket.id} ${mode}`}
    ...${{ shown, choices, presence, mode, setMode: switchMode }}
    isFocused=${isSwitched.current}
  />`;
}

interface WritingProps extends TicketComposerProps {
  readonly mode: Mode;
  readonly setMode: (mode: Mode) => void;
  /** True if the field takes the focus when it is drawn. */
  readonly isFocused: boolean;
}

function Writing(props: WritingProps): VNode {
  const { shown, choices, presence, mode, setMode, isFocused } = props;
  const { desk, acts, words } = useView();
  const { ticket } = shown;
  const name = draftOf[mode](ticket.id);
  const draft = desk.drafts.get(name) ?? "";
  const field = useField(draft, isFocused);
  const typed = (text: string): void => {
    acts.draft(name, text);
    if (mode === "answer") presence.typed(text);
  };
  const canned = useCanned({ field, lang: ticket.language, user: ticket.user, typed });
  const files = useFiles(ticket.id);
  const [status, setStatus] = useState(chooseNextState(ticket));
  const sending = useSending(shown, files.chosen, field);
  const send = async (goesOn = false): Promise<void> => {
    // Keys reach this although the button is disabled. The field may be ahead of the draft.
    if (files.busy || (field.current?.value.length ?? 0) > LONGEST_TEXT) return;
    // An answer may take the ticket from the list, so the next one is found before.
    const next = findNextTicket();
    const worked = await sending.send(mode, status);
    presence.sent();
    if (worked && goesOn && mode === "answer") location.hash = next;
  };
  const handleKey = (event: KeyboardEvent): void => {
    if (canned.offered.length > 0 && !event.isComposing && canned.choose(event.key)) {
      event.preventDefault();
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void send(event.shiftKey);
    }
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void send(event.submitter?.matches(".and-next") === true);
  };
  const tooLong = draft.length > LONGEST_TEXT;
  const isUnsendable = draft.trim() === "" || tooLong || sending.busy || files.busy;
  const problem = tooLong
    ? fill(words.tooLong, { count: draft.length, most: LONGEST_TEXT })
    : sending.problem || files.problem;
  return html`<form class=${`composer ${mode}`} onSubmit=${submit} aria-busy=${sending.busy}>
    <${Modes} mode=${mode} setMode=${setMode} />
    <${Others} others=${presence.others} />
    ${mode === "answer" && problem === "" && html`<${Meanwhile} ...${{ ticket, draft }} />`}
    <label class="unseen" for="ticket-message">
      ${mode === "note" ? words.yourNote : words.yourMessage}
    </label>
    ${canned.offered.length > 0 && html`<${CannedList} canned=${canned} />`}
    <textarea
      id="ticket-message"
      ref=${field}
      rows="4"
      dir="auto"
      readonly=${sending.busy}
      aria-describedby="ticket-about ticket-problem"
      onInput=${() => {
        typed(field.current?.value ?? "");
        if (mode === "answer") canned.search();
      }}
      onKeyDown=${handleKey}
      onBlur=${canned.end}
    ></textarea>
    <p id="ticket-about" class="quiet about">
      ${mode === "note" ? words.notesAbout : sayWhereAnswersGo(ticket, choices, words)}
    </p>
    ${mode === "answer" && html`<${ChosenFiles} files=${files} />`}
    <p id="ticket-problem" class="problem" role="alert">${problem}</p>
    <div class="buttons">
      ${mode === "answer" && html`<${AnswerButtons} ...${{ ticket, choices, field, canned, files, status, setStatus }} />`}
      ${mode === "answer" && html`<${SendAndNext} disabled=${isUnsendable} />`}
      <button class="primary" title="Ctrl+Enter" disabled=${isUnsendable}>
        ${sending.busy ? words.sending : mode === "note" ? words.addNote : words.send}
      </button>
    </div>
  </form>`;
}

/** Keeps the draft in the field, which takes the focus at its first drawing if it should. */
function useField(draft: string, isFocused: boolean): RefObject<HTMLTextAreaElement | null> {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (isFocused) field.current?.focus();
  }, []);
  // As in chats, a late drawing would undo what was typed meanwhile.
  useLayoutEffect(() => {
    if (field.current !== null && field.current.value !== draft) field.current.value = draft;
  }, [draft]);
  return field;
}

/** Sends the answer, and opens the next ticket that waits. */
function SendAndNext({ disabled }: { readonly disabled: boolean }): VNode {
  const { words } = useView();
  return html`<button class="and-next" title="Ctrl+Shift+Enter" disabled=${disabled}>
    <span class="icon icon-down in-small-pane" aria-hidden="true"></span>
    <span class="in-wide-pane">${words.sendAndNext}</span>
  </button>`;
}

interface MeanwhileProps {
  readonly ticket: ChatTicket;
  readonly draft: string;
}

/** Warns an agent whose answer was begun before the latest words of somebody else. */
function Meanwhile({ ticket, draft }: MeanwhileProps): VNode {
  const { acts, words, language } = useView();
  const { begunAfter } = acts.tickets.remembered;
  const { id, replies } = ticket;
  const latest = replies.at(-1)?.id ?? 0;
  if (draft === "" || !begunAfter.has(id)) begunAfter.set(id, latest);
  const before = begunAfter.get(id) ?? latest;
  const names = new Set(replies.flatMap((one) => (one.id > before ? one.user : [])));
  const notice =
    names.size === 0 ? "" : fill(words.saidMeanwhile, { name: listNames([...names], language) });
  return html`<p class="others notice" role="status" dir="auto">${notice}</p>`;
}

interface AnswerButtonsProps extends NextStateProps {
  readonly choices: ChatTicketChoices | null;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly canned: Canned;
  readonly files: ReturnType<typeof useFiles>;
}

/** The buttons beside the one that sends an answer. */
function AnswerButtons(props: AnswerButtonsProps): VNode {
  const { choices, field, canned, files, ticket, status, setStatus } = props;
  return html`<${FileButton} fileTypes=${choices?.fileTypes ?? null} pick=${files.add} />
    <${CannedButton} ...${{ canned, field }} />
    <${NextState} ...${{ ticket, status, setStatus }} />`;
}

/** Switches between an answer to the person and a note for colleagues. */
function Modes({ mode, setMode }: Pick<WritingProps, "mode" | "setMode">): VNode {
  const { words } = useView();
  const labels = { answer: words.answer, note: words.notes } as const;
  return html`<div class="modes" role="group" aria-label=${words.yourMessage}>
    ${(["answer", "note"] as const).map(
      (one) =>
        html`<button type="button" aria-pressed=${mode === one} onClick=${() => setMode(one)}>
          ${labels[one]}
        </button>`,
    )}
  </div>`;
}

interface NextStateProps {
  readonly ticket: ChatTicket;
  readonly status: number;
  readonly setStatus: (status: number) => void;
}

function NextState({ ticket, status, setStatus }: NextStateProps): VNode {
  const { words } = useView();
  const states = statesAfter(ticket).filter((one) => one !== 1);
  const value = states.find((one) => one === status) ?? chooseNextState(ticket);
  return html`<label class="next-state">
    <span>${words.thenState}</span>
    <${Select}
      value=${String(value)}
      options=${states.map((one) => [String(one), words[STATES[one]]])}
      change=${(next: string) => setStatus(Number(next))}
    />
  </label>`;
}

/** The present state, and those that an agent may choose after it. */
export function statesAfter({ status, next }: ChatTicket): readonly ChatTicket["status"][] {
  return [status, ...next.filter((one) => one !== 5)].toSorted((a, b) => a - b);
}

/** After an answer a ticket is pending, unless it is solved. */
function chooseNextState({ status }: ChatTicket): number {
  return status === 4 ? 4 : 3;
}

function useSending(
  { ticket, show, reread }: ShownTicket,
  files: readonly ChatTicketFile[],
  field: { readonly current: HTMLTextAreaElement | null },
) {
  const { acts, words } = useView();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const handleRefused = async (error: unknown, mode: Mode): Promise<void> => {
    setProblem(explain(error, words));
    if (!(error instanceof FailedCall) || ![403, 409].includes(error.status)) return;
    const now = await reread();
    if (error.status === 403) setProblem(words.mayNotAnswer);
    else if (mode === "answer") setProblem(words.answeredMeanwhile);
    if (now !== null && now.mergedInto !== null && mode === "answer") acts.tickets.moveDraft(now);
  };
  /** Gives true for a text that was sent. */
  const send = async (mode: Mode, status: number): Promise<boolean> => {
    const message = field.current?.value ?? "";
    if (busy || message.trim() === "") return false;
    let worked = false;
    setBusy(true);
    setProblem("");
    try {
      const attachments = files.map(({ id }) => id);
      show(
        mode === "note"
          ? await acts.tickets.note(ticket, message)
          : await acts.tickets.answer(ticket, { message, attachments, status }),
      );
      if (field.current !== null) field.current.value = "";
      worked = true;
    } catch (error) {
      await handleRefused(error, mode);
    }
    setBusy(false);
    field.current?.focus();
    return worked;
  };
  return { busy, problem, send };
}
