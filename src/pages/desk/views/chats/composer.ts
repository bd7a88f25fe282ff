import type { RefObject, VNode } from "preact";
import { html } from "htm/preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ChatCannedAnswer } from "../../../../api/chat/answers.ts";
import { LARGEST_MEGABYTES, LONGEST_TEXT, namesOf } from "../../outbox.ts";
import type { DeskChat } from "../../state/state.ts";
import { nameOf, useView } from "../context.ts";
import { FileButton } from "../file.ts";
import { fill, nameLanguage } from "../../../shared/words.ts";

/** The field where the agent writes, and drops files. A draft belongs to its chat. */
export function Composer({ one }: { readonly one: DeskChat }): VNode {
  const view = useView();
  const { desk, acts } = view;
  const { id } = one.chat;
  const draft = desk.drafts.get(id) ?? "";
  const field = useRef<HTMLTextAreaElement>(null);
  // Before painting, because later it would take the focus from where a quick agent has moved it.
  useLayoutEffect(() => field.current?.focus(), []);
  // The value is not drawn each time, because a late drawing would undo a letter typed meanwhile.
  useLayoutEffect(() => {
    if (field.current !== null && field.current.value !== draft) field.current.value = draft;
  }, [draft]);
  const send = (): void => {
    // The field's own text counts, because Enter may come before the last letter was drawn.
    const { current } = field;
    if (current === null) return;
    if (acts.outbox.text(id, current.value)) current.value = "";
    current.focus();
  };
  const canned = useCanned({
    field,
    lang: one.chat.lang,
    user: nameOf(view, one.chat.creator),
    typed: (text) => acts.outbox.typed(id, text),
  });
  const files = (list: Iterable<File> | undefined): void => {
    for (const file of list ?? []) acts.outbox.file(id, file);
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    send();
  };
  const handleDrop = (event: DragEvent): void => {
    if ((event.dataTransfer?.files.length ?? 0) === 0) return;
    event.preventDefault();
    files(event.dataTransfer?.files);
  };
  return html`<form
    class="composer"
    onSubmit=${submit}
    onDragOver=${(event: DragEvent) => event.preventDefault()}
    onDrop=${handleDrop}
  >
    <${Field} ...${{ id, draft, field, canned, files, send }} />
    <${Buttons} ...${{ draft, field, canned, files }} />
  </form>`;
}

/** The canned answers that are offered at the cursor. */
export interface Canned {
  /** The chat's language. */
  readonly lang: string;
  readonly offered: readonly Offered[];
  readonly chosen: number;
  /** Reads the text before the cursor. */
  readonly search: () => void;
  readonly put: (text: string) => void;
  readonly end: () => void;
  /** Handles a key while answers are offered; false if the key keeps its usual effect. */
  readonly choose: (key: string) => boolean;
}

/** The position at which canned answers are inserted. */
export interface CannedPlace {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  /** Language of the person who reads the answer: a tag, or empty. */
  readonly lang: string;
  /** Name of the person who reads it. */
  readonly user: string;
  /** Called with the field's text after an answer was inserted. */
  readonly typed: (text: string) => void;
}

export function useCanned({ field, lang, user, typed }: CannedPlace): Canned {
  const view = useView();
  const { desk, language } = view;
  const [asked, ask] = useState<string | null>(null);
  const [chosen, setChosen] = useState(0);
  const offered = asked === null ? [] : cannedFor(desk.cannedAnswers, asked, lang, language);
  const search = (): void => {
    ask(askedIn(field.current));
    setChosen(0);
  };
  const put = (text: string): void => {
    const { current } = field;
    if (current === null) return;
    const end = current.selectionEnd;
    const start = end - (asked === null ? 0 : asked.length + 1);
    const me = desk.me?.id ?? "";
    const names = { user, agent: nameOf(view, me) };
    current.setRangeText(fill(text, names), start, end, "end");
    typed(current.value);
    current.focus();
    search();
  };
  const choose = (key: string): boolean => {
    const steps = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (steps !== undefined) setChosen((chosen + steps + offered.length) % offered.length);
    else if (key === "Escape") ask(null);
    else if (key === "Enter" || key === "Tab") put(offered[chosen]?.text ?? "");
    else return false;
    return true;
  };
  return { lang, offered, chosen, search, put, end: () => ask(null), choose };
}

interface FieldProps {
  /** Id of the chat. */
  readonly id: string;
  readonly draft: string;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly canned: Canned;
  readonly files: (list: Iterable<File> | undefined) => void;
  readonly send: () => void;
}

function Field({ id, draft, field, canned, files, send }: FieldProps): VNode {
  const { acts, words } = useView();
  const { offered, chosen, search } = canned;
  const tooLong = draft.length > LONGEST_TEXT;
  const handleInput = ({ target }: Event): void => {
    if (target instanceof HTMLTextAreaElement) acts.outbox.typed(id, target.value);
    search();
  };
  const handleKey = (event: KeyboardEvent): void => {
    if (offered.length > 0 && !event.isComposing && canned.choose(event.key)) {
      event.preventDefault();
      return;
    }
    // Enter also ends what an input method is composing.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    send();
  };
  const handlePaste = (event: ClipboardEvent): void => {
    if ((event.clipboardData?.files.length ?? 0) === 0) return;
    event.preventDefault();
    files(event.clipboardData?.files);
  };
  const help = tooLong
    ? fill(words.tooLong, { count: draft.length, most: LONGEST_TEXT })
    : words.sendHelp;
  return html`<label class="unseen" for="message">${words.yourMessage}</label>
    ${offered.length > 0 && html`<${CannedList} canned=${canned} />`}
    <textarea
      id="message"
      ref=${field}
      rows="2"
      dir="auto"
      placeholder=${words.yourMessage}
      aria-describedby="message-help"
      aria-invalid=${tooLong}
      aria-autocomplete="list"
      aria-controls=${offered.length > 0 ? "canned" : undefined}
      aria-activedescendant=${offered.length > 0 ? `canned-${chosen}` : undefined}
      onInput=${handleInput}
      onKeyDown=${handleKey}
      onPaste=${handlePaste}
      onBlur=${canned.end}
    ></textarea>
    <p
      id="message-help"
      class=${tooLong ? "problem" : "unseen"}
      role=${tooLong ? "alert" : undefined}
    >
      ${help}
    </p>`;
}

export function CannedList({ canned }: { readonly canned: Canned }): VNode {
  const { words, language } = useView();
  const { lang, offered, chosen, put } = canned;
  return html`<ul id="canned" class="canned" role="listbox" aria-label=${words.cannedAnswers}>
    ${offered.map(
      ({ name, text, language: spoken }, index) =>
        html`<li
          key=${name}
          id=${`canned-${index}`}
          role="option"
          aria-selected=${index === chosen}
          ref=${index === chosen ? scrollIntoView : undefined}
          onPointerDown=${(event: Event) => event.preventDefault()}
          onClick=${() => put(text)}
        >
          <strong dir="auto">/${name}</strong>
          ${spoken !== lang && html` <small class="quiet">${nameLanguage(spoken, language)}</small>`}
          <span class="preview quiet" dir="auto" lang=${spoken}>${text.slice(0, 120)}</span>
        </li>`,
    )}
  </ul>`;
}

function Buttons({ draft, field, canned, files }: Omit<FieldProps, "id" | "send">): VNode {
  const { desk, words } = useView();
  const pick = (list: readonly File[]): void => {
    files(list);
    field.current?.focus();
  };
  const { fileTypes } = desk;
  const allowed =
    fileTypes === null || fileTypes.length === 0
      ? ""
      : fill(words.filesAllowed, { types: namesOf(fileTypes), size: LARGEST_MEGABYTES });
  const isUnsendable = draft.trim() === "" || draft.length > LONGEST_TEXT;
  return html`<div class="buttons">
    <${FileButton}
      id="file"
      describedBy=${allowed === "" ? undefined : "file-help"}
      ...${{ fileTypes, pick }}
    />
    <${CannedButton} ...${{ canned, field }} />
    ${
      allowed !== "" &&
      html`<small id="file-help" class="file-help quiet" title=${allowed}>${allowed}</small>`
    }
    <button class="primary" disabled=${isUnsendable}>${words.send}</button>
  </div>`;
}

/** Offers the canned answers, where there are any. */
export function CannedButton({
  canned,
  field,
}: Pick<FieldProps, "canned" | "field">): VNode | false {
  const { desk, words } = useView();
  return (
    desk.cannedAnswers.length > 0 &&
    html`<button
      type="button"
      title=${words.cannedHelp}
      onClick=${() => canned.put(slashFor(field.current))}
    >
      <span class="in-small-pane" aria-hidden="true">/</span>
      <span class="in-wide-pane">${words.cannedAnswers}</span>
    </button>`
  );
}

/** Finds the text after the last slash before the cursor, if no word follows; else null. */
function askedIn(field: HTMLTextAreaElement | null): string | null {
  const before = field?.value.slice(0, field.selectionEnd) ?? "";
  return /(?:^|\s)\/([^\s/]*)$/.exec(before)?.[1] ?? null;
}

/** Finds the characters that are missing at the cursor for the list of canned answers to open. */
function slashFor(field: HTMLTextAreaElement | null): string {
  if (askedIn(field) !== null) return "";
  return /\S$/.test(field?.value.slice(0, field.selectionEnd) ?? "") ? " /" : "/";
}

function scrollIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}

/** A canned answer in one language. */
interface Offered {
  readonly name: string;
  readonly language: string;
  readonly text: string;
}

/** Lists the answers whose names contain the typed text, those in the chat's language first. */
function cannedFor(
  answers: readonly ChatCannedAnswer[],
  typed: string,
  ...languages: readonly string[]
): readonly Offered[] {
  const prefix = typed.toLowerCase();
  const found = answers.flatMap(({ name, texts }) => {
    const spoken = languages
      .flatMap((tag) => [tag, tag.split(/[-_]/)[0] ?? ""])
      .concat(Object.keys(texts))
      .find((tag) => Object.hasOwn(texts, tag));
    const text = texts[spoken ?? ""];
    const fits = name.toLowerCase().includes(prefix);
    return fits && spoken !== undefined && text !== undefined
      ? [{ name, language: spoken, text }]
      : [];
  });
  const rankLate = ({ name }: Offered): number => Number(!name.toLowerCase().startsWith(prefix));
  return found.toSorted((a, b) => rankLate(a) - rankLate(b)).slice(0, maxOffered);
}

const maxOffered = 50;
