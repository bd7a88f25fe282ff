import type { VNode } from "preact";
import { html } from "htm/preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ChatNote } from "../../../../api/chat/answers.ts";
import { useNow } from "../clock.ts";
import type { DeskChat } from "../../state/state.ts";
import { textOf } from "../../state/timeline.ts";
import type { Entry, ChangeEntry, MessageEntry } from "../../state/timeline.ts";
import { nameOf, formatTime, useView } from "../context.ts";
import type { View } from "../context.ts";
import { FileLine } from "../file.ts";
import { Pending } from "./pending.ts";
import { fill } from "../../../shared/words.ts";
import type { Language } from "../../../shared/words.ts";

/** Pixels from the end within which the agent counts as being at the end. */
const nearEnd = 80;

/** The messages of a chat. The log follows the newest line while the agent is at the end. */
export function Messages({ one }: { readonly one: DeskChat }): VNode {
  const view = useView();
  const { desk, acts, words } = view;
  const { chat, timeline, outgoing, loaded, notes } = one;
  const size = timeline.entries.length + outgoing.length + notes.length;
  const { log, list, atEnd, handleScroll, scrollToEnd } = useEnd(size, loaded);
  const focused = usePageFocus();
  // A message that could not be sent grows, because it shows the reason and buttons.
  const last = outgoing.map(({ key, state }) => `${key} ${state}`).join();
  // An agent's own message is always in sight.
  useLayoutEffect(() => {
    if (last !== "") scrollToEnd();
  }, [last]);
  // The number of lines when the agent left the end. All after them are new.
  const [seenSize, setSeenSize] = useState(size);
  useEffect(() => {
    if (atEnd) setSeenSize(size);
  }, [atEnd, size]);
  useEffect(() => {
    if (atEnd && focused && loaded) acts.read(chat.id);
  }, [timeline, atEnd, focused, loaded, one.mine, desk.link]);

  const rendered = useRef<RenderedLines>(new WeakMap());
  const lines = useMemo(
    () => linesOf(one, view, rendered.current),
    [timeline, notes, desk.people, desk.me?.id, view.language, words],
  );
  return html`<div class="messages">
    <div
      ref=${log}
      class="log"
      role="log"
      aria-live="polite"
      aria-label=${fill(words.conversation, { name: nameOf(view, chat.creator) })}
      aria-busy=${!loaded}
      tabindex="0"
      onScroll=${handleScroll}
    >
      ${!loaded && html`<p class="quiet">${words.loading}</p>`}
      ${loaded && size === 0 && html`<p class="quiet">${words.noMessages}</p>`}
      <ol ref=${list}>
        ${lines}
        ${outgoing.map((out) => html`<${Pending} key=${out.key} chat=${chat.id} out=${out} />`)}
      </ol>
    </div>
    ${
      !atEnd &&
      html`<button type="button" class="to-end" onClick=${scrollToEnd}>
        ${size > seenSize ? words.newBelow : words.toEnd}
        <span class="icon icon-down" aria-hidden="true"></span>
      </button>`
    }
    <${Writing} one=${one} />
  </div>`;
}

/**
 * Tells whether the agent is at the end of the log, and then keeps the end in sight while content
 * grows.
 */
export function useEnd(size: number, loaded: boolean) {
  const log = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const top = useRef(0);
  const [atEnd, setAtEnd] = useState(true);
  const handleScroll = (): void => {
    const { current } = log;
    if (current === null) return;
    const { scrollHeight, scrollTop, clientHeight } = current;
    const isScrolledUp = scrollTop < top.current;
    top.current = scrollTop;
    // Only scrolling up leaves the end. A line that grows moves the end down without any scrolling.
    if (scrollHeight - scrollTop - clientHeight < nearEnd) setAtEnd(true);
    else if (isScrolledUp) setAtEnd(false);
  };
  const scrollToEnd = (): void => {
    log.current?.scrollTo({ top: log.current.scrollHeight });
    setAtEnd(true);
  };
  useLayoutEffect(() => {
    if (atEnd) scrollToEnd();
  }, [size, loaded]);
  const follows = useRef(atEnd);
  follows.current = atEnd;
  useEffect(() => {
    // A phone's keyboard or rotation, and pictures that load late, change the size.
    const observer = new ResizeObserver(() => {
      if (follows.current) scrollToEnd();
    });
    for (const { current } of [log, list]) if (current !== null) observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return { log, list, atEnd, handleScroll, scrollToEnd };
}

/**
 * Renders a line for each entry, and for each note at its time. An unchanged line stays the same
 * object, which Preact skips.
 */
function linesOf(one: DeskChat, view: View, rendered: RenderedLines): readonly VNode[] {
  const { entries, reads } = one.timeline;
  const { words } = view;
  const me = view.desk.me?.id ?? "";
  const own = entries.findLast((entry) => entry.kind === "message" && entry.message.sender === me);
  const transcript = entries[0]?.kind === "message" && entries[0].imported;
  const firstLive = entries.findIndex((entry) => entry.kind === "happened" || !entry.imported);
  const notes = one.notes.toSorted((a, b) => a.created - b.created);
  const lines = entries.flatMap((entry, index) => {
    const begins = transcript && index === firstLive;
    const dividers = [
      ...(transcript && index === 0 ? [createDivider("before", words.before)] : []),
      ...(begins ? [createDivider("begins", words.begins)] : []),
    ];
    const notesBefore =
      entry.kind === "message" && entry.imported ? [] : takeBefore(notes, timeOf(entry));
    const above = [...dividers, ...notesBefore.map((note) => createNoteLine(note, view))];
    if (entry.kind === "happened") {
      const text = describeChange(entry, view);
      const render = (): VNode => createChangeLine(entry, text, view.language);
      return [...above, renderOnce(rendered, entry, text + view.language, render)];
    }
    const { message } = entry;
    const before = entries[index - 1];
    const read = reads.get(message.id)?.has(one.chat.creator) === true;
    const style: LineStyle = {
      mine: message.sender === me,
      colleague: ![me, one.chat.creator, "assistant", "system"].includes(message.sender),
      who: message.sender === me ? words.you : nameOf(view, message.sender),
      isContinued:
        above.length === 0 &&
        before?.kind === "message" &&
        before.message.sender === message.sender,
      mark: entry !== own ? "" : read ? words.readMark : words.sent,
      botTitle: entry.imported && message.sender === "assistant" ? words.botSaid : "",
    };
    const render = (): VNode => createMessageLine(entry, style, view.language);
    return [...above, renderOnce(rendered, entry, JSON.stringify(style) + view.language, render)];
  });
  return [...lines, ...notes.map((note) => createNoteLine(note, view))];
}

function timeOf(entry: Entry): number {
  return entry.kind === "message" ? entry.message.created : entry.at;
}

/** Removes the notes before this time from the front of the list, and returns them. */
function takeBefore(notes: ChatNote[], time: number): readonly ChatNote[] {
  const end = notes.findIndex(({ created }) => created >= time);
  return notes.splice(0, end === -1 ? notes.length : end);
}

function createNoteLine({ id, author, text, created }: ChatNote, view: View): VNode {
  const who = `${view.words.notes} · ${nameOf(view, author)}`;
  return html`<li key=${`note ${id}`} class="said own noted">
    <p class="who">
      <span dir="auto">${who}</span> <time>${formatTime(created, view.language)}</time>
    </p>
    <div class="bubble"><p class="text" dir="auto">${linkAddresses(text)}</p></div>
  </li>`;
}

/** Rendered lines, each with the content that it was rendered from. */
type RenderedLines = WeakMap<Entry, { readonly content: string; readonly line: VNode }>;

function renderOnce(
  rendered: RenderedLines,
  entry: Entry,
  content: string,
  render: () => VNode,
): VNode {
  const known = rendered.get(entry);
  if (known?.content === content) return known.line;
  const line = render();
  rendered.set(entry, { content, line });
  return line;
}

function createDivider(key: string, text: string): VNode {
  return html`<li key=${key} class="rule">${text}</li>`;
}

interface LineStyle {
  readonly mine: boolean;
  /** True for another agent's message. */
  readonly colleague: boolean;
  readonly who: string;
  /** True if the line above is a message of the same person. */
  readonly isContinued: boolean;
  readonly mark: string;
  /** The title above the bot's own words, for a line that may have some; else empty. */
  readonly botTitle: string;
}

function createMessageLine(
  { message, imported }: MessageEntry,
  style: LineStyle,
  language: Language,
): VNode {
  const kind = [
    "said",
    style.mine ? "own" : style.colleague ? "colleague" : "theirs",
    imported ? "imported" : "",
    style.isContinued ? "goes-on" : "",
    message.sender === "assistant" ? "assistant" : "",
  ];
  return html`<li key=${message.id} class=${kind.join(" ")}>
    <p class="who">
      <span dir="auto">${style.who}</span> <time>${formatTime(message.created, language)}</time>
    </p>
    <div class="bubble">
      ${
        message.type === "media" && typeof message.message !== "string"
          ? html`<${FileLine} file=${message.message} />`
          : formatMessage(textOf(message), style.botTitle)
      }
    </div>
    ${style.mark !== "" && html`<p class="mark">${style.mark}</p>`}
  </li>`;
}

/** Formats a text, with the bot's original words folded away (`transcript.ts` of escalation). */
function formatMessage(text: string, botTitle: string): VNode | readonly VNode[] {
  const at = botTitle !== "" && text.endsWith("]") ? text.indexOf("\n[", 1) : -1;
  const shown = at < 0 ? text : text.slice(0, at);
  const line = html`<p class="text" dir="auto">${linkAddresses(shown)}</p>`;
  if (at < 0) return line;
  return [
    line,
    html`<details class="bot-said">
      <summary>${botTitle}</summary>
      <p class="text" dir="auto">${text.slice(at + 2, -1)}</p>
    </details>`,
  ];
}

/** Turns web addresses in a text into links. Everything else stays plain text. */
export function linkAddresses(text: string): readonly (string | VNode)[] {
  return text
    .split(/(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]}'’»”])/)
    .map((part, at) =>
      at % 2 === 0
        ? part
        : html`<a href=${part} target="_blank" rel="noopener noreferrer">${part}</a>`,
    );
}

function describeChange({ what, person, reason }: ChangeEntry, view: View): string {
  const { words } = view;
  const name = nameOf(view, person);
  switch (what) {
    case "join":
      return fill(words.joinedChat, { name });
    case "leave":
      return fill(words.leftChat, { name });
    case "close":
      return reason === "inactivity" ? words.closedIdle : fill(words.closedBy, { name });
    case "away":
      return fill(words.userAway, { name });
    case "back":
      return fill(words.userBack, { name });
    case "alone":
      return words.nobodyFound;
  }
}

function createChangeLine({ event, at }: ChangeEntry, text: string, language: Language): VNode {
  return html`<li key=${event} class="happened">
    ${text} <time>${formatTime(at, language)}</time>
  </li>`;
}

function Writing({ one }: { readonly one: DeskChat }): VNode {
  const view = useView();
  const { desk, words } = view;
  const now = useNow(1_000, one.writing.size > 0);
  const names = [...one.writing]
    .filter(([id, until]) => until > now && id !== desk.me?.id)
    .map(([id]) => nameOf(view, id));
  return html`<p class="writing" role="status">
    ${names.map((name) => fill(words.isWriting, { name })).join(" ")}
  </p>`;
}

/** Returns true while this page is visible and has the focus. */
function usePageFocus(): boolean {
  const [focused, setFocused] = useState(document.hasFocus());
  useEffect(() => {
    const handleChange = (): void =>
      setFocused(document.hasFocus() && document.visibilityState === "visible");
    const events = ["focus", "blur", "visibilitychange"];
    for (const name of events) addEventListener(name, handleChange, true);
    return () => {
      for (const name of events) removeEventListener(name, handleChange, true);
    };
  }, []);
  return focused;
}
