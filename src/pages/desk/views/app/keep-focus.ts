import { useEffect } from "preact/hooks";
import { watchFocus } from "../../../shared/watch-focus.ts";

/**
 * The elements that may take the focus over. Fields do not: on a phone they would bring up the
 * keyboard.
 */
const TAKERS = "a[href], button:not(:disabled), select:not(:disabled), summary, [tabindex]";

/** Gives the focus to something near when the control that had it is removed or disabled. */
export function useKeptFocus(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      const last = watch.last();
      if (last === null || document.activeElement !== document.body) return;
      if (last.control.isConnected && !last.control.matches(":disabled")) return;
      const taker = last.around.filter((one) => one.isConnected).flatMap(takersIn)[0];
      taker?.focus();
    };
    // After a login, the page itself chooses what is focused.
    const isInDesk = (target: HTMLElement): boolean => target.closest(".desk") !== null;
    const watch = watchFocus(isInDesk, () => {
      clearTimeout(timer);
      // A disabled control loses the focus only when the page is next drawn.
      timer = setTimeout(look, 50);
    });
    return () => {
      clearTimeout(timer);
      watch.end();
    };
  }, []);
}

function takersIn(one: Element): readonly HTMLElement[] {
  return [...one.querySelectorAll<HTMLElement>(TAKERS)].filter(
    (taker) => taker.offsetWidth > 1 && taker.checkVisibility({ visibilityProperty: true }),
  );
}
