import { html } from "hono/html";

/** Escaped HTML. */
export type Markup = ReturnType<typeof html>;

/** A text in which backticks stand around code. */
export function prose(text: string): readonly (Markup | string)[] {
  return text
    .split("`")
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}
