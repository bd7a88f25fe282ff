import type { VNode } from "preact";
import { html } from "htm/preact";
import { nameLanguage, listOf } from "../../shared/words.ts";
import type { Words } from "../words.ts";
import { type CheckedCell, type CellFilter, fits, fitsCell } from "./cells.ts";
import type { ChosenLanguages } from "./languages.ts";
import { useView } from "./context.ts";

interface AttentionProps {
  /** Null until they are loaded. */
  readonly texts: CheckedCell | null;
  readonly chosen: ChosenLanguages;
  readonly keep: (next: Partial<ChosenLanguages>) => void;
  readonly filter: CellFilter;
  readonly choose: (filter: CellFilter) => void;
}

/**
 * Shows what to look at first. Every part takes its space from the beginning, so that nothing
 * moves.
 */
export function Attention({ texts, chosen, keep, filter, choose }: AttentionProps): VNode {
  const { words, language } = useView();
  const keys = texts?.keys.map(({ key }) => key) ?? [];
  const count = (one: CellFilter): number | null =>
    texts && keys.filter((key) => fits(texts, key, one, chosen.first)).length;
  const withoutTexts =
    texts &&
    chosen.mine.filter((locale) => keys.some((key) => fitsCell(texts, key, locale, "without")));
  const names = (withoutTexts ?? []).map((one) => nameLanguage(one, language));
  const createItem = (
    word: keyof Words,
    of: number | null,
    about: string,
    one: CellFilter,
    act: () => void,
  ): VNode =>
    html`<button
      type="button"
      class=${of === 0 ? "clear" : ""}
      aria-pressed=${one === filter && of !== 0}
      disabled=${of === 0 || of === null}
      onClick=${act}
    >
      <b>${of ?? "…"}</b>${" "}
      <span>${words[word]} <small>${about}</small></span>
    </button>`;
  const [mistakes, reviews] = [count("mistakes"), count("notReviewed")];
  return html`<section class="attention" aria-label=${words.attention}>
    <h2>${words.attention}</h2>
    ${createItem("mistakesHere", mistakes, words.everyLanguage, "mistakes", () => choose("mistakes"))}
    ${createItem(
      "languagesWithout",
      withoutTexts && withoutTexts.length,
      listOf(names, language),
      "without",
      () => {
        keep({ first: withoutTexts?.[0] ?? chosen.first });
        choose("without");
      },
    )}
    ${createItem(
      "linesNotReviewed",
      reviews,
      chosen.first === "" ? "" : nameLanguage(chosen.first, language),
      "notReviewed",
      () => choose("notReviewed"),
    )}
  </section>`;
}
