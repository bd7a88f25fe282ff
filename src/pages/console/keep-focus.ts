import { watchFocus } from "../shared/watch-focus.ts";

/** Moves the focus to the nearest title when the control that has it is removed. */
export function keepFocus(): void {
  /** The main part, while the view that is loaded into it has no title yet. */
  let waiting: Element | null = null;
  /** The control that had the focus when it was disabled. */
  let disabled: Element | null = null;
  const look = (): void => {
    const last = watch.last();
    if (last === null) return;
    const { control, around } = last;
    if (control.matches(":disabled")) disabled = control;
    const at = document.activeElement;
    if (waiting !== null && at === waiting) {
      const title = waiting.querySelector(TITLES);
      if (title === null) return;
      waiting = null;
      return focusOn(title);
    }
    if (at !== null && at !== document.body) return;
    if (control.isConnected) {
      // Chromium takes the focus from a button while it is disabled. A field that was left otherwise
      // stays so: on a phone the focus would bring up the keyboard again.
      if (control !== disabled || control.matches(":disabled")) return;
      disabled = null;
      return focusOn(control, true);
    }
    const part = around.find((one) => one.isConnected && one.matches(PARTS));
    if (part === undefined) return;
    const title = part.querySelector(TITLES);
    focusOn(title ?? part);
    waiting = title === null ? part : null;
  };
  const watch = watchFocus(() => true, look);
}

/** The parts of a view that the focus stays in. */
const PARTS = "main, section, aside, li";
const TITLES = "h2:not(.unseen), h3";

function focusOn(element: Element, preventScroll = false): void {
  if (!(element instanceof HTMLElement)) return;
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus({ preventScroll });
}
