import type { VNode } from "preact";
import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Draft, LineAnswer } from "../../../api/console.ts";
import { fill } from "../../shared/words.ts";
import { ask } from "../api.ts";
import type { Words } from "../words.ts";
import { AddText, branchOf } from "./add-text.ts";
import { changesLine, Findings, go, problemOf, unkept, useView, valueOf } from "./context.ts";

interface EditorProps {
  readonly of: LineAnswer;
  readonly draft: Draft;
  /** Called with the draft as it is after every change. */
  readonly kept: (draft: Draft) => void;
}

/** Changes a line's texts. What is typed goes into the draft, and comes back checked. */
export function Editor({ of, draft, kept }: EditorProps): VNode {
  const { words, token, bot, channel, session, notKept } = useView();
  const { everyText } = session;
  const own = channel === "" || !everyText ? of.key : `${of.key}.channels.${channel}`;
  const changes = draft.changes.filter((one) => changesLine(one, bot, of.locale, of.key));
  const [added, add] = useState<readonly string[]>([]);
  const ids = [
    ...new Set([own, of.key, ...[...of.places, ...changes].map((one) => one.id), ...added]),
  ];
  const [chosen, choose] = useState(own);
  const id = ids.includes(chosen) ? chosen : own;
  const nameOf = (one: string): string => `${bot} ${of.locale} ${one}`;
  const unkeptAt = (one: string): string | null => unkept.get(nameOf(one)) ?? null;
  const [typed, type] = useState(unkeptAt(own));
  const [state, change] = useState<"" | "keeping" | "kept">("");
  const [problem, changeProblem] = useState("");
  const waiting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  /** Sends what is typed and not sent yet. */
  const unsent = useRef<() => void>(() => undefined);
  const latest = useRef(0);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (typed !== null) write(typed);
    return () => unsent.current();
  }, []);

  const changed = changes.find((one) => one.id === id);
  const written = of.places.find((place) => place.id === id)?.text;
  const said = everyText ? of.wordings[0] : of.wordings.find(({ rule }) => rule === of.key);
  const spoken = id === own ? said?.text : undefined;
  const found = changed === undefined ? (written ?? spoken) : changed.text;
  const text = typed ?? found ?? "";
  const isGone = changed?.text === null && typed === null;
  const findings = draft.findings.filter(
    ({ key, locale, severity }) =>
      (key === of.key && locale === of.locale) || (key === undefined && severity === "error"),
  );
  /** What is found at another text is shown there. */
  const here = findings.filter((one) => typeof one.id !== "string" || one.id === id);
  const isWrong = here.some((one) => one.severity === "error" && one.id === id);

  const place = `texts/${of.locale}/${of.key}`;
  const send = async (json: unknown, method: string, query = ""): Promise<boolean> => {
    const number = ++latest.current;
    change("keeping");
    changeProblem("");
    try {
      const next = await ask<Draft>(token, `draft/${of.locale}/${of.key}${query}`, json, method);
      notKept(place, "");
      // What was typed meanwhile is on its way.
      if (number !== latest.current) return true;
      change(method === "PUT" ? "kept" : "");
      kept(next);
      return true;
    } catch (error) {
      if (number === latest.current) change("");
      changeProblem(problemOf(error, words));
      // Who has gone on reads it wherever that is.
      notKept(place, problemOf(error, words));
      return false;
    }
  };
  const put = async (one: string, text: string | null): Promise<void> => {
    const where = one !== own ? { id: one } : everyText ? { channel } : {};
    const isKept = await send({ instance: bot, ...where, text }, "PUT");
    if (isKept && unkeptAt(one) === text) unkept.delete(nameOf(one));
  };
  const forget = (): void => {
    clearTimeout(waiting.current);
    unsent.current = () => undefined;
    unkept.delete(nameOf(id));
  };
  const write = (value: string, one = id): void => {
    type(value);
    clearTimeout(waiting.current);
    unkept.set(nameOf(one), value);
    unsent.current = () => {
      clearTimeout(waiting.current);
      unsent.current = () => undefined;
      void put(one, value);
    };
    waiting.current = setTimeout(() => unsent.current(), quiet);
  };
  const show = (one: string): void => {
    unsent.current();
    changeProblem("");
    choose(one);
    const text = unkeptAt(one);
    type(text);
    if (text !== null) write(text, one);
  };
  /** Where the caret is; behind the text where nobody has put it. */
  const insert = (name: string): void => {
    const at = field.current?.selectionStart ?? text.length;
    const end = field.current?.selectionEnd ?? text.length;
    const placed = `{{${name}}}`;
    write(text.slice(0, at) + placed + text.slice(end));
    field.current?.focus();
  };
  const giveBack = (): void => {
    forget();
    type(null);
    choose(of.key);
    void send({ instance: bot, text: null }, "PUT");
  };
  const remove = (): void => {
    forget();
    type(null);
    void send({ instance: bot, id, text: null }, "PUT");
  };
  const takeBack = (): void => {
    forget();
    type(null);
    add(added.filter((one) => one !== id));
    const query = new URLSearchParams({ instance: changed?.instance ?? bot, id });
    void send(undefined, "DELETE", `?${query.toString()}`);
  };
  const textAt = (name: string): string | null =>
    (changes.find((one) => one.id === name) ?? of.places.find((one) => one.id === name))?.text ??
    null;
  const begin = async (first: string): Promise<void> => {
    // What was said alone becomes the first of several.
    const branch = branchOf(first);
    const alone = first.endsWith(".variants[0]") ? (unkeptAt(branch) ?? textAt(branch)) : null;
    unsent.current();
    if (alone !== null) await put(first, alone);
    const next = alone === null ? first : `${branch}.variants[1]`;
    add([...added, first, next]);
    show(next);
    field.current?.focus();
  };

  return html`<section class="editor">
    <${Tabs}
      ids=${ids}
      chosen=${id}
      name=${(one: string) => nameOfText(one.slice(of.key.length), words)}
      warned=${findings.flatMap((one) => one.id ?? [])}
      show=${show}
    />
    <div role="tabpanel" id="text-panel" aria-label=${nameOfText(id.slice(of.key.length), words)}>
      <label>
        <span>${words.yourText}</span>
        <textarea
          lang=${of.locale}
          dir="auto"
          rows="4"
          ref=${field}
          value=${text}
          aria-describedby="editor-state editor-findings"
          aria-invalid=${isWrong}
          onInput=${(event: Event) => write(valueOf(event))}
        ></textarea>
      </label>
      ${isGone && html`<p class="quiet">${words.textGoes}</p>`}
      ${problem !== "" && html`<p class="problem" role="alert">${problem}</p>`}
      <div id="editor-findings" role="status">
        ${here.length > 0 && html`<${Findings} of=${here} />`}
      </div>
      <div class="tabs" role="group" aria-label=${words.placeholders}>
        ${of.placeholders.map(
          (name) =>
            html`<button type="button" class="chip" dir="ltr" onClick=${() => insert(name)}>
              ${`{{${name}}}`}
            </button>`,
        )}
      </div>
      <div class="tools">
        <p id="editor-state" class="quiet" role="status">${state === "" ? "" : words[state]}</p>
        ${
          id !== of.key &&
          written !== undefined &&
          !isGone &&
          html`<button type="button" onClick=${remove}>${words.removeText}</button>`
        }
        ${
          of.places.length > 0 &&
          !changes.some((one) => one.id === of.key && one.text === null) &&
          html`<button type="button" onClick=${giveBack}>${words.giveBack}</button>`
        }
        ${
          changed !== undefined &&
          html`<button type="button" onClick=${takeBack}>${words.takeBack}</button>`
        }
        ${
          changes.length > 0 &&
          html`<button type="button" class="primary" onClick=${() => go("changes")}>
            ${words.seeChanges}
          </button>`
        }
      </div>
    </div>
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

/** What a text is for: `.channels.voice.plural.few` is "voice · Plural form few". */
function nameOfText(place: string, words: Words): string {
  const branch = branchOf(place);
  const [, channel] = /^\.channels(?:\.|\["?)(.+?)(?:"?\])?$/s.exec(branch) ?? [];
  const [, readers = ""] = /^\.when\[(.+)\](?:#\d+)?$/s.exec(branch) ?? [];
  const [, index, form] =
    /^\.(?:variants\[(\d+)\]|plural\.(\w+))$/.exec(place.slice(branch.length)) ?? [];
  const parts = [
    channel ?? (readers === "" ? "" : fill(words.onlyFor, { readers })),
    index === undefined ? "" : fill(words.variant, { number: Number(index) + 1 }),
    form === undefined ? "" : fill(words.pluralForm, { form }),
  ].filter((part) => part !== "");
  return parts.length === 0 ? words.lineItself : parts.join(" · ");
}

/** In milliseconds: who pauses for so long wants to see what comes of it. */
const quiet = 400;
