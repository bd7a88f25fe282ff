import type { VNode } from "preact";
import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Draft, LineAnswer } from "../../../../api/console.ts";
import { ask } from "../../api.ts";
import { AddText, branchOf } from "./add-text.ts";
import { changesLine, problemOfTyped, unkept, useView } from "../context.ts";
import { nameOfText, type SendingState, TextPanel } from "./text-panel.ts";

interface EditorProps {
  readonly of: LineAnswer;
  readonly draft: Draft;
  /** Called with the draft as it is after every change. */
  readonly keep: (draft: Draft) => void;
}

/** Changes a line's texts. Typed texts go into the draft, and are returned checked. */
export function Editor({ of, draft, keep }: EditorProps): VNode {
  const { words, bot, channel, session } = useView();
  const { everyText } = session;
  const own = channel === "" || !everyText ? of.key : `${of.key}.channels.${channel}`;
  const changes = draft.changes.filter((one) => changesLine(one, bot, of.locale, of.key));
  const [added, add] = useState<readonly string[]>([]);
  const ids = [
    ...new Set([own, of.key, ...[...of.places, ...changes].map((one) => one.id), ...added]),
  ];
  const [chosen, choose] = useState(own);
  const id = ids.includes(chosen) ? chosen : own;
  const field = useRef<HTMLTextAreaElement>(null);
  const { state, problem, send, forgetProblem } = useSending(of, keep);
  const put = (one: string, text: string | null): Promise<boolean> => {
    const where = one !== own ? { id: one } : everyText ? { channel } : {};
    return send({ instance: bot, ...where, text }, "PUT");
  };
  const typing = useTyping(`${bot} ${of.locale}`, own, put);
  const show = (one: string): void => {
    forgetProblem();
    choose(one);
    typing.show(one);
  };
  const textAt = (name: string): string | null | undefined =>
    typing.findUnkept(name) ?? [...changes, ...of.places].find((one) => one.id === name)?.text;
  const begin = async (first: string): Promise<void> => {
    // A single text becomes the first of several.
    const branch = branchOf(first);
    const alone = first.endsWith(".variants[0]") ? (textAt(branch) ?? null) : null;
    typing.flush();
    if (alone !== null) await put(first, alone);
    const next = alone === null ? first : `${branch}.variants[1]`;
    add([...added, first, next]);
    show(next);
    field.current?.focus();
  };
  const giveBack = (): void => {
    typing.drop(id);
    choose(of.key);
    void send({ instance: bot, text: null }, "PUT");
  };
  const remove = (): void => {
    typing.drop(id);
    void send({ instance: bot, id, text: null }, "PUT");
  };
  const takeBack = (): void => {
    typing.drop(id);
    add(added.filter((one) => one !== id));
    const instance = changes.find((one) => one.id === id)?.instance ?? bot;
    const query = new URLSearchParams({ instance, id });
    void send(undefined, "DELETE", `?${query.toString()}`);
  };
  const findings = findingsAt(of, draft);
  return html`<section class="editor">
    <${Tabs}
      ids=${ids}
      chosen=${id}
      name=${(one: string) => nameOfText(one.slice(of.key.length), words)}
      warned=${findings.flatMap((one) => one.id ?? [])}
      show=${show}
    />
    <${TextPanel}
      ...${{ of, id, own, changes, state, problem, field, giveBack, remove, takeBack }}
      typed=${typing.typed}
      findings=${findings.filter((one) => typeof one.id !== "string" || one.id === id)}
      write=${(text: string) => typing.write(id, text)}
    />
    ${
      everyText
        ? html`<${AddText}
            key=${`${branchOf(id)} ${ids.length}`}
            of=${of}
            ids=${ids}
            branch=${branchOf(id)}
            begin=${(one: string) => void begin(one)}
          />`
        : html`<p class="quiet">${words.mainText}</p>`
    }
  </section>`;
}

/**
 * Returns the findings of the check in a line, and those that keep the whole draft from being
 * published.
 */
function findingsAt(of: LineAnswer, draft: Draft): Draft["findings"] {
  return draft.findings.filter(
    ({ key, locale, severity }) =>
      (key === of.key && locale === of.locale) || (key === undefined && severity === "error"),
  );
}

/** Sends changes of a line to the draft. Returns the state of the latest, and its problem. */
function useSending(of: LineAnswer, keep: (draft: Draft) => void) {
  const { words, token, noteUnkept } = useView();
  const [state, change] = useState<SendingState>("");
  const [problem, changeProblem] = useState("");
  const latest = useRef(0);
  const route = `texts/${of.locale}/${of.key}`;
  const send = async (json: unknown, method: string, query = ""): Promise<boolean> => {
    const number = ++latest.current;
    change("keeping");
    changeProblem("");
    try {
      const next = await ask<Draft>(token, `draft/${of.locale}/${of.key}${query}`, json, method);
      noteUnkept(route, "");
      // Another change is on its way.
      if (number !== latest.current) return true;
      change(method === "PUT" ? "kept" : "");
      keep(next);
      return true;
    } catch (error) {
      if (number === latest.current) change("");
      changeProblem(problemOfTyped(error, words));
      // If the author has opened another view, it appears there.
      noteUnkept(route, problemOfTyped(error, words));
      return false;
    }
  };
  return { state, problem, send, forgetProblem: () => changeProblem("") };
}

/**
 * Holds the typed text until it is in the draft, where it goes once its author pauses.
 *
 * @param line the bot and the language
 * @param own the text that is shown first
 * @param put puts a text into the draft; returns false when it is not there
 */
function useTyping(line: string, own: string, put: (id: string, text: string) => Promise<boolean>) {
  const findUnkept = (id: string): string | null => unkept.get(`${line} ${id}`) ?? null;
  const [typed, type] = useState(findUnkept(own));
  const waiting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  /** Sends the typed text that is not sent yet. */
  const unsent = useRef<() => void>(() => undefined);
  const stop = (): void => {
    clearTimeout(waiting.current);
    unsent.current = () => undefined;
  };
  const send = async (id: string, text: string): Promise<void> => {
    const isKept = await put(id, text);
    if (isKept && findUnkept(id) === text) unkept.delete(`${line} ${id}`);
  };
  const write = (id: string, text: string): void => {
    type(text);
    stop();
    unkept.set(`${line} ${id}`, text);
    unsent.current = () => {
      stop();
      void send(id, text);
    };
    waiting.current = setTimeout(() => unsent.current(), quiet);
  };
  const drop = (id: string): void => {
    stop();
    unkept.delete(`${line} ${id}`);
    type(null);
  };
  const show = (id: string): void => {
    unsent.current();
    const text = findUnkept(id);
    type(text);
    if (text !== null) write(id, text);
  };
  useEffect(() => {
    if (typed !== null) write(own, typed);
    return () => unsent.current();
  }, []);
  return { typed, findUnkept, write, drop, show, flush: () => unsent.current() };
}

/** True if a text of the line is typed and not in the draft. */
export function hasUnkeptText(bot: string, locale: string, line: string): boolean {
  const key = `${bot} ${locale} ${line}`;
  return [...unkept.keys()].some((one) => one === key || one.startsWith(`${key}.`));
}

interface TabsProps {
  readonly ids: readonly string[];
  readonly chosen: string;
  readonly name: (id: string) => string;
  /** Texts at which the check finds something. */
  readonly warned: readonly string[];
  readonly show: (id: string) => void;
}

/** A line's texts, one shown at a time. Arrow keys go along them. */
function Tabs({ ids, chosen, name, warned, show }: TabsProps): VNode {
  const { words } = useView();
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const back = getComputedStyle(document.documentElement).direction === "rtl" ? 1 : -1;
    const step = { ArrowLeft: back, ArrowRight: -back, Home: -ids.length, End: ids.length }[
      event.key
    ];
    if (step === undefined) return;
    event.preventDefault();
    const jumps = Math.abs(step) > 1;
    const at = ids.indexOf(chosen) + step;
    const next = jumps ? Math.min(Math.max(at, 0), ids.length - 1) : (at + ids.length) % ids.length;
    show(ids[next] ?? chosen);
    const tab = list.current?.children[next];
    if (tab instanceof HTMLElement) tab.focus();
  };
  return html`<div class="tabs" role="tablist" aria-label=${words.whichText} ref=${list}>
    ${ids.map(
      (one) =>
        html`<button
          key=${one}
          type="button"
          role="tab"
          aria-selected=${one === chosen}
          aria-controls="text-panel"
          tabindex=${one === chosen ? 0 : -1}
          onClick=${() => show(one)}
          onKeyDown=${move}
        >
          ${name(one)}
          ${
            warned.includes(one) &&
            html` <span class="mark" role="img" aria-label=${words.warned}>▲</span>`
          }
        </button>`,
    )}
  </div>`;
}

/** Milliseconds of a pause after which a typed text is checked. */
const quiet = 400;
