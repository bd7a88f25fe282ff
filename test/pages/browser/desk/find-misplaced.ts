import type { Page } from "playwright-core";

/** Finds misplaced elements of the page and describes each; empty if there are none. */
export function findMisplaced(page: Page): Promise<readonly string[]> {
  // One call measures everything, because a call for each element would take minutes.
  return page.evaluate(() => {
    type Box = Readonly<Record<"left" | "right" | "top" | "bottom", number>>;
    const found: string[] = [];
    const nameOf = (one: Element): string =>
      `${one.tagName}.${one.className} "${one.textContent.trim().slice(0, 30)}${one.getAttribute("aria-label") ?? ""}"`;
    const isWithin = (inner: Box, outer: Box): boolean =>
      inner.left >= outer.left - 1 &&
      inner.right <= outer.right + 1 &&
      inner.top >= outer.top - 1 &&
      inner.bottom <= outer.bottom + 1;
    const unlimitedHeight = { top: -1e6, bottom: 1e6 };
    const isScrolled = (one: Element): boolean =>
      /auto|scroll/.test(getComputedStyle(one).overflowY);
    const scrollerOf = (one: Element): Element | null => {
      for (let at = one.parentElement; at !== null; at = at.parentElement) {
        if (isScrolled(at)) return at;
      }
      return null;
    };
    const isVisible = (one: Element): boolean =>
      one.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true }) &&
      one.closest(".unseen, .in-words") === null &&
      getComputedStyle(one).clipPath === "none";

    if (document.documentElement.scrollWidth > innerWidth) found.push("the page scrolls sideways");
    for (const one of document.querySelectorAll("body *")) {
      const { overflowX } = getComputedStyle(one);
      // Tables of numbers have more columns than a phone or an upright tablet has room for.
      const isWide = one.matches(".figure-table .scroll") && innerWidth < 1024;
      if (!isWide && /auto|scroll/.test(overflowX) && one.scrollWidth > one.clientWidth + 1) {
        found.push(`scrolls sideways: ${nameOf(one)}`);
      }
    }

    const screen = { left: 0, right: innerWidth, top: 0, bottom: innerHeight };
    const cards =
      ".card, dialog, :popover-open, .menu ul, .list, .chat-head, .composer, .instead, .bar, .details, .login, .top, .row, .bubble";
    // Elements are only compared with those of the same overlay, or of none.
    const layers = "dialog, :popover-open, .menu ul, .details, .to-end";
    const modal = document.querySelector("dialog[open]");
    const root = modal ?? document.body;
    const controls = [
      ...root.querySelectorAll<HTMLElement>("button, input, select, textarea, a[href], summary"),
    ].filter(isVisible);
    for (const one of controls) {
      const box = one.getBoundingClientRect();
      const scroller = scrollerOf(one);
      const bounds = { ...screen, ...(scroller !== null && unlimitedHeight) };
      if (!isWithin(box, bounds)) found.push(`outside the window: ${nameOf(one)}`);
      const card = one.parentElement?.closest(cards) ?? null;
      if (card !== null) {
        const edge = card.getBoundingClientRect();
        const { left, right } = edge;
        if (!isWithin(box, isScrolled(card) ? { left, right, ...unlimitedHeight } : edge)) {
          found.push(`outside its card: ${nameOf(one)} in ${nameOf(card)}`);
        }
      }
    }

    const texts = [...root.querySelectorAll<HTMLElement>("*")].filter(
      (one) =>
        isVisible(one) &&
        !one.matches("option, optgroup, script, style, noscript, noscript *") &&
        one.closest("select") === null &&
        [...one.childNodes].some(
          (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? "").trim() !== "",
        ),
    );
    const boxes = [...new Set([...controls, ...texts])].flatMap((one) => {
      const layer = one.closest(layers);
      // Text on several lines has a box for each.
      return [...one.getClientRects()].flatMap((box) => {
        let { left, right, top, bottom }: Box = box;
        for (let at = one.parentElement; at !== null; at = at.parentElement) {
          if (!/auto|scroll|hidden/.test(getComputedStyle(at).overflow)) continue;
          const edge = at.getBoundingClientRect();
          [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
          [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
        }
        const isShown = right - left > 1 && bottom - top > 1;
        return isShown ? [{ one, layer, box: { left, right, top, bottom } }] : [];
      });
    });
    const overlaps = (a: Box, b: Box): boolean =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
    for (const [at, a] of boxes.entries()) {
      for (const b of boxes.slice(at + 1)) {
        if (a.layer !== b.layer || a.one.contains(b.one) || b.one.contains(a.one)) continue;
        if (overlaps(a.box, b.box)) found.push(`overlap: ${nameOf(a.one)} and ${nameOf(b.one)}`);
      }
    }
    for (const opener of document.querySelectorAll<HTMLButtonElement>("[popovertarget]")) {
      const opened = opener.popoverTargetElement;
      if (!opened?.matches(":popover-open") || opener.closest(":popover-open") !== null) continue;
      if (overlaps(opener.getBoundingClientRect(), opened.getBoundingClientRect())) {
        found.push(`covered by what it opens: ${nameOf(opener)}`);
      }
    }

    for (const field of root.querySelectorAll<HTMLInputElement>('input[type="date"]')) {
      const { width } = field.getBoundingClientRect();
      field.style.width = "max-content";
      if (field.getBoundingClientRect().width > width + 1) found.push(`clipped: ${nameOf(field)}`);
      field.style.width = "";
    }

    // A focus ring is 3 px wide and 2 px away from its control; it must not touch a label above.
    for (const label of root.querySelectorAll<HTMLLabelElement>("label[for]")) {
      const control = label.control;
      if (control === null || !isVisible(label) || !isVisible(control)) continue;
      const gap = control.getBoundingClientRect().top - label.getBoundingClientRect().bottom;
      const aside = control.getBoundingClientRect().top < label.getBoundingClientRect().bottom - 2;
      if (!aside && gap < 5) found.push(`${gap} px between ${nameOf(label)} and its field`);
    }
    const composer = document.querySelector(".composer, .instead");
    if (composer !== null && isVisible(composer)) {
      const { bottom } = composer.getBoundingClientRect();
      if (Math.abs(bottom - innerHeight) > 1) found.push(`the composer ends at ${bottom}`);
    }
    return found;
  });
}
