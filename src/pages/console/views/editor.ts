import type { VNode } from "preact";
import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Draft, LineAnswer } from "../../../api/console.ts";
import { ask } from "../api.ts";
import { changesLine, Findings, go, problemOf, useView, valueOf } from "./context.ts";

interface EditorProps {
  readonly of: LineAnswer;
  readonly draft: Draft;
  /** Called with the draft as it is after every change. */
  readonly kept: (draft: Draft) => void;
}

/** Changes a line's texts. What is typed goes into the draft, and comes back checked. */
export function Editor({ of, draft, kept }: EditorProps): VNode {
  const { words, token, bot, channel } = useView();
  const own = channel === "" ? of.key : `${of.key}.channels.${channel}`;
  const ids = [...new Set([own, of.key, ...of.places.map((place) => place.id)])];
  const [id, choose] = useState(own);
  const [typed, type] = useState<string | null>(null);
  const [state, change] = useState<"" | "keeping" | "kept">("");
  const [problem, changeProblem] = useState("");
  const waiting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const latest = useRef(0);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => () => clearTimeout(waiting.current), []);

  const changed = draft.changes.find(
    (one) => one.id === id && changesLine(one, bot, of.locale, of.key),
  );
  const written = of.places.find((place) => place.id === id)?.text;
  const spoken = id === own ? of.wordings[0]?.text : undefined;
  const found = changed === undefined ? (written ?? spoken) : changed.text;
  const text = typed ?? found ?? "";
  const findings = draft.findings.filter(
    ({ key, locale, severity }) =>
      (key === of.key && locale === of.locale) || (key === undefined && severity === "error"),
  );

  const send = async (json: unknown, method: string, query = ""): Promise<void> => {
    const number = ++latest.current;
    change("keeping");
    changeProblem("");
    try {
      const next = await ask<Draft>(token, `draft/${of.locale}/${of.key}${query}`, json, method);
      // What was typed meanwhile is on its way.
      if (number !== latest.current) return;
      change(method === "PUT" ? "kept" : "");
      kept(next);
    } catch (error) {
      if (number !== latest.current) return;
      change("");
      changeProblem(problemOf(error, words));
    }
  };
  const write = (value: string): void => {
    type(value);
    clearTimeout(waiting.current);
    const place = id === own ? { channel } : { id };
    const put = (): void => void send({ instance: bot, ...place, text: value }, "PUT");
    waiting.current = setTimeout(put, quiet);
  };
  const show = (one: string): void => {
    type(null);
    choose(one);
  };
  /** Where the caret is; behind the text where nobody has put it. */
  const insert = (name: string): void => {
    const at = field.current?.selectionStart ?? text.length;
    const end = field.current?.selectionEnd ?? text.length;
    const put = `{{${name}}}`;
    write(text.slice(0, at) + put + text.slice(end));
    field.current?.focus();
  };
  const giveBack = (): void => {
    clearTimeout(waiting.current);
    type("");
    choose(of.key);
    void send({ instance: bot, text: null }, "PUT");
  };
  const takeBack = (): void => {
    clearTimeout(waiting.current);
    type(null);
    const query = new URLSearchParams({ instance: changed?.instance ?? bot, id });
    void send(undefined, "DELETE", `?${query.toString()}`);
  };

  return html`<section class="editor">
    ${
      ids.length > 1 &&
      html`<div class="tabs" role="group" aria-label=${words.whichText}>
        ${ids.map(
          (one) =>
            html`<button type="button" aria-pressed=${one === id} onClick=${() => show(one)}>
              ${one.slice(of.key.length + 1) || words.lineItself}
            </button>`,
        )}
      </div>`
    }
    <label>
      <span>${words.yourText}</span>
      <textarea
        lang=${of.locale}
        dir="auto"
        rows="4"
        ref=${field}
        value=${text}
        aria-describedby="editor-state"
        onInput=${(event: Event) => write(valueOf(event))}
      ></textarea>
    </label>
    <div class="tabs" role="group" aria-label=${words.placeholders}>
      ${of.placeholders.map(
        (name) =>
          html`<button type="button" class="chip" dir="ltr" onClick=${() => insert(name)}>
            ${`{{${name}}}`}
          </button>`,
      )}
    </div>
    ${problem !== "" && html`<p class="problem" role="alert">${problem}</p>`}
    ${findings.length > 0 && html`<div role="status"><${Findings} of=${findings} /></div>`}
    <div class="tools">
      <p id="editor-state" class="quiet" role="status">${state === "" ? "" : words[state]}</p>
      ${
        of.places.length > 0 &&
        changed?.text !== null &&
        html`<button type="button" onClick=${giveBack}>${words.giveBack}</button>`
      }
      ${
        changed !== undefined &&
        html`<button type="button" onClick=${takeBack}>${words.takeBack}</button>
          <button type="button" class="primary" onClick=${() => go("changes")}>
            ${words.seeChanges}
          </button>`
      }
    </div>
  </section>`;
}

/** In milliseconds: who pauses for so long wants to see what comes of it. */
const quiet = 400;
