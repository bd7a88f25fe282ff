import type { VNode } from "preact";
import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type {
  ContentDetails,
  ContentFields,
  ContentNames,
} from "../../../../api/console-contents.ts";
import type { Draft } from "../../../../api/console.ts";
import { FailedCall } from "../../../shared/failed-call.ts";
import { fill } from "../../../shared/words.ts";
import { ask } from "../../api.ts";
import { writeContent } from "../changes/content-pairs.ts";
import { problemOf, unkept, useView } from "../context.ts";
import { Rendered } from "../texts/rendered.ts";

export interface Saving {
  /** Null if a new one whose first letter is not in the draft yet. */
  readonly id: number | null;
  readonly fields: ContentFields;
  readonly change: (fields: Partial<ContentFields>) => void;
  /** Sends the typed text at once. */
  readonly save: () => Promise<void>;
  readonly state: "" | "keeping" | "kept";
  readonly problem: string;
  /** The content if somebody else has changed the same fields, or null. */
  readonly theirs: ContentFields | null;
  /** Continues with the other owner's fields, which are read again, or with those typed here. */
  readonly choose: (isTheirs: boolean) => void;
  /** The draft as it was last returned; null if nothing was sent. */
  readonly draft: Draft | null;
}

/**
 * Puts a content into the draft while somebody types, field by field.
 * @param begun the title of a new one, which is sent with its first change
 * @param again reads the content again
 */
export function useSaving(
  locale: string,
  of: ContentDetails | null,
  begun: string,
  again: () => void,
): Saving {
  const { token, words, noteDraft, noteUnkept } = useView();
  const route = useRef(`contents/${locale}/${of?.id ?? `new/${encodeURIComponent(begun)}`}`);
  const read = of?.fields ?? { ...EMPTY, title: begun };
  const left = useRef(findUnkept(route.current)).current;
  const [fields, setFields] = useState({ ...read, ...left.waiting });
  const [state, setState] = useState<Saving["state"]>("");
  const [problem, setProblem] = useState("");
  const [theirs, setTheirs] = useState<ContentFields | null>(null);
  const [draft, setDraft] = useState<Draft | null>(null);
  const [id, setId] = useState(of?.id ?? null);
  /** The fields that are not sent yet, and those that were read, so that others' changes stay. */
  const work = useRef(beginWork(id, read, left));
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const sendNow = async (): Promise<void> => {
    const { current } = work;
    const { waiting, seen } = current;
    const names = Object.keys(waiting);
    if (names.length === 0 || (current.id === null && waiting.title?.trim() === "")) return;
    current.waiting = {};
    const known = pickFields(seen, names);
    setState("keeping");
    try {
      const path = `draft/contents/${locale}`;
      const answer = await (current.id === null
        ? ask<Answer>(token, path, { fields: { title: seen.title, ...waiting } })
        : ask<Answer>(token, `${path}/${current.id}`, { fields: waiting, seen: known }, "PUT"));
      const address = `contents/${locale}/${answer.id}`;
      // The address leads to the content from now on, while the page stays as it is.
      if (current.id === null) history.replaceState(null, "", `#/${address}`);
      current.id = answer.id;
      current.seen = { ...current.seen, ...waiting };
      setId(answer.id);
      setDraft(answer.draft);
      noteDraft(answer.draft);
      setProblem("");
      setState("kept");
      noteUnkept(route.current, "");
      unkept.delete(route.current);
      route.current = address;
      if (Object.keys(current.waiting).length > 0) unkept.set(route.current, "");
    } catch (error) {
      current.waiting = { ...waiting, ...current.waiting };
      setState("");
      const found = error instanceof FailedCall ? error.theirs : null;
      setTheirs(found);
      setProblem(found === null ? problemOf(error, words) : "");
      unkept.set(route.current, writeUnkept(current));
      noteUnkept(route.current, problemOf(error, words));
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
    if (theirs !== null) work.current.seen = theirs;
    setTheirs(null);
    if (!isTheirs) return void save();
    work.current.waiting = {};
    unkept.delete(route.current);
    noteUnkept(route.current, "");
    again();
  };
  useLateSending(save);
  return { id, fields, change, save, state, problem, theirs, choose, draft };
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
  return { id, waiting, seen: { ...read, ...seen }, order: Promise.resolve() };
}

/** Fields that an owner typed before opening another view, and that are not in the draft. */
interface Unkept {
  readonly waiting: Partial<ContentFields>;
  /** These fields as they were read, so that another owner's change to them is noticed. */
  readonly seen: Partial<ContentFields>;
}

function writeUnkept({ waiting, seen }: Work): string {
  const left: Unkept = { waiting, seen: pickFields(seen, Object.keys(waiting)) };
  return JSON.stringify(left);
}

function findUnkept(route: string): Unkept {
  return JSON.parse(unkept.get(route) || '{"waiting":{},"seen":{}}');
}

interface TheirsProps {
  readonly of: ContentFields;
  readonly names: ContentNames;
  readonly locale: string;
  readonly choose: Saving["choose"];
}

/** Shows what somebody else has written into the same fields, and asks which version to keep. */
export function Theirs({ of, names, locale, choose }: TheirsProps): VNode {
  const { words } = useView();
  return html`<section class="theirs" role="alert">
    <p class="problem">${fill(words.chooseTexts, { file: of.title })}</p>
    <${Rendered} text=${writeContent(of, words, names)} locale=${locale} />
    <p class="tools">
      <button type="button" onClick=${() => choose(true)}>${words.theirs}</button>
      <button type="button" onClick=${() => choose(false)}>${words.yours}</button>
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
