import type { VNode } from "preact";
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { nameLanguage } from "../../../shared/words.ts";
import { nameState } from "../../words.ts";
import { type CheckedCell, classOf, letterOf, MARKS, nameOf, STATES } from "./cells.ts";
import { go, useView } from "../context.ts";
import { focusOnLine } from "./line.ts";

/** Every line in every language as a letter that stands for the origin of its text. */
export function Coverage(props: GridProps): VNode {
  return html`<${Grid} ...${props} /><${Legend} />`;
}

interface GridProps {
  readonly texts: CheckedCell;
  readonly shown: readonly string[];
  readonly opened: { readonly key: string; readonly locale: string } | null;
}

/** Arrow keys move in it, Enter opens: the pattern that screen readers know as a grid. */
function Grid({ texts, shown, opened }: GridProps): VNode {
  const { words, language } = useView();
  const [at, move] = useState<readonly [number, number]>([0, 0]);
  const { locales } = texts;
  const row = Math.min(at[0], shown.length - 1);
  const step = (event: KeyboardEvent): void => {
    const to = findTarget(event, row, at[1], shown.length, locales.length);
    if (to === null || !(event.currentTarget instanceof HTMLElement)) return;
    event.preventDefault();
    move(to);
    const cell = event.currentTarget.querySelector(`[data-at="${to[0]} ${to[1]}"]`);
    if (cell instanceof HTMLElement) cell.focus();
  };
  return html`<p id="grid-help" class="quiet">${words.gridHelp}</p>
    <div class="scroll">
      <table
        role="grid"
        aria-label=${words.gridName}
        aria-describedby="grid-help"
        onKeyDown=${step}
      >
        <thead>
          <tr>
            <th scope="col">${words.line}</th>
            ${locales.map(
              (locale) =>
                html`<th scope="col" key=${locale} title=${nameLanguage(locale, language)}>
                  <span>${locale}</span>
                </th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${shown.map(
            (key, y) =>
              html`<tr key=${key}>
                <th scope="row">${key}</th>
                ${locales.map((locale, x) => {
                  const isOpen = opened?.key === key && opened.locale === locale;
                  return html`<td
                    role="gridcell"
                    key=${locale}
                    data-at=${`${y} ${x}`}
                    data-line=${`${key} ${locale}`}
                    tabindex=${y === row && x === at[1] ? 0 : -1}
                    class=${classOf(texts, key, locale)}
                    aria-selected=${isOpen}
                    aria-label=${nameOf(texts, key, locale, words, language)}
                    title=${texts.cells[key]?.[locale]?.text ?? ""}
                    onFocus=${() => move([y, x])}
                    onClick=${() => open(key, locale)}
                    onKeyDown=${(event: KeyboardEvent) => {
                      if (event.key === "Enter" || event.key === " ") {
                        event.preventDefault();
                        open(key, locale);
                      }
                    }}
                  >
                    ${letterOf(texts.cells[key]?.[locale], words)}
                  </td>`;
                })}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}

function open(key: string, locale: string): void {
  go(`coverage/${locale}/${key}`);
  focusOnLine();
}

/** Finds the cell that a key leads to; null for a key that the grid does not use. */
function findTarget(
  { key, ctrlKey, currentTarget }: KeyboardEvent,
  y: number,
  x: number,
  rows: number,
  columns: number,
): readonly [number, number] | null {
  const element = currentTarget instanceof HTMLElement ? currentTarget : null;
  const rightToLeft = element !== null && getComputedStyle(element).direction === "rtl";
  const forward = rightToLeft ? "ArrowLeft" : "ArrowRight";
  const [last, end] = [rows - 1, columns - 1];
  switch (key) {
    case "ArrowUp":
      return [Math.max(0, y - 1), x];
    case "ArrowDown":
      return [Math.min(last, y + 1), x];
    case "ArrowLeft":
    case "ArrowRight":
      return [y, key === forward ? Math.min(end, x + 1) : Math.max(0, x - 1)];
    case "Home":
      return [ctrlKey ? 0 : y, 0];
    case "End":
      return [ctrlKey ? last : y, end];
    default:
      return null;
  }
}

function Legend(): VNode {
  const { words } = useView();
  return html`<ul class="legend">
    ${STATES.map(
      (state, index) =>
        html`<li>
          <span class=${`mark ${state}`} aria-hidden="true"
            >${Array.from(words.letters)[index]}</span
          >
          ${nameState(state, words)}
        </li>`,
    )}
    ${MARKS.map(
      (mark) =>
        html`<li>
          <span class=${`mark shipped ${mark}`} aria-hidden="true"
            >${Array.from(words.letters)[1]}</span
          >
          ${words[mark]}
        </li>`,
    )}
  </ul>`;
}
