import type { VNode } from "preact";
import { html } from "htm/preact";
import { useEffect, useMemo } from "preact/hooks";
import type { ChatExcerpt } from "../../../../api/chat/answers.ts";
import { useNow } from "../clock.ts";
import { isFull, countUnread, sectionsOf, waitingSince } from "../../state/lists.ts";
import { addressOf } from "../../saved.ts";
import type { DeskChat } from "../../state/state.ts";
import { lastMessagesOf, latestOf, textOf } from "../../state/timeline.ts";
import {
  avatarOf,
  nameOf,
  nameRoom,
  formatSince,
  formatTime,
  useView,
  waitClass,
  explainReason,
} from "../context.ts";
import { valueOf } from "../../../shared/fields.ts";
import { fill, nameLanguage } from "../../../shared/words.ts";

interface SearchFieldProps {
  /** Placeholder, and name for screen readers. */
  readonly label: string;
  readonly value: string;
  readonly change: (text: string) => void;
}

/** The search field of a list. The shortcut for searching focuses it. */
export function SearchField({ label, value, change }: SearchFieldProps): VNode {
  return html`<input
    id="search"
    type="search"
    dir="auto"
    maxlength="200"
    aria-label=${label}
    placeholder=${label}
    value=${value}
    onInput=${(event: Event) => change(valueOf(event))}
  />`;
}

/**
 * Chats that this agent is asked to take. A long list scrolls, so that the one below does not move.
 */
export function Invitations(): VNode | null {
  const { desk, words } = useView();
  const { invitations } = useMemo(() => sectionsOf(desk), [desk.chats, desk.me]);
  if (invitations.length === 0) return null;
  return html`<section aria-labelledby="list-invitations">
    <h2 id="list-invitations">${words.invitations} <${Count} of=${invitations} /></h2>
    <ul class="invitations">
      ${invitations.map((one) => html`<${Invitation} key=${one.chat.id} one=${one} />`)}
    </ul>
  </section>`;
}

export function Count({ of }: { readonly of: readonly DeskChat[] }): VNode | null {
  return of.length === 0 ? null : html`<span class="count">${of.length}</span>`;
}

/** A chat that this agent is asked to take. */
export function Invitation({ one }: { readonly one: DeskChat }): VNode {
  const view = useView();
  const { acts, words, language } = view;
  const { chat } = one;
  const name = nameOf(view, chat.creator);
  const { question } = chat;
  const isHandedOver = chat.invitation?.type !== "assign";
  const note = isHandedOver ? one.notes.at(-1) : undefined;
  // By the time a chat is handed over, its first question is old.
  const lastWords =
    question === undefined || isHandedOver
      ? lastMessagesOf(one.timeline, chat.creator).map(textOf)
      : [question];
  const now = useNow(30_000);
  useEffect(() => {
    acts.look(chat.id);
    if (isHandedOver) acts.readNotes(chat.id);
  }, []);
  const about = [
    ...(chat.lang === "" ? [] : [nameLanguage(chat.lang, language)]),
    formatSince(chat.created, language, now),
  ];
  return html`<li class="card invitation">
    <a class="row" href=${addressOf(chat.id)} aria-current=${isHere(view, chat.id)}>
      ${avatarOf(view, chat.creator)}
      <strong dir="auto">${name}</strong>
      <span class="quiet" dir="auto">${nameRoom(view, chat.room)}</span>
    </a>
    ${chat.reason !== undefined && html`<p dir="auto">${explainReason(chat.reason, words)}</p>`}
    ${lastWords.map((text) => html`<blockquote dir="auto">${text.slice(0, 320)}</blockquote>`)}
    ${
      note !== undefined &&
      html`<p class="notice" dir="auto">
        <strong>${fill(words.labelled, { label: words.notes })}</strong> ${note.text.slice(0, 320)}
      </p>`
    }
    <p class=${waitClass(chat.created, now)}>${about.join(" · ")}</p>
    <p>
      ${describeInvitation(view, one)} <${SecondsLeft} expires=${chat.invitation?.expires ?? 0} />
    </p>
    <div class="buttons">
      <button
        type="button"
        class="primary"
        aria-label=${`${words.accept}: ${name}`}
        onClick=${() => void acts.accept(chat.id)}
      >
        ${words.accept}
      </button>
      <button
        type="button"
        aria-label=${`${words.reject}: ${name}`}
        onClick=${() => void acts.reject(chat.id)}
      >
        ${words.reject}
      </button>
    </div>
  </li>`;
}

/** Says why this agent is asked. */
export function describeInvitation(view: Parameters<typeof nameOf>[0], { chat }: DeskChat): string {
  const { words } = view;
  const { type } = chat.invitation ?? { type: "assign" };
  if (type === "join") return words.asksJoin;
  if (type === "assign") return words.asksYou;
  return fill(words.asksTransfer, { name: nameOf(view, chat.agent ?? "") });
}

function SecondsLeft({ expires }: { readonly expires: number }): VNode | null {
  const { words } = useView();
  const now = useNow(1_000);
  const count = Math.max(0, Math.floor(expires - now / 1000));
  // A screen reader that reads every second aloud would read nothing else.
  return html`<span class="quiet left" aria-live="off"
    >${fill(words.secondsLeft, { count })}</span
  >`;
}

/** A chat that this agent is in. */
export function Mine({ one, now }: { readonly one: DeskChat; readonly now: number }): VNode {
  const view = useView();
  const { desk, words, language } = view;
  const { chat, timeline } = one;
  const unread = countUnread(one, desk.me?.id ?? "");
  const at = latestOf(timeline)?.message.created ?? chat.created;
  const since = waitingSince(one);
  return html`<li>
    <a
      class=${`row ${unread > 0 ? "unread" : ""}`}
      href=${addressOf(chat.id)}
      aria-current=${isHere(view, chat.id)}
    >
      ${avatarOf(view, chat.creator)}
      <strong dir="auto">${nameOf(view, chat.creator)}</strong>
      ${
        since === null
          ? html`<time class="quiet">${formatTime(at, language)}</time>`
          : html`<time class=${waitClass(since, now)} title=${words.waitingChat}>
              <span class="unseen">${words.waitingChat}: </span>${formatSince(since, language, now)}
            </time>`
      }
      <${Preview} one=${one} />
      ${
        unread > 0 &&
        html`<span class="badge">
          <span aria-hidden="true">${unread}</span>
          <span class="unseen">${fill(words.unread, { count: unread })}</span>
        </span>`
      }
    </a>
  </li>`;
}

/** One line of a chat: that its user is typing, the agent's draft, or the last message. */
function Preview({ one }: { readonly one: DeskChat }): VNode {
  const view = useView();
  const { desk, words } = view;
  const { chat, timeline, writing } = one;
  const now = useNow(1_000, writing.size > 0);
  const draft = desk.drafts.get(chat.id);
  const latest = latestOf(timeline);
  if ((writing.get(chat.creator) ?? 0) > now) {
    const name = nameOf(view, chat.creator);
    return html`<span class="preview quiet">${fill(words.isWriting, { name })}</span>`;
  }
  const isOwn = latest !== null && latest.message.sender === desk.me?.id;
  const said = latest && textOf(latest.message);
  const message = isOwn ? `${fill(words.labelled, { label: words.you })} ${said}` : said;
  const text = draft === undefined ? message : `✎ ${draft}`;
  return html`<span class="preview quiet" dir="auto">
    ${text?.slice(0, 80) ?? nameRoom(view, chat.room)}
  </span>`;
}

interface WaitingProps {
  readonly one: DeskChat;
  /** In the queue, from 1; undefined if the chat is in no queue. */
  readonly position: number | undefined;
  readonly now: number;
}

/** A chat that nobody answers. */
export function Waiting({ one, position, now }: WaitingProps): VNode {
  const view = useView();
  const { desk, acts, words, language } = view;
  const { chat } = one;
  const name = nameOf(view, chat.creator);
  const full = isFull(desk);
  const isInvited = (chat.invitation ?? null) !== null;
  const since = chat.waitingSince ?? chat.created;
  const hasAgent = chat.agent !== null;
  const state = isInvited
    ? words.beingAsked
    : hasAgent
      ? `${fill(words.labelled, { label: nameOf(view, chat.agent ?? "") })} ${words.unattended}`
      : position === undefined
        ? words.unattended
        : fill(words.place, { count: position });
  return html`<li class="waiting">
    <a class="row" href=${addressOf(chat.id)} aria-current=${isHere(view, chat.id)}>
      ${avatarOf(view, chat.creator)}
      <strong dir="auto">${name}</strong>
      <time class=${waitClass(since, now)}>${formatSince(since, language, now)}</time>
      ${chat.question !== undefined && html`<span class="preview" dir="auto">${chat.question.slice(0, 80)}</span>`}
      <span class="preview quiet">${state} · <bdi>${nameRoom(view, chat.room)}</bdi></span>
    </a>
    ${
      !isInvited &&
      html`<button
        type="button"
        aria-label=${`${hasAgent ? words.join : words.take}: ${name}`}
        disabled=${full}
        aria-describedby=${full ? "no-slot" : undefined}
        onClick=${() => void acts.take(chat.id)}
      >
        ${hasAgent ? words.join : words.take}
      </button>`
    }
  </li>`;
}

/** The part of a message that a search found, with the match marked. */
export function Excerpt({ of }: { readonly of: ChatExcerpt | undefined }): VNode | null {
  if (of === undefined || of.text === "") return null;
  const { text, at, length } = of;
  return html`<span class="preview excerpt" dir="auto"
    >${text.slice(0, at)}${length > 0 && html`<mark>${text.slice(at, at + length)}</mark>`}${text.slice(at + length)}</span
  >`;
}

function isHere(
  { desk }: Pick<Parameters<typeof nameOf>[0], "desk">,
  id: string,
): "true" | undefined {
  return desk.selected === id ? "true" : undefined;
}
