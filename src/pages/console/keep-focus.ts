/**
 * Keeps the focus in the page when the control that has it is removed. Otherwise people who use the
 * keyboard begin again at the top, and a screen reader falls silent.
 */
export function keepFocus(): void {
  let last: Element | null = null;
  let around: readonly Element[] = [];
  /** The main part, while the view that is loaded into it has no title yet. */
  let waiting: Element | null = null;
  document.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof Element)) return;
    last = target;
    around = listAncestors(target);
    waiting = null;
  });
  const look = (): void => {
    const at = document.activeElement;
    if (waiting !== null && at === waiting) {
      const title = waiting.querySelector(TITLES);
      if (title !== null) focusOn(title);
      return;
    }
    if (last === null || (at !== null && at !== document.body)) return;
    if (last.isConnected) {
      // Chromium takes the focus from a button while it is disabled.
      if (!last.matches(":disabled")) focusOn(last, true);
      return;
    }
    const part = around.find((one) => one.isConnected && one.matches(PARTS));
    if (part === undefined) return;
    const title = part.querySelector(TITLES);
    focusOn(title ?? part);
    if (title === null) waiting = part;
  };
  new MutationObserver(look).observe(document.body, {
    childList: true,
    subtree: true,
    attributeFilter: ["disabled"],
  });
}

/** The parts of a view that the focus stays in. */
const PARTS = "main, section, aside, li";
const TITLES = "h2:not(.unseen), h3";

function listAncestors(element: Element): readonly Element[] {
  const parent = element.parentElement;
  return parent === null ? [] : [parent, ...listAncestors(parent)];
}

function focusOn(element: Element, preventScroll = false): void {
  if (!(element instanceof HTMLElement)) return;
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus({ preventScroll });
}
