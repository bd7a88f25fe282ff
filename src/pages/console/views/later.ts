import type { VNode } from "preact";
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { useView } from "./context.ts";

interface LaterProps<Props> {
  /** Imports what is shown. */
  readonly load: () => Promise<(props: Props) => VNode | null>;
  readonly props: Props;
}

/** A part of the page that few open: its scripts come when they do. */
export function Later<Props>({ load, props }: LaterProps<Props>): VNode {
  const { words } = useView();
  const [part, change] = useState<{ readonly Part: (props: Props) => VNode | null } | null>(null);
  const [failed, fail] = useState(false);
  const begin = (): void => {
    fail(false);
    load()
      .then((Part) => change({ Part }))
      .catch(() => fail(true));
  };
  useEffect(begin, []);
  if (part !== null) return html`<${part.Part} ...${props} />`;
  if (!failed) return html`<p class="quiet" role="status">${words.loading}</p>`;
  return html`<p class="problem" role="alert">
    ${words.unreachable} <button type="button" onClick=${begin}>${words.again}</button>
  </p>`;
}
