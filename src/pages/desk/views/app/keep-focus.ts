import { useEffect } from "preact/hooks";

/**
 * The elements that may take the focus over. Fields do not: on a phone they would bring up the
 * keyboard.
 */
const TAKERS = "a[href], button:not(:disabled), select:not(:disabled), summary, [tabindex]";

/**
 * Gives the focus to something near when the control that had it is removed or disabled. Without
 * this, the keyboard would begin again at the top of the page.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: HTMLElement | null = null;
    /** The elements around it, the nearest first: they may outlive it. */
    let around: readonly Element[] = [];
    const remember = ({ target }: Event): void => {
      // After a login, the page itself chooses what is focused.
      last = target instanceof HTMLElement && target.closest(".desk") !== null ? target : null;
      around = ancestorsOf(last);
    };
    const forget = (): void => void (last = null);
    const look = (): void => {
      if (last === null || document.activeElement !== document.body) return;
      if (last.isConnected && !last.matches(":disabled")) return;
      const taker = around.filter((one) => one.isConnected).flatMap(takersIn)[0];
      taker?.focus();
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new MutationObserver(() => {
      clearTimeout(timer);
      // A disabled control loses the focus only when the page is next drawn.
      timer = setTimeout(look, 50);
    });
    observer.observe(document.body, {
      childList: true,
      subtree: true,
      attributeFilter: ["disabled"],
    });
    document.addEventListener("focusin", remember);
    // A click beside everything takes the focus away on purpose.
    document.addEventListener("pointerdown", forget);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener("focusin", remember);
      document.removeEventListener("pointerdown", forget);
    };
  }, []);
}

function ancestorsOf(one: Element | null): readonly Element[] {
  const parent = one?.parentElement ?? null;
  return parent === null ? [] : [parent, ...ancestorsOf(parent)];
}

function takersIn(one: Element): readonly HTMLElement[] {
  return [...one.querySelectorAll<HTMLElement>(TAKERS)].filter(
    (taker) => taker.offsetWidth > 1 && taker.checkVisibility({ visibilityProperty: true }),
  );
}
