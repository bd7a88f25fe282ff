import type { VNode } from "preact";
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { LineAnswer } from "../../../../api/console.ts";
import { Select, valueOf } from "../../../shared/fields.ts";
import { fill } from "../../../shared/words.ts";
import { useView } from "../context.ts";

interface AddTextProps {
  readonly of: LineAnswer;
  /** The keys of the existing texts. */
  readonly ids: readonly string[];
  /** The text that gets variants and plural forms. */
  readonly branch: string;
  /** Called with the key of the new text. */
  readonly begin: (id: string) => void;
}

/** A field of a condition, and its value. */
type Field = readonly [name: string, value: string];

/**
 * Begins a text that a line lacks: for a channel, for some readers, or in addition to another one.
 */
export function AddText({ of, ids, branch, begin }: AddTextProps): VNode {
  const { words, bot, session } = useView();
  const [kind, choose] = useState("condition");
  const [channel, name] = useState("");
  const [fields, change] = useState<readonly Field[]>([["env", ""]]);
  const { channels = [] } = session.bots.find((one) => one.name === bot) ?? {};
  const forms = formsOf(of.locale).filter((form) => !ids.includes(`${branch}.plural.${form}`));
  // `other` stands in for the rest, so it comes first.
  const possible = forms.includes("other") ? ["other"] : forms;
  const kinds = [
    ["condition", words.condition],
    ["channel", words.channel],
    ["variant", words.oneOfSeveral],
    ...possible.map((form) => [form, fill(words.pluralForm, { form })] as const),
  ];
  const begun = ids.filter((id) => id.startsWith(`${branch}.variants[`)).length;
  const submit = (event: Event): void => {
    event.preventDefault();
    if (kind === "condition") begin(`${of.key}.when[${conditionOf(fields)}]`);
    else if (kind === "variant") begin(`${branch}.variants[${begun}]`);
    else if (kind !== "channel") begin(`${branch}.plural.${kind}`);
    else if (channel.includes(".")) begin(`${of.key}.channels["${channel}"]`);
    else begin(`${of.key}.channels.${channel}`);
  };
  return html`<details class="add-text">
    <summary>${words.addText}</summary>
    <form onSubmit=${submit}>
      <label>
        <span>${words.addFor}</span>
        <${Select} value=${kind} options=${kinds} change=${choose} />
      </label>
      ${
        kind === "channel" &&
        html`<label>
          <span>${words.channel}</span>
          <input
            required
            list="channels"
            dir="ltr"
            pattern="[a-z0-9][a-z0-9._\\-]*"
            maxlength="64"
            value=${channel}
            onInput=${(event: Event) => name(valueOf(event))}
          />
          <datalist id="channels">
            ${channels.map((one) => html`<option value=${one}></option>`)}
          </datalist>
        </label>`
      }
      ${kind === "condition" && html`<${Condition} fields=${fields} change=${change} />`}
      <button>${words.addText}</button>
    </form>
  </details>`;
}

interface ConditionProps {
  readonly fields: readonly Field[];
  readonly change: (fields: readonly Field[]) => void;
}

/** Shows the fields of a condition, with an empty one at the end. */
function Condition({ fields, change }: ConditionProps): VNode {
  const { words, bot, session } = useView();
  const { variables = [] } = session.bots.find((one) => one.name === bot) ?? {};
  const facts = [...FACTS, ...variables.map((one) => `variables.${one}`)];
  const set = (index: number, field: Field): void => {
    const next = fields.with(index, field);
    change(next.at(-1)?.[1] === "" ? next : [...next, ["env", ""]]);
  };
  return html`${fields.map(
    ([fact, value], index) =>
      html`<div class="fields" key=${index}>
        <label>
          <span>${words.field}</span>
          <${Select}
            dir="ltr"
            value=${fact}
            options=${facts}
            change=${(name: string) => set(index, [name, value])}
          />
        </label>
        <label>
          <span>${words.value}</span>
          <input
            required=${index === 0}
            value=${value}
            onInput=${(event: Event) => set(index, [fact, valueOf(event)])}
          />
        </label>
      </div>`,
  )}`;
}

/** Returns a text's key without its variant or plural form. */
export function branchOf(id: string): string {
  return id.replace(/\.(?:variants\[\d+\]|plural\.\w+)$/, "");
}

const FACTS = ["env", "userType", "source", "lang", "channel", "instance"] as const;

/** Writes a condition as it appears in keys. */
function conditionOf(fields: readonly Field[]): string {
  return fields
    .filter(([, value]) => value !== "")
    .map(
      ([fact, value]) => `${fact}=${/^[^\s",=[\]]+$/.test(value) ? value : JSON.stringify(value)}`,
    )
    .toSorted()
    .join(",");
}

/** Lists the plural forms that whole numbers take in a language, and `other`. */
function formsOf(locale: string): readonly string[] {
  const rules = new Intl.PluralRules(locale);
  const needed = new Set(Array.from({ length: 200 }, (_, count) => rules.select(count)));
  return FORMS.filter((form) => needed.has(form) || form === "other");
}

const FORMS = ["zero", "one", "two", "few", "many", "other"] as const;
