/** The control that last had the focus. */
export interface LastFocus {
  readonly control: HTMLElement;
  /** The elements around it, the nearest first: they may outlive it. */
  readonly around: readonly Element[];
}

/**
 * Remembers what has the focus, and reports changes to the page that may have removed or disabled
 * it. Without a new place for the focus, people who use the keyboard begin again at the top, and a
 * screen reader falls silent.
 *
 * @param changed called after each change, which may be many a second
 */
export function watchFocus(isWatched: (target: HTMLElement) => boolean, changed: () => void) {
  let last: LastFocus | null = null;
  const remember = ({ target }: Event): void => {
    last =
      target instanceof HTMLElement && isWatched(target)
        ? { control: target, around: listAncestors(target) }
        : null;
  };
  const forget = (): void => void (last = null);
  const observer = new MutationObserver(changed);
  observer.observe(document.body, {
    childList: true,
    subtree: true,
    attributeFilter: ["disabled"],
  });
  document.addEventListener("focusin", remember);
  document.addEventListener("pointerdown", forget);
  return {
    /** Null if nothing watched had it, or if a click beside everything took it away on purpose. */
    last: () => last,
    end() {
      observer.disconnect();
      document.removeEventListener("focusin", remember);
      document.removeEventListener("pointerdown", forget);
    },
  };
}

function listAncestors(element: Element): readonly Element[] {
  const parent = element.parentElement;
  return parent === null ? [] : [parent, ...listAncestors(parent)];
}
