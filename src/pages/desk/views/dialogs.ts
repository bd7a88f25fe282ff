import type { ComponentChildren, RefObject, VNode } from "preact";
import { html } from "htm/preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ChatAgent } from "../../../api/chat/answers.ts";
import { explain } from "../context.ts";
import { LONGEST_TEXT } from "../outbox.ts";
import { sectionsOf, statusOf } from "../state/lists.ts";
import type { Desk, DeskChat } from "../state/state.ts";
import { nameOf, REASONS, nameReason, nameRoom, useView } from "./context.ts";
import { Select, valueOf } from "../../shared/fields.ts";
import { fill } from "../../shared/words.ts";

interface ChatDialogProps {
  readonly one: DeskChat;
  readonly done: () => void;
}

/** Asks before a chat is closed, because that can't be undone. */
export function CloseDialog({ one, done }: ChatDialogProps): VNode {
  const view = useView();
  const { desk, acts, words } = view;
  const { id } = one.chat;
  const name = nameOf(view, one.chat.creator);
  // The draft outlives the dialog, so that Escape takes nothing back.
  const draft = `closing ${id}`;
  const chosen = desk.drafts.get(draft) ?? "";
  const close = async (): Promise<void> => {
    done();
    if (await acts.close(id, chosen)) acts.draft(draft, "");
  };
  return html`<${Dialog} title=${fill(words.closeTitle, { name })} done=${done}>
    <p>${words.closeAbout}</p>
    <label for="close-reason">${words.closeReason}</label>
    <${Select}
      id="close-reason"
      value=${chosen}
      options=${[["", "–"], ...Object.keys(REASONS).map((code) => [code, nameReason(code, words)])]}
      change=${(code: string) => acts.draft(draft, code)}
    />
    <div class="buttons">
      <button type="button" onClick=${done}>${words.cancel}</button>
      <button type="button" class="primary" onClick=${() => void close()}>
        ${words.closeChat}
      </button>
    </div>
  <//>`;
}

/** Asks before a log-out that leaves people in open chats waiting. */
export function LogoutDialog({ done }: Pick<ChatDialogProps, "done">): VNode {
  const { desk, acts, words } = useView();
  const [busy, setBusy] = useState(false);
  const { mine } = sectionsOf(desk);
  const handOver = async (): Promise<void> => {
    setBusy(true);
    const given = mine.map(({ chat }) =>
      // An agent who only joined a chat can't give it back.
      chat.agent === desk.me?.id ? acts.giveBack(chat.id) : acts.leave(chat.id),
    );
    const worked = await Promise.all(given);
    done();
    // The failure is shown above the remaining chats.
    if (worked.every(Boolean)) await acts.logout();
  };
  return html`<${Dialog} title=${words.signOut} done=${done}>
    <p>${fill(words.signOutAbout, { count: mine.length })}</p>
    <div class="buttons">
      <button type="button" onClick=${done}>${words.signOutStay}</button>
      <button type="button" disabled=${busy} onClick=${() => void acts.logout()}>
        ${words.signOutAnyway}
      </button>
      <button type="button" class="primary" disabled=${busy} onClick=${() => void handOver()}>
        ${words.signOutHandOver}
      </button>
    </div>
  <//>`;
}

/** Asks to whom a chat is handed over: a colleague who is online, or a room that has some. */
export function TransferDialog({ one, done }: ChatDialogProps): VNode {
  const view = useView();
  const { desk, acts, words } = view;
  const [to, setTo] = useState("");
  const [colleagues, setColleagues] = useState<readonly ChatAgent[] | null>(null);
  const [problem, setProblem] = useState("");
  const select = useRef<HTMLSelectElement>(null);
  const note = useRef<HTMLTextAreaElement>(null);
  const room = String(one.chat.room);
  useEffect(() => {
    const show = (all: readonly ChatAgent[]): void => {
      const there = byNearness(all, room);
      setColleagues(there);
      setTo(listTargets(there, desk, room)[0] ?? "");
    };
    acts
      .colleagues()
      .then(show)
      .catch((error: unknown) => setProblem(explain(error, words)));
  }, []);
  useLayoutEffect(() => {
    if (colleagues !== null) select.current?.focus();
  }, [colleagues]);
  const submit = (event: Event): void => {
    event.preventDefault();
    const [, kind, id] = /^(agent|room) (.+)$/s.exec(select.current?.value ?? "") ?? [];
    if (id === undefined) return;
    done();
    const named = { kind: kind === "room" ? kind : "agent", id } as const;
    const forget = (worked: boolean): void => {
      if (worked) acts.draft(noteOf(one), "");
    };
    void acts.transfer(one.chat.id, named, note.current?.value ?? "").then(forget);
  };
  const toRoom = to.startsWith("room ");
  const nobody = colleagues !== null && colleagues.length === 0;
  return html`<${Dialog} title=${words.transferTitle} done=${done}>
    <form onSubmit=${submit}>
      ${colleagues === null && problem === "" && html`<p role="status">${words.loading}</p>`}
      ${problem !== "" && html`<p class="problem" role="alert">${problem}</p>`}
      ${nobody && html`<p role="status">${words.transferNobody}</p>`}
      ${
        colleagues !== null &&
        colleagues.length > 0 &&
        html`<${TransferFields} ...${{ one, colleagues, select, note, to, setTo }} />`
      }
      <div class="buttons">
        <button type="button" onClick=${done}>${words.cancel}</button>
        <button class="primary" disabled=${to === ""}>
          ${toRoom ? words.transferRoom : words.transferAsk}
        </button>
      </div>
    </form>
  <//>`;
}

/** Name of the draft of a hand-over's note. Escape and a failed hand-over leave it. */
function noteOf({ chat }: DeskChat): string {
  return `transfer ${chat.id}`;
}

interface TransferFieldsProps {
  readonly one: DeskChat;
  readonly colleagues: readonly ChatAgent[];
  readonly select: RefObject<HTMLSelectElement | null>;
  readonly note: RefObject<HTMLTextAreaElement | null>;
  /** The choice: `agent` or `room`, and its id. */
  readonly to: string;
  readonly setTo: (to: string) => void;
}

function TransferFields(props: TransferFieldsProps): VNode {
  const { one, colleagues, select, note, to, setTo } = props;
  const view = useView();
  const { desk, acts, words } = view;
  const room = String(one.chat.room);
  const rooms = listRooms(colleagues, desk, room);
  return html`<label for="transfer-to">${words.transferTo}</label>
    <select
      id="transfer-to"
      ref=${select}
      value=${to}
      aria-describedby="transfer-about"
      onChange=${(event: Event) => setTo(valueOf(event))}
    >
      <optgroup label=${words.agents}>
        ${colleagues.map((agent) => {
          const { id, name, nickname, load, slots } = agent;
          const isFull = countFreeSlots(agent) <= 0;
          const about = [`${load}/${slots}`, ...(isFull ? [words.transferFull] : [])];
          return html`<option value=${`agent ${id}`} disabled=${isFull}>
            ${nickname || name} (${about.join(", ")})
          </option>`;
        })}
      </optgroup>
      ${
        rooms.length > 0 &&
        html`<optgroup label=${words.rooms}>
          ${rooms.map(
            ({ id, there }) =>
              html`<option value=${`room ${id}`}>${nameRoom(view, id)} (${there})</option>`,
          )}
        </optgroup>`
      }
    </select>
    <p id="transfer-about" class="quiet">${to.startsWith("room ") && words.transferRoomHelp}</p>
    <label for="transfer-note">${words.transferNote}</label>
    <textarea
      id="transfer-note"
      ref=${note}
      rows="3"
      dir="auto"
      defaultValue=${desk.drafts.get(noteOf(one)) ?? ""}
      onInput=${() => acts.draft(noteOf(one), note.current?.value ?? "")}
      maxlength=${LONGEST_TEXT}
    ></textarea>`;
}

/**
 * Sorts the agents who can take it: online first, then of the same room, then with most free slots.
 */
function byNearness(agents: readonly ChatAgent[], room: string): readonly ChatAgent[] {
  const rankFar = (agent: ChatAgent): number => Number(!agent.rooms.includes(room));
  return agents
    .filter((agent) => statusOf(agent) === "online")
    .toSorted((a, b) => rankFar(a) - rankFar(b) || countFreeSlots(b) - countFreeSlots(a));
}

function countFreeSlots({ slots, load }: ChatAgent): number {
  return slots - load;
}

/** Lists the other rooms that have agents online, with their number. */
function listRooms(
  colleagues: readonly ChatAgent[],
  { rooms }: Desk,
  room: string,
): readonly { readonly id: string; readonly there: number }[] {
  return rooms.flatMap(({ id }) => {
    const there = colleagues.filter((agent) => agent.rooms.includes(id)).length;
    return id === room || there === 0 ? [] : [{ id, there }];
  });
}

/** Lists the choices that are possible: agents with a free slot, and rooms. */
function listTargets(
  colleagues: readonly ChatAgent[],
  desk: Desk,
  room: string,
): readonly string[] {
  const free = colleagues.filter((agent) => countFreeSlots(agent) > 0);
  return [
    ...free.map(({ id }) => `agent ${id}`),
    ...listRooms(colleagues, desk, room).map(({ id }) => `room ${id}`),
  ];
}

interface DialogProps {
  readonly title: string;
  readonly done: () => void;
  readonly children?: ComponentChildren;
}

/** The browser's modal dialog: keeps the focus inside, ends with Escape, gives it back. */
export function Dialog({ title, done, children }: DialogProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const isLeaving = useRef(false);
  useLayoutEffect(() => {
    const { current } = dialog;
    const opener = document.activeElement;
    current?.showModal();
    return () => {
      isLeaving.current = true;
      current?.close();
      // The browser does not return the focus for a dialog that has already left the page.
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  // The event comes a moment later, when the next dialog may be open.
  const close = (): void => {
    if (!isLeaving.current) done();
  };
  return html`<dialog ref=${dialog} aria-labelledby="dialog-title" onClose=${close}>
    <h2 id="dialog-title" dir="auto">${title}</h2>
    ${children}
  </dialog>`;
}
