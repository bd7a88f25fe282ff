import type { VNode } from "preact";
import { html } from "htm/preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Draft, FindingsAnswer, Review, Texts } from "../../../../api/console.ts";
import { describeUse } from "../../words.ts";
import { Attention } from "./attention.ts";
import { type CheckedCell, type CellFilter, FILTERS, fits, noteCells } from "./cells.ts";
import { canEdit, Pending, useAnswer, useView } from "../context.ts";
import { Coverage } from "./coverage.ts";
import { LanguageChoice, Languages, useLanguages } from "./languages.ts";
import { LineView } from "./line.ts";
import { UsageChoice, sortLines, useUsage } from "./usage.ts";
import { findLines, fold, Sentences } from "./sentences.ts";
import { Switch, valueOf } from "../../../shared/fields.ts";
import { Translations } from "./translations.ts";

interface TextsProps {
  readonly opened: readonly string[];
  /** How the lines are shown: by their texts, or by the origin of these. */
  readonly view: "texts" | "coverage";
}

/** Every line, and the one that is open. */
export function TextsView({ opened, view }: TextsProps): VNode {
  const { words, session } = useView();
  const [filter, changeFilter] = useState<CellFilter>("all");
  const [typed, type] = useState("");
  const [handOver, changeHandOver] = useState(false);
  const search = fold(typed);
  const { texts, answer, begun, draft, ...known } = useTexts(handOver || search !== "");
  const { keep, reviews, keepReviews } = known;
  const [chosen, keepLanguages] = useLanguages(texts);
  const [locale, key] = opened;
  const { counts, byLine, ...choice } = useUsage();
  const isOpen = locale !== undefined && key !== undefined && key !== "";
  const shown =
    texts === null
      ? []
      : sortLines(
          findLines(texts, filter, search, chosen.first, (one) => describeUse(words, one)),
          choice.order,
          (one) => byLine.get(`${one} ${chosen.first}`),
        );
  useFocusOnClose(isOpen ? `${key} ${locale}` : null);
  const list = { texts, shown, opened: isOpen ? { key, locale } : null };
  const languages = { texts, chosen, keep: keepLanguages };
  return html`<div class=${isOpen ? "texts two" : "texts"}>
    <section class="overview" aria-label=${words.texts}>
      <${Head} view=${view} />
      ${
        view === "texts" &&
        html`<${Attention}
          ...${{ ...languages, ...choice, counts, filter, choose: changeFilter }}
        />`
      }
      <div class="narrowing">
        <label class="search">
          <span>${words.search}</span>
          <input type="search" value=${typed} onInput=${(event: Event) => type(valueOf(event))} />
        </label>
        ${view === "texts" && html`<${LanguageChoice} ...${languages} />`}
        ${view === "texts" && session.insights && html`<${UsageChoice} ...${choice} />`}
      </div>
      <div class="tools">
        <${Filters} ...${{ texts, first: chosen.first, chosen: filter, choose: changeFilter }} />
        <${Switch} label=${words.handOver} isOn=${handOver} turn=${changeHandOver} />
      </div>
      <${Pending} of=${answer} />
      ${texts !== null && shown.length === 0 && html`<p class="quiet">${words.nothingFits}</p>`}
      ${
        texts !== null &&
        shown.length > 0 &&
        (view === "coverage"
          ? html`<${Coverage} ...${list} />`
          : html`<${Sentences}
              ...${{ ...list, chosen, filter, search, usage: session.insights ? byLine : null }}
            />`)
      }
      ${texts !== null && html`<${Languages} ...${languages} />`}
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
        ...${{ view, locale, line: key, keep, keepReviews }}
        use=${texts?.keys.find((one) => one.key === key)?.use ?? key}
        begun=${{ ...begun, value: draft }}
        review=${reviews.find((one) => one.key === key && one.locale === locale)}
      />`
    }
  </div>`;
}

/** Returns the focus to the line that was closed. Null if no line is open. */
function useFocusOnClose(line: string | null): void {
  const looked = useRef("");
  useLayoutEffect(() => {
    if (line === null)
      document.querySelector<HTMLElement>(`[data-line="${looked.current}"]`)?.focus();
    else looked.current = line;
  }, [line]);
}

/**
 * Reads the texts of a bot, its draft, and what is known about both.
 *
 * @param handOver true if the gateway's own lines for hand-overs are included
 */
function useTexts(handOver: boolean) {
  const { bot, channel, session, noteDraft } = useView();
  const instance = new URLSearchParams({ instance: bot }).toString();
  const lines = handOver ? "all" : "";
  const answer = useAnswer<Texts>(
    `texts?${new URLSearchParams({ instance: bot, channel, lines }).toString()}`,
  );
  const checked = useAnswer<FindingsAnswer>(`findings?${instance}`);
  const reviewed = useAnswer<{ readonly reviews: readonly Review[] }>(`reviews?${instance}`);
  const [reviews, keepReviews] = useState<readonly Review[]>([]);
  useEffect(() => keepReviews(reviewed.value?.reviews ?? []), [reviewed.value]);
  const begun = useAnswer<Draft>(canEdit(session) ? "draft" : null);
  const [latest, keep] = useState<Draft | null>(null);
  const draft = latest ?? begun.value;
  useEffect(() => {
    if (draft !== null) noteDraft(draft);
  }, [draft]);
  // The list does not wait for the files.
  const findings = checked.value?.findings;
  const notes = useMemo(() => noteCells(bot, findings ?? [], draft), [bot, findings, draft]);
  const texts: CheckedCell | null = answer.value && { ...answer.value, notes, reviews };
  return { texts, answer, begun, draft, keep, reviews, keepReviews };
}

/** The title, with links between the sentences and the letters. */
function Head({ view }: Pick<TextsProps, "view">): VNode {
  const { words } = useView();
  const link = (target: TextsProps["view"], word: string): VNode =>
    html`<a href=${`#/${target}`} aria-current=${target === view ? "true" : undefined}>${word}</a>`;
  return html`<div class="tools">
    <h2>${words.texts}</h2>
    <div class="segments" role="group" aria-label=${words.views}>
      ${link("texts", words.sentences)} ${link("coverage", words.coverage)}
    </div>
  </div>`;
}

interface FiltersProps {
  /** Null if they have not come yet. */
  readonly texts: CheckedCell | null;
  readonly chosen: CellFilter;
  readonly choose: (filter: CellFilter) => void;
  /** The language to work in. */
  readonly first: string;
}

/** Buttons that show some of the lines, each with their number. */
function Filters({ texts, chosen, choose, first }: FiltersProps): VNode {
  const { words } = useView();
  return html`<div role="group" class="filters" aria-label=${words.filter} onFocusIn=${showWhole}>
    ${FILTERS.map(
      (one) =>
        html`<button type="button" aria-pressed=${one === chosen} onClick=${() => choose(one)}>
          ${words[one]}${" "}
          <span class="number">
            ${texts !== null && texts.keys.filter(({ key }) => fits(texts, key, one, first)).length}
          </span>
        </button>`,
    )}
  </div>`;
}

/** On a phone the filters stand in one row, in which a browser leaves half a button out of sight. */
function showWhole({ target }: Event): void {
  if (target instanceof HTMLElement) target.scrollIntoView({ block: "nearest", inline: "nearest" });
}
