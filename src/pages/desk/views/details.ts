import type { ComponentChildren, RefObject, VNode } from "preact";
import { html } from "htm/preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** The details beside a chat or a ticket; a narrow window shows them over it, or not at all. */
export interface Details {
  readonly areShown: boolean;
  readonly show: (shown: boolean) => void;
  /** Hides them, and gives the focus back to the button that shows them. */
  readonly hide: () => void;
  readonly opener: RefObject<HTMLButtonElement | null>;
}

/** Keeps whether the details are shown. Escape hides them. */
export function useDetails(): Details {
  const [areShown, show] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const hide = (): void => {
    show(false);
    opener.current?.focus();
  };
  // Before painting, because a key may be pressed at once.
  useLayoutEffect(() => {
    if (!areShown) return undefined;
    const escape = ({ key, defaultPrevented }: KeyboardEvent): void => {
      if (key === "Escape" && !defaultPrevented) hide();
    };
    document.addEventListener("keydown", escape);
    return () => document.removeEventListener("keydown", escape);
  }, [areShown]);
  return { areShown, show, hide, opener };
}

interface WithinDetails {
  readonly details: Details;
  readonly children?: ComponentChildren;
}

/** Shows and hides the details; its children follow its label. */
export function DetailsButton({
  details,
  label,
  children,
}: WithinDetails & { readonly label: string }): VNode {
  const { areShown, show, opener } = details;
  return html`<button
    type="button"
    class="details-button"
    ref=${opener}
    aria-expanded=${areShown}
    aria-controls="details"
    onClick=${() => show(!areShown)}
  >
    <span class="icon icon-info in-small-pane" aria-hidden="true"></span>
    <span class="in-wide-pane">${label}</span>
    ${children}
  </button>`;
}

/** The details themselves, with a button that hides them where they cover the rest. */
export function DetailsPane({
  details: { areShown, hide },
  hideLabel,
  children,
}: WithinDetails & { readonly hideLabel: string }): VNode {
  return html`<aside
    id="details"
    class=${areShown ? "details shown" : "details"}
    aria-labelledby="details-title"
  >
    ${
      areShown &&
      html`<button type="button" class="details-end" onClick=${hide}>${hideLabel}</button>`
    }
    ${children}
  </aside>`;
}
