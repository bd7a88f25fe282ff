import type { VNode } from "preact";
import { html } from "htm/preact";
import { type LaterComponent, useLater } from "../../shared/later.ts";
import { useView } from "./context.ts";

interface LaterProps<Props> {
  /** Imports the component. */
  readonly load: () => Promise<LaterComponent<Props>>;
  readonly props: Props;
}

/** A part of the page that few people open. Its scripts are loaded with it. */
export function Later<Props>({ load, props }: LaterProps<Props>): VNode {
  const { words } = useView();
  const { Part, failed, again } = useLater(load);
  if (Part !== null) return html`<${Part} ...${props} />`;
  if (!failed) return html`<p class="quiet" role="status">${words.loading}</p>`;
  return html`<p class="problem" role="alert">
    ${words.unreachable} <button type="button" onClick=${again}>${words.again}</button>
  </p>`;
}
