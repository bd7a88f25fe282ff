import type { VNode } from "preact";
import { html } from "htm/preact";
import { type LaterComponent, useLater } from "../../shared/later.ts";
import { useView } from "./context.ts";

interface LaterProps<Props> {
  /** Imports the component. */
  readonly load: () => Promise<LaterComponent<Props>>;
  readonly props: Props;
  /** Class of the element in which it is shown. */
  readonly className: string;
}

/**
 * A part of the page whose scripts are loaded when it is opened. Each has its own key, because one
 * must not continue with the scripts of another.
 */
export function Later<Props>({ load, props, className }: LaterProps<Props>): VNode {
  const { words } = useView();
  const { Part, failed, again } = useLater(load);
  if (Part !== null) return html`<${Part} ...${props} />`;
  if (!failed) return html`<main class=${className}><p role="status">${words.loading}</p></main>`;
  return html`<main class=${className}>
    <p class="problem" role="alert">
      ${words.unreachable} <button type="button" onClick=${again}>${words.tryNow}</button>
    </p>
  </main>`;
}
