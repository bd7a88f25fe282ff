import type { VNode } from "preact";
import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type {
  ContentDetails,
  ContentFields,
  ContentNames,
} from "../../../../api/console-contents.ts";
import type { Draft } from "../../../../api/console.ts";
import { FailedCall, isRefusedBy } from "../../../shared/failed-call.ts";
import { fill } from "../../../shared/words.ts";
import { ask } from "../../api.ts";
import { writeContent } from "../changes/content-pairs.ts";
import { go, problemOfTyped, unkept, useView } from "../context.ts";
import { Rendered } from "../texts/rendered.ts";

export interface Saving {
  /** Null if a new one whose first letter is not in the draft yet. */
  readonly id: number | null;
  readonly fields: ContentFields;
  readonly change: (fields: Partial<ContentFields>) => void;
  /** Sends the typed text at once. */
  readonly save: () => Promise<void>;
  readonly state: "" | "keeping" | "kept";
  /** True while something is typed that is not in the draft. */
  readonly isUnkept: boolean;
  readonly problem: string;
  /** The content if somebody else has changed the same fields or deleted it, or null. */
  readonly theirs: ContentFields | "deleted" | null;
  /** Continues with the other owner's change, or with what was typed here. */
  readonly choose: (isTheirs: boolean) => void;
  /** The draft as it was last returned; null if nothing was sent. */
  readonly draft: Draft | null;
}

/**
 * Puts a content into the draft while somebody types, field by field.
 * @param known null if the content is new
 * @param of null if it is new, or was deleted after something had been typed
 * @param begun the title of a new one, which is sent with its first change
 * @param again reads the content again
 */
export function useSaving(
  locale: string,
  known: number | null,
  of: ContentDetails | null,
  begun: string,
  again: () => void,
): Saving {
  const { token, words, noteDraft, noteUnkept } = useView();
  const route = useRef(routeOf(locale, known ?? `new/${encodeURIComponent(begun)}`));
  const left = useRef(findUnkept(route.current)).current;
  const read = of?.fields ?? { ...EMPTY, title: begun, ...left.seen };
  const [fields, setFields] = useState({ ...read, ...left.waiting });
  const [outcome, setOutcome] = useState<Outcome>(noOutcome);
  const [draft, setDraft] = useState<Draft | null>(null);
  const [id, setId] = useState(known);
  /** The fields that are not sent yet, and those that were read, so that others' changes stay. */
  const work = useRef(beginWork(id, read, left));
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const sendNow = async (): Promise<void> => {
    const { current } = work;
    const { waiting } = current;
    const isEmpty = Object.keys(waiting).length === 0;
    if (isEmpty || (current.id === null && waiting.title?.trim() === "")) return;
    current.waiting = {};
    setOutcome((before) => ({ ...before, state: "keeping" }));
    try {
      const answer = await putFields(token, locale, current, waiting);
      const address = routeOf(locale, answer.id);
      // The address leads to the content from now on, while the page stays as it is.
      if (current.id !== answer.id) history.replaceState(null, "", `#/${address}`);
      current.id = answer.id;
      current.isPutBack = false;
      current.seen = { ...current.seen, ...waiting };
      setId(answer.id);
      setDraft(answer.draft);
      noteDraft(answer.draft);
      setOutcome({ ...noOutcome, state: "kept" });
      noteUnkept(route.current, "");
      unkept.delete(route.current);
      route.current = address;
      if (Object.keys(current.waiting).length > 0) unkept.set(route.current, "");
    } catch (error) {
      current.waiting = { ...waiting, ...current.waiting };
      const theirs = findTheirs(error);
      const why = problemOfTyped(error, words);
      setOutcome({ state: "", theirs, problem: theirs === null ? why : "" });
      unkept.set(route.current, writeUnkept(current));
      noteUnkept(route.current, why);
    }
  };
  const save = (): Promise<void> => {
    clearTimeout(timer.current);
    work.current.order = work.current.order.then(sendNow);
    return work.current.order;
  };
  const change = (changed: Partial<ContentFields>): void => {
    setFields((before) => ({ ...before, ...changed }));
    work.current.waiting = { ...work.current.waiting, ...changed };
    unkept.set(route.current, "");
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void save(), pause);
  };
  const choose = (isTheirs: boolean): void => {
    const { current } = work;
    const { theirs } = outcome;
    setOutcome({ ...outcome, theirs: null });
    if (!isTheirs) {
      Object.assign(current, takeYours(current, theirs));
      return void save();
    }
    current.waiting = {};
    unkept.delete(route.current);
    noteUnkept(route.current, "");
    if (theirs === "deleted") go("contents");
    else again();
  };
  useLateSending(save);
  const isUnkept = unkept.has(route.current);
  return { id, fields, change, save, choose, draft, isUnkept, ...outcome };
}

type Outcome = Pick<Saving, "state" | "problem" | "theirs">;

const noOutcome: Outcome = { state: "", problem: "", theirs: null };

/** Takes the typed fields although somebody has changed them, or deleted the content. */
function takeYours({ seen, waiting }: Work, theirs: Saving["theirs"]): Partial<Work> {
  if (theirs !== "deleted") return { seen: theirs ?? seen };
  return { isPutBack: true, waiting: { ...seen, ...waiting } };
}

/** The content as somebody else has changed it, if a change was refused for that. */
function findTheirs(error: unknown): Saving["theirs"] {
  if (isRefusedBy("content-deleted", error)) return "deleted";
  return error instanceof FailedCall ? error.theirs : null;
}

function routeOf(locale: string, id: number | string): string {
  return `contents/${locale}/${id}`;
}

/** Puts the fields into the draft, all of them if the content is new or was deleted. */
async function putFields(
  token: string,
  locale: string,
  { id, seen, isPutBack }: Work,
  waiting: Partial<ContentFields>,
): Promise<Answer> {
  const path = `draft/contents/${locale}`;
  const fields = { title: seen.title, ...waiting };
  if (id === null) return ask<Answer>(token, path, { fields });
  const known = isPutBack ? {} : { seen: pickFields(seen, Object.keys(waiting)) };
  try {
    return await ask<Answer>(token, `${path}/${id}`, { fields: waiting, ...known }, "PUT");
  } catch (error) {
    // The id may be unknown because the file was edited by hand; a new content then gets it.
    if (!isPutBack || !isRefusedBy("no-content", error)) throw error;
    return ask<Answer>(token, path, { fields });
  }
}

/** True if fields of this content are typed and not in the draft. */
export function hasUnkept(locale: string, id: string): boolean {
  return Object.keys(findUnkept(routeOf(locale, id)).waiting).length > 0;
}

/**
 * Sends what an earlier view could not, what is typed when another view is opened, and what waits
 * when the browser is online again.
 */
function useLateSending(save: () => Promise<void>): void {
  useEffect(() => {
    const send = (): void => void save();
    send();
    addEventListener("online", send);
    return () => {
      removeEventListener("online", send);
      send();
    };
  }, []);
}

function pickFields(fields: ContentFields, names: readonly string[]): Partial<ContentFields> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}

function beginWork(id: number | null, read: ContentFields, { waiting, seen }: Unkept): Work {
  const unsent = pickFields({ ...read, ...seen }, Object.keys(waiting));
  const work = { id, waiting, seen: { ...read, ...unsent }, order: Promise.resolve() };
  return { ...work, isPutBack: false };
}

/** Fields that an owner typed before opening another view, and that are not in the draft. */
interface Unkept {
  readonly waiting: Partial<ContentFields>;
  /** All fields as they were read, so that another owner's change is noticed; none if unknown. */
  readonly seen: Partial<ContentFields>;
}

function writeUnkept({ waiting, seen }: Work): string {
  const left: Unkept = { waiting, seen };
  return JSON.stringify(left);
}

function findUnkept(route: string): Unkept {
  return JSON.parse(unkept.get(route) || '{"waiting":{},"seen":{}}');
}

interface TheirsProps {
  readonly of: NonNullable<Saving["theirs"]>;
  readonly names: ContentNames;
  readonly locale: string;
  readonly choose: Saving["choose"];
}

/** Shows what somebody else has changed, and asks which version to keep. */
export function Theirs({ of, names, locale, choose }: TheirsProps): VNode {
  const { words } = useView();
  const isDeleted = of === "deleted";
  return html`<section class="theirs" role="alert">
    <p class="problem">
      ${isDeleted ? words.contentDeleted : fill(words.chooseTexts, { file: of.title })}
    </p>
    ${!isDeleted && html`<${Rendered} text=${writeContent(of, words, names)} locale=${locale} />`}
    <p class="tools">
      <button type="button" onClick=${() => choose(true)}>
        ${isDeleted ? words.removeContent : words.theirs}
      </button>
      <button type="button" onClick=${() => choose(false)}>
        ${isDeleted ? words.restoreNow : words.yours}
      </button>
    </p>
  </section>`;
}

/** Counts the changes of a value. */
export function useVersion(value: unknown): number {
  const last = useRef({ value, version: 0 });
  if (last.current.value !== value) {
    last.current = { value, version: last.current.version + 1 };
  }
  return last.current.version;
}

interface Work {
  id: number | null;
  waiting: Partial<ContentFields>;
  seen: ContentFields;
  /** True while a deleted content is put back. */
  isPutBack: boolean;
  order: Promise<void>;
}

interface Answer {
  readonly id: number;
  readonly draft: Draft;
}

/** Milliseconds without a letter. */
const pause = 500;

const EMPTY: ContentFields = {
  title: "",
  alternatives: [],
  answer: [],
  categories: [],
  related: [],
  published: true,
  hidden: false,
  publishFrom: null,
  expires: null,
};
