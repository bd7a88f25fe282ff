import type { RefObject, VNode } from "preact";
import { html } from "htm/preact";
import type { Draft, LineAnswer } from "../../../../api/console.ts";
import { valueOf } from "../../../shared/fields.ts";
import { fill } from "../../../shared/words.ts";
import type { Words } from "../../words.ts";
import { branchOf } from "./add-text.ts";
import { Findings, go, useView } from "../context.ts";

/** The latest change is being sent to the draft, or has arrived there. */
export type SendingState = "" | "keeping" | "kept";

interface TextPanelProps {
  readonly of: LineAnswer;
  readonly id: string;
  readonly own: string;
  /** This line's. */
  readonly changes: Draft["changes"];
  /** Null if every text is in the draft. */
  readonly typed: string | null;
  readonly state: SendingState;
  readonly problem: string;
  /** Findings at this text, or at no single text. */
  readonly findings: Draft["findings"];
  readonly field: RefObject<HTMLTextAreaElement>;
  readonly write: (text: string) => void;
  readonly giveBack: () => void;
  readonly remove: () => void;
  readonly takeBack: () => void;
}

/** One text of the line: its field, its findings and its actions. */
export function TextPanel(props: TextPanelProps): VNode {
  const { of, id, own, changes, typed, state, problem, findings, field, write } = props;
  const { words, session } = useView();
  const changed = changes.find((one) => one.id === id);
  const written = of.places.find((one) => one.id === id)?.text;
  const text = typed ?? (changed === undefined ? (written ?? findSpoken()) : changed.text) ?? "";
  const isGone = changed?.text === null && typed === null;
  const isWrong = findings.some((one) => one.severity === "error" && one.id === id);

  return html`<div
    role="tabpanel"
    id="text-panel"
    aria-label=${nameOfText(id.slice(of.key.length), words)}
  >
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
    <p id="editor-state" class="quiet" role="status">${state === "" ? "" : words[state]}</p>
    ${isGone && html`<p class="quiet">${words.textGoes}</p>`}
    ${problem !== "" && html`<p class="problem" role="alert">${problem}</p>`}
    <div id="editor-findings" role="status">
      ${findings.length > 0 && html`<${Findings} of=${findings} />`}
    </div>
    <${Placeholders} names=${of.placeholders} text=${text} field=${field} write=${write} />
    <div class="tools">
      ${
        id !== of.key &&
        written !== undefined &&
        !isGone &&
        html`<button type="button" onClick=${props.remove}>${words.removeText}</button>`
      }
      ${
        of.places.length > 0 &&
        !changes.some((one) => one.id === of.key && one.text === null) &&
        html`<button type="button" onClick=${props.giveBack}>${words.giveBack}</button>`
      }
      ${
        changed !== undefined &&
        html`<button type="button" onClick=${props.takeBack}>${words.takeBack}</button>`
      }
      ${
        changes.length > 0 &&
        html`<button type="button" class="primary" onClick=${() => go("changes")}>
          ${words.seeChanges}
        </button>`
      }
    </div>
  </div>`;

  /** Finds the text that readers get now, if nothing is written here. */
  function findSpoken(): string | undefined {
    if (id !== own) return undefined;
    const { everyText } = session;
    return (everyText ? of.wordings[0] : of.wordings.find(({ rule }) => rule === of.key))?.text;
  }
}

interface PlaceholdersProps {
  readonly names: readonly string[];
  readonly text: string;
  readonly field: RefObject<HTMLTextAreaElement>;
  readonly write: (text: string) => void;
}

/** Buttons that insert a placeholder at the caret, or after the text. */
function Placeholders({ names, text, field, write }: PlaceholdersProps): VNode {
  const { words } = useView();
  const insert = (name: string): void => {
    const at = field.current?.selectionStart ?? text.length;
    const end = field.current?.selectionEnd ?? text.length;
    write(`${text.slice(0, at)}{{${name}}}${text.slice(end)}`);
    field.current?.focus();
  };
  return html`<div class="tabs" role="group" aria-label=${words.placeholders}>
    ${names.map(
      (name) =>
        html`<button type="button" class="chip" dir="ltr" onClick=${() => insert(name)}>
          ${`{{${name}}}`}
        </button>`,
    )}
  </div>`;
}

/** Describes the purpose of a text: `.channels.voice.plural.few` is "voice · Plural form few". */
export function nameOfText(id: string, words: Words): string {
  const branch = branchOf(id);
  const [, channel] = /^\.channels(?:\.|\["?)(.+?)(?:"?\])?$/s.exec(branch) ?? [];
  const [, readers = ""] = /^\.when\[(.+)\](?:#\d+)?$/s.exec(branch) ?? [];
  const [, index, form] =
    /^\.(?:variants\[(\d+)\]|plural\.(\w+))$/.exec(id.slice(branch.length)) ?? [];
  const parts = [
    channel ?? (readers === "" ? "" : fill(words.onlyFor, { readers })),
    index === undefined ? "" : fill(words.variant, { number: Number(index) + 1 }),
    form === undefined ? "" : fill(words.pluralForm, { form }),
  ].filter((part) => part !== "");
  return parts.length === 0 ? words.lineItself : parts.join(" · ");
}
