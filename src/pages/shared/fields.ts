import type { VNode } from "preact";
import { html } from "htm/preact";

/** The values of a choice with their names. One that is its own name stands alone. */
export type Options = readonly (string | readonly [value: string, name: string])[];

interface SelectProps {
  readonly value: string;
  readonly options: Options;
  readonly change: (value: string) => void;
  /** Further attributes, such as `aria-label`. */
  readonly [attribute: string]: unknown;
}

/** A choice of one value. */
export function Select({ value, options, change, ...attributes }: SelectProps): VNode {
  const named = options.map((one) => (typeof one === "string" ? ([one, one] as const) : one));
  return html`<select
    ...${attributes}
    value=${value}
    onChange=${(event: Event) => change(valueOf(event))}
  >
    ${named.map(
      ([one, name]) =>
        html`<option key=${one} value=${one} selected=${one === value} dir="auto">${name}</option>`,
    )}
  </select>`;
}

interface SwitchProps {
  readonly label: unknown;
  readonly isOn: boolean;
  readonly turn: (isOn: boolean) => void;
  readonly disabled?: boolean;
  /** True if its form is sent only with a tick; the browser leads to the box. */
  readonly required?: boolean;
}

/** A box to tick, with its label. */
export function Switch({ label, isOn, turn, disabled, required }: SwitchProps): VNode {
  return html`<label class="switch">
    <input
      type="checkbox"
      disabled=${disabled}
      required=${required}
      checked=${isOn}
      onChange=${() => turn(!isOn)}
    />
    <span>${label}</span>
  </label>`;
}

/** The text of the field that an event is about. */
export function valueOf({ target }: Event): string {
  const isField =
    target instanceof HTMLSelectElement ||
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement;
  return isField ? target.value : "";
}

/** The text of a form's field; empty where there is none. */
export function readField(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === "string" ? value : "";
}
