import type { VNode } from "preact";
import { html } from "htm/preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Draft, FindingsAnswer, Review, Texts } from "../../../api/console.ts";
import { nameState } from "../words.ts";
import {
  changesLine,
  edits,
  go,
  Pending,
  useAsked,
  useNarrow,
  useView,
  valueOf,
} from "./context.ts";
import {
  type Checked,
  classOf,
  type Filter,
  FILTERS,
  fits,
  letterOf,
  MARKS,
  nameOf,
  STATES,
  describeState,
} from "./cells.ts";
import { LineView } from "./line.ts";
import { Translations } from "./translations.ts";
import { languageName } from "../../shared/words.ts";

/** Every line in every language, and the one that is open. */
export function TextsView({ opened }: { readonly opened: readonly string[] }): VNode {
  const { words, bot, channel, session, noteDraft } = useView();
  const [filter, changeFilter] = useState<Filter>("all");
  const [handOver, changeHandOver] = useState(false);
  const narrow = useNarrow();
  const lines = handOver ? "all" : "";
  const path = `texts?${new URLSearchParams({ instance: bot, channel, lines }).toString()}`;
  const asked = useAsked<Texts>(path);
  const checked = useAsked<FindingsAnswer>(
    `findings?${new URLSearchParams({ instance: bot }).toString()}`,
  );
  const reviewed = useAsked<{ readonly reviews: readonly Review[] }>(
    `reviews?${new URLSearchParams({ instance: bot }).toString()}`,
  );
  const [reviews, keepReviews] = useState<readonly Review[]>([]);
  useEffect(() => keepReviews(reviewed.value?.reviews ?? []), [reviewed.value]);
  const begun = useAsked<Draft>(edits(session) ? "draft" : null);
  const [latest, keep] = useState<Draft | null>(null);
  const draft = latest ?? begun.value;
  useEffect(() => {
    if (draft !== null) noteDraft(draft);
  }, [draft]);
  // The grid does not wait for the files.
  const findings = checked.value?.findings ?? [];
  const inDraft = (locale: string, key: string): boolean =>
    draft?.changes.some((one) => changesLine(one, bot, locale, key)) === true;
  const texts = asked.value && { ...asked.value, findings, inDraft, reviews };
  const [locale, key] = opened;
  const isOpen = locale !== undefined && key !== undefined && key !== "";
  const shown = texts?.keys.map((one) => one.key).filter((one) => fits(texts, one, filter)) ?? [];
  const looked = useRef("");
  useLayoutEffect(() => {
    // Editors who close a line go on where they opened it.
    if (!isOpen) document.querySelector<HTMLElement>(`[data-line="${looked.current}"]`)?.focus();
    else looked.current = `${key} ${locale}`;
  }, [isOpen, key, locale]);
  const grid = { texts, shown, opened: isOpen ? { key, locale } : null };
  return html`<div class=${isOpen ? "texts two" : "texts"}>
    <section class="overview" aria-label=${words.texts}>
      <div class="tools">
        <${Filters} texts=${texts} chosen=${filter} choose=${changeFilter} />
        <label class="switch">
          <input type="checkbox" checked=${handOver} onChange=${() => changeHandOver(!handOver)} />
          <span>${words.handOver}</span>
        </label>
      </div>
      <${Pending} asked=${asked} />
      ${texts !== null && shown.length === 0 && html`<p class="quiet">${words.nothingFits}</p>`}
      ${texts !== null && (narrow ? html`<${LineList} ...${grid} />` : html`<${Grid} ...${grid} />`)}
      <${Legend} />
      ${
        texts !== null &&
        session.everyText &&
        html`<${Translations}
          locales=${texts.locales}
          lines=${shown}
          keep=${draft === null ? null : keep}
        />`
      }
    </section>
    ${
      isOpen &&
      html`<${LineView}
        locale=${locale}
        line=${key}
        begun=${{ ...begun, value: draft }}
        keep=${keep}
        review=${reviews.find((one) => one.key === key && one.locale === locale)}
        keepReviews=${keepReviews}
      />`
    }
  </div>`;
}

interface FiltersProps {
  /** Null: they have not come yet. */
  readonly texts: Checked | null;
  readonly chosen: Filter;
  readonly choose: (filter: Filter) => void;
}

/** Buttons that show some of the lines, each with their number. */
function Filters({ texts, chosen, choose }: FiltersProps): VNode {
  const { words } = useView();
  return html`<div role="group" aria-label=${words.filter}>
    ${FILTERS.map(
      (one) =>
        html`<button type="button" aria-pressed=${one === chosen} onClick=${() => choose(one)}>
          ${words[one]}
          ${texts !== null && ` ${texts.keys.filter(({ key }) => fits(texts, key, one)).length}`}
        </button>`,
    )}
  </div>`;
}

interface GridProps {
  readonly texts: Checked;
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
                html`<th scope="col" key=${locale} title=${languageName(locale, language)}>
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
  go(`texts/${locale}/${key}`);
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

/** On a phone: one language at a time. */
function LineList({ texts, shown }: GridProps): VNode {
  const { words, language } = useView();
  const [locale, change] = useState(
    texts.locales.includes(language) ? language : (texts.locales[0] ?? ""),
  );
  return html`<label>
      <span>${words.language}</span>
      <select value=${locale} onChange=${(event: Event) => change(valueOf(event))}>
        ${texts.locales.map(
          (one) => html`<option value=${one}>${languageName(one, language)} (${one})</option>`,
        )}
      </select>
    </label>
    <ul class="lines">
      ${shown.map(
        (key) =>
          html`<li key=${key}>
            <button
              type="button"
              data-line=${`${key} ${locale}`}
              onClick=${() => open(key, locale)}
            >
              <span class=${`mark ${classOf(texts, key, locale)}`} aria-hidden="true">
                ${letterOf(texts.cells[key]?.[locale], words)}
              </span>
              <span>
                <b>${key}</b> <small>${describeState(texts, key, locale, words, language)}</small>
                <bdi lang=${locale}>${texts.cells[key]?.[locale]?.text ?? ""}</bdi>
              </span>
            </button>
          </li>`,
      )}
    </ul>`;
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
