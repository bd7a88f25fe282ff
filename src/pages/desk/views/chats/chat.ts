import type { RefObject, VNode } from "preact";
import { html } from "htm/preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { readMailAddress } from "../../../../locales/person.ts";
import { linkToMail } from "../../saved.ts";
import { countChatsToDo, countTicketsToDo, isFull, mayEditUser } from "../../state/lists.ts";
import type { DeskChat } from "../../state/state.ts";
import { isAway } from "../../state/timeline.ts";
import { type Details, DetailsButton, DetailsPane, useDetails } from "../details.ts";
import { CloseDialog, TransferDialog } from "../dialogs.ts";
import { ChatTickets } from "./chat-tickets.ts";
import { Composer } from "./composer.ts";
import { describeInvitation } from "./list.ts";
import { Messages } from "./messages.ts";
import { Notes } from "./notes.ts";
import { UserPanel } from "./user.ts";
import { nameOf, nameReason, nameRoom, useView, countText } from "../context.ts";
import { fill, nameLanguage } from "../../../shared/words.ts";

/** The open chat, with its messages, its actions and its user. */
export function ChatPane(): VNode {
  const { desk, words } = useView();
  const { selected } = desk;
  const one = selected === null ? undefined : desk.chats.get(selected);
  if (one !== undefined) return html`<${OpenChat} key=${one.chat.id} one=${one} />`;
  return html`<main class="chat empty">
    ${selected !== null && html`<${Back} />`}
    <h2>${selected === null ? words.pickChat : desk.listed ? words.noSuchChat : words.loading}</h2>
    ${selected === null && html`<p class="quiet">${words.pickChatAbout}</p>`}
  </main>`;
}

type Dialog = "none" | "transfer" | "close";

function OpenChat({ one }: { readonly one: DeskChat }): VNode {
  const view = useView();
  const { desk, words } = view;
  const { chat, mine } = one;
  const name = nameOf(view, chat.creator);
  const [dialog, openDialog] = useState<Dialog>("none");
  const details = useDetails();
  const heading = useRef<HTMLHeadingElement>(null);
  const writes = mine && !chat.closed;
  useLayoutEffect(() => {
    // If there is a composer, it takes the focus.
    if (!writes) heading.current?.focus();
  }, [writes]);
  const closeDialog = (): void => openDialog("none");
  const transferring = chat.invitation?.type === "transfer" && mine ? chat.invitation.userId : null;
  const away = !chat.closed && isAway(one.timeline, chat.creator);
  const notices = [
    ...(transferring === null
      ? []
      : [fill(words.transferAsked, { name: nameOf(view, transferring) })]),
    ...(away ? [fill(words.userAway, { name })] : []),
  ];
  return html`<main
      class=${`chat ${details.areShown ? "with-details" : ""}`}
      aria-labelledby="chat-name"
    >
      <${ChatHead} ...${{ one, heading, details, openDialog }} />
      ${notices.length > 0 && html`<p class="notice" role="status">${notices.join(" ")}</p>`}
      <${Messages} one=${one} />
      ${writes ? html`<${Composer} one=${one} />` : html`<${ComposerReplacement} one=${one} />`}
      ${dialog === "close" && html`<${CloseDialog} one=${one} done=${closeDialog} />`}
      ${dialog === "transfer" && html`<${TransferDialog} one=${one} done=${closeDialog} />`}
    </main>
    <${DetailsPane} details=${details} hideLabel=${words.hideDetails}>
      <${Notes} key=${`notes ${chat.id}`} one=${one} />
      <${UserPanel} key=${chat.creator} one=${one} editable=${mayEditUser(desk, one)} />
      <${ChatTickets} key=${`tickets ${chat.id}`} one=${one} />
    <//>`;
}

interface ChatHeadProps {
  readonly one: DeskChat;
  readonly heading: RefObject<HTMLHeadingElement | null>;
  readonly details: Details;
  readonly openDialog: (dialog: Dialog) => void;
}

function ChatHead(props: ChatHeadProps): VNode {
  const { one, heading, details, openDialog } = props;
  const view = useView();
  const { desk, words, language } = view;
  const { chat, mine } = one;
  const name = nameOf(view, chat.creator);
  const mail = readMailAddress(desk.people.get(chat.creator)?.contact ?? "");
  const about = [
    nameRoom(view, chat.room),
    ...(chat.lang === "" ? [] : [nameLanguage(chat.lang, language)]),
    ...(chat.agent === null || chat.agent === desk.me?.id ? [] : [nameOf(view, chat.agent)]),
  ];
  return html`<header class="chat-head">
    <${Back} />
    <div class="chat-title">
      <h2 id="chat-name" tabindex="-1" ref=${heading} dir="auto">${name}</h2>
      <p class="quiet parts">
        <span>${about.join(" · ")}${mail !== null && " ·"}</span>
        ${mail !== null && html`<a href=${linkToMail(mail)} dir="auto">${mail}</a>`}
      </p>
    </div>
    <div class="buttons">
      <${DetailsButton} details=${details} label=${words.details}>
        ${
          one.notes.length > 0 &&
          html` <span class="count"
            ><span class="unseen">${words.notes}: </span>${one.notes.length}</span
          >`
        }
      <//>
      ${mine && !chat.closed && html`<${Menu} one=${one} transfer=${() => openDialog("transfer")} close=${() => openDialog("close")} />`}
    </div>
  </header>`;
}

interface MenuProps {
  readonly one: DeskChat;
  readonly transfer: () => void;
  readonly close: () => void;
}

/**
 * The actions that end an agent's part in a chat. A disclosure needs no arrow keys, unlike a menu.
 */
function Menu({ one, transfer, close }: MenuProps): VNode {
  const { desk, acts, words } = useView();
  const { id } = one.chat;
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return undefined;
    const handleOutside = ({ target }: Event): void => {
      if (target instanceof Node && menu.current?.contains(target) === false) setOpen(false);
    };
    document.addEventListener("pointerdown", handleOutside);
    return () => document.removeEventListener("pointerdown", handleOutside);
  }, [open]);
  const handleEscape = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !open) return;
    event.stopPropagation();
    setOpen(false);
    opener.current?.focus();
  };
  const closeAndRun = (work: () => unknown) => () => {
    setOpen(false);
    opener.current?.focus();
    void work();
  };
  return html`<button type="button" class="close-chat" onClick=${close}>${words.closeChat}</button>
    <div class="menu" ref=${menu} onKeyDown=${handleEscape}>
      <button
        type="button"
        ref=${opener}
        aria-expanded=${open}
        aria-controls="chat-menu"
        onClick=${() => setOpen(!open)}
      >
        <span class="in-wide-pane">${words.more}</span>
        <span class="icon icon-more" aria-hidden="true"></span>
      </button>
      <ul id="chat-menu" hidden=${!open}>
        <li class="in-small-pane">
          <button type="button" class="close-chat" onClick=${closeAndRun(close)}>
            ${words.closeChat}
          </button>
        </li>
        <li><button type="button" onClick=${closeAndRun(transfer)}>${words.transfer}</button></li>
        ${
          desk.me?.rights.TICKET_EDIT === true &&
          html`<li>
            <button type="button" onClick=${closeAndRun(() => acts.tickets.create(id))}>
              ${words.makeTicket}<small class="quiet">${words.makeTicketHelp}</small>
            </button>
          </li>`
        }
        <li>
          <button type="button" onClick=${closeAndRun(() => acts.giveBack(id))}>
            ${words.giveBack}<small class="quiet">${words.giveBackHelp}</small>
          </button>
        </li>
        <li>
          <button type="button" onClick=${closeAndRun(() => acts.leave(id))}>
            ${words.leave}<small class="quiet">${words.leaveHelp}</small>
          </button>
        </li>
      </ul>
    </div>`;
}

/** Replaces the composer: says why the agent can't write, and what to do about it. */
function ComposerReplacement({ one }: { readonly one: DeskChat }): VNode {
  const view = useView();
  const { desk, acts, words } = view;
  const { chat } = one;
  const isInvited = chat.invitation?.userId === desk.me?.id;
  if (chat.closed) {
    return html`<div class="instead">
      <p>
        ${words.chatClosed}${" "}
        ${(chat.closeReason ?? "") !== "" && html`<bdi>${nameReason(chat.closeReason ?? "", words)}</bdi>`}
      </p>
    </div>`;
  }
  if (isInvited) {
    return html`<div class="instead">
      <p>${describeInvitation(view, one)}</p>
      <button type="button" class="primary" onClick=${() => void acts.accept(chat.id)}>
        ${words.accept}
      </button>
      <button type="button" onClick=${() => void acts.reject(chat.id)}>${words.reject}</button>
    </div>`;
  }
  if ((chat.invitation ?? null) !== null)
    return html`<div class="instead"><p>${words.beingAsked}</p></div>`;
  const full = isFull(desk);
  const taken = chat.agent !== null;
  const about = taken
    ? fill(words.joinAbout, { name: nameOf(view, chat.agent ?? "") })
    : words.notInChat;
  return html`<div class="instead">
    <p>${full ? words.noSlot : about}</p>
    <button type="button" class="primary" disabled=${full} onClick=${() => void acts.take(chat.id)}>
      ${taken ? words.join : words.take}
    </button>
  </div>`;
}

/** Leads back to the list on screens that show one pane at a time. */
export function Back({
  to = "#",
  label,
}: {
  readonly to?: string;
  readonly label?: string;
}): VNode {
  const { desk, words } = useView();
  // A ticket's list counts the tickets itself.
  const waits = countChatsToDo(desk, desk.selected) + (to === "#" ? countTicketsToDo(desk) : 0);
  return html`<a class="button back" href=${to}>
    <span class="icon icon-back" aria-hidden="true"></span>
    <span class="unseen">${label ?? words.back}</span>
    ${waits > 0 && html` <span class="badge">${countText(waits)}</span>`}
  </a>`;
}
