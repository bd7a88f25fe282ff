import type { VNode } from "preact";
import { html } from "htm/preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import type { ChatAgent } from "../../../../api/chat/answers.ts";
import { explain } from "../../context.ts";
import { loadOf, findNextUnread, sectionsOf, STATUSES, statusOf } from "../../state/lists.ts";
import { addressOf } from "../../saved.ts";
import { useNow } from "../clock.ts";
import { nameOf, nameRoom, formatSince, useView } from "../context.ts";
import type { View } from "../context.ts";
import { Dialog } from "../dialogs.ts";
import { fill } from "../../../shared/words.ts";
import { readRows } from "../rows.ts";

/** A sheet that lies over the whole desk. */
export type Sheet = "none" | "keys" | "team" | "logout";

interface SheetProps {
  readonly done: () => void;
}

/** Keys with Alt by their place on the keyboard, so that they work while the agent writes. */
const KEYS = {
  KeyJ: { key: "Alt+J", does: "keyNextChat" },
  KeyK: { key: "Alt+K", does: "keyPreviousChat" },
  KeyN: { key: "Alt+N", does: "nextUnread" },
  KeyA: { key: "Alt+A", does: "keyAccept" },
  KeyM: { key: "Alt+M", does: "yourMessage" },
  KeyS: { key: "Alt+S", does: "search" },
  KeyX: { key: "Alt+X", does: "keySelect" },
} as const;

/** The keys that work everywhere at the desk. */
export function useShortcuts(view: View, show: (sheet: Sheet) => void): void {
  // Before painting, because a key may be pressed at once and needs the open chat.
  useLayoutEffect(() => {
    const handleKey = (event: KeyboardEvent): void => {
      const { altKey, ctrlKey, metaKey, target, key } = event;
      if (ctrlKey || metaKey || document.querySelector("dialog[open]") !== null) return;
      const writes = target instanceof HTMLElement && target.matches("input, textarea, select");
      if (key === "?" && !altKey && !writes) show("keys");
      else if (!altKey || event.shiftKey || !act(event.code, view)) return;
      event.preventDefault();
    };
    document.addEventListener("keydown", handleKey);
    return () => document.removeEventListener("keydown", handleKey);
  }, [view]);
}

function open(address: string | null | undefined): void {
  if (address !== null && address !== undefined) location.hash = address;
}

/** False for a key without an effect here. */
function act(code: string, { desk, acts }: View): boolean {
  const { rows, at } = readRows();
  const ids = rows.map(({ hash }) => hash);
  const unread = findNextUnread(desk);
  if (code === "KeyJ") open(ids[at + 1] ?? ids[0]);
  else if (code === "KeyK") open(ids.at(Math.max(at, 0) - 1));
  else if (code === "KeyN") open(unread === null ? null : addressOf(unread));
  else if (code === "KeyA") {
    const { invitations } = sectionsOf(desk);
    // The open chat comes before the first.
    const one = invitations.find(({ chat }) => chat.id === desk.selected) ?? invitations[0];
    if (one !== undefined) void acts.accept(one.chat.id);
  } else if (code === "KeyM")
    document.querySelector<HTMLElement>("#message, #ticket-message")?.focus();
  else if (code === "KeyX")
    rows[at]?.closest("li")?.querySelector<HTMLElement>("input.choose")?.click();
  else if (code === "KeyS") document.querySelector<HTMLElement>("#search")?.focus();
  else return false;
  return true;
}

export function KeysSheet({ done }: SheetProps): VNode {
  const { desk, words } = useView();
  return html`<${Dialog} title=${words.keys} done=${done}>
    <dl class="keys">
      ${Object.values(KEYS).map(
        ({ key, does }) =>
          html`<dt><kbd>${key}</kbd></dt>
            <dd>${words[does]}</dd>`,
      )}
      ${
        desk.me?.rights.TICKET_EDIT === true &&
        html`<dt><kbd>Ctrl+Shift+Enter</kbd></dt>
          <dd>${words.sendAndNext}</dd>`
      }
      <dt><kbd>/</kbd></dt>
      <dd>${words.cannedAnswers}</dd>
      <dt><kbd>?</kbd></dt>
      <dd>${words.keys}</dd>
    </dl>
    <p class="quiet">${words.sendHelp}</p>
    <div class="buttons">
      <button type="button" onClick=${done}>${words.close}</button>
    </div>
  <//>`;
}

/** Lists each agent's number of chats and the waiting chats; read again while it is shown. */
export function TeamSheet({ done }: SheetProps): VNode {
  const view = useView();
  const { desk, acts, words, language } = view;
  const [others, setOthers] = useState<readonly ChatAgent[]>([]);
  const [problem, setProblem] = useState("");
  const now = useNow(10_000);
  useEffect(() => {
    const read = acts.colleagues().finally(() => setProblem(""));
    read.then(setOthers).catch((error: unknown) => setProblem(explain(error, words)));
  }, [now]);
  // The desk's own figures are newer than those of the last full reading.
  const agents = desk.me === null ? others : [{ ...desk.me, load: loadOf(desk) }, ...others];
  const { invitations, waiting } = sectionsOf(desk);
  const all = [...invitations, ...waiting].toSorted((a, b) => a.chat.created - b.chat.created);
  const order = [...STATUSES, "offline"];
  const rankStatus = (agent: ChatAgent): number => order.indexOf(statusOf(agent));
  const inOrder = agents.toSorted((a, b) => rankStatus(a) - rankStatus(b) || b.load - a.load);
  return html`<${Dialog} title=${words.team} done=${done}>
    <p class="problem" role="alert">${problem}</p>
    <h3>${words.agents}</h3>
    <ul>
      ${inOrder.map(
        (agent) =>
          html`<li key=${agent.id}>
            <strong dir="auto">${agent.nickname || agent.name}</strong>
            ${" "}<span class="quiet"
              >${[
                words[statusOf(agent)],
                fill(words.load, { count: agent.load, most: agent.slots }),
              ].join(" · ")}</span
            >
          </li>`,
      )}
    </ul>
    <h3>${words.waiting} <span class="count">${all.length}</span></h3>
    ${all.length === 0 && html`<p class="quiet">${words.noWaiting}</p>`}
    <ul>
      ${all.map(
        ({ chat }) =>
          html`<li key=${chat.id}>
            <a href=${addressOf(chat.id)} dir="auto" onClick=${done}
              >${nameOf(view, chat.creator)}</a
            >
            ${" "}<span class="quiet">
              ${formatSince(chat.created, language, now)} · <bdi>${nameRoom(view, chat.room)}</bdi>
            </span>
          </li>`,
      )}
    </ul>
    <div class="buttons">
      <button type="button" onClick=${done}>${words.close}</button>
    </div>
  <//>`;
}
