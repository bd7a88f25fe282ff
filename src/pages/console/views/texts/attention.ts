import type { VNode } from "preact";
import { html } from "htm/preact";
import type { InsightsAnswer, UsageCounts } from "../../../../api/console-insights.ts";
import { formatNumber } from "../../../shared/format.ts";
import { nameLanguage, listOf } from "../../../shared/words.ts";
import { sumByLine, isWeak } from "../../insights.ts";
import { describeUse, type Words } from "../../words.ts";
import { type CheckedCell, type CellFilter, fits, fitsCell } from "./cells.ts";
import type { ChosenLanguages } from "./languages.ts";
import { type ApiAnswer, go, useAnswer, useView } from "../context.ts";
import { type Order, sortLines } from "./usage.ts";

interface AttentionProps {
  /** Null until they are loaded. */
  readonly texts: CheckedCell | null;
  readonly chosen: ChosenLanguages;
  readonly keep: (next: Partial<ChosenLanguages>) => void;
  readonly filter: CellFilter;
  readonly choose: (filter: CellFilter) => void;
  /** The counts of readers. */
  readonly counts: ApiAnswer<InsightsAnswer>;
  readonly order: Order;
  readonly chooseOrder: (order: Order) => void;
}

/**
 * Shows what to look at first. Every part takes its space from the beginning, so that nothing
 * moves.
 */
export function Attention(given: AttentionProps): VNode {
  const { texts, chosen, keep, filter, choose } = given;
  const { words, language, session } = useView();
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
    <h2 class="unseen">${words.attention}</h2>
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
    ${session.insights && html`<${OfReaders} ...${given} />`}
    ${session.questions && html`<${OfQuestions} />`}
  </section>`;
}

/** The most groups that are examined, because each needs a search of all contents. */
const maxQuestions = 20;

/** Shows how many questions of readers have no answer yet, and the one that most asked. */
function OfQuestions(): VNode {
  const { words, language, bot } = useView();
  const query = new URLSearchParams({ instance: bot, days: "no", questions: `${maxQuestions}` });
  const answer = useAnswer<InsightsAnswer>(`insights?${query.toString()}`);
  const { value } = answer;
  const groups = value?.questions ?? [];
  const open = groups.filter(({ answered }) => answered === null);
  const more = groups.length === maxQuestions ? "+" : "";
  const count = `${formatNumber(open.length, language)}${more}`;
  if (answer.problem !== null) return html`<${Failed} name=${words.questions} of=${answer} />`;
  return html`<button
    type="button"
    class=${open.length === 0 ? "clear" : ""}
    disabled=${open.length === 0}
    onClick=${() => go("insights/questions")}
  >
    <b>${value === null ? "…" : count}</b>${" "}
    <span>${words.questions} <small dir="auto">${open[0]?.text ?? ""}</small></span>
  </button>`;
}

/** Shows which lines help too few readers, and which languages readers asked for in vain. */
function OfReaders({ counts, texts, chosen, order, chooseOrder }: AttentionProps): VNode {
  const { words, language } = useView();
  const counted = counts.value;
  const byLine = sumByLine(counted);
  const countsOf = (line: string): UsageCounts | undefined => byLine.get(`${line} ${chosen.first}`);
  const lines = sortLines(
    (texts?.keys ?? []).map(({ key }) => key),
    "orderWeak",
    countsOf,
  );
  const weak = lines.filter((line) => {
    const found = countsOf(line);
    return found !== undefined && isWeak(found);
  });
  const languages = (counted?.topics ?? []).filter(({ topic }) => topic === "language");
  const names = languages.slice(0, 3).map(({ name }) => nameLanguage(name, language));
  const isSorted = order === "orderWeak" && weak.length > 0;
  if (counts.problem !== null) {
    return html`<${Failed} name=${words.weakestLines} of=${counts} />
      <${Failed} name=${words.languagesAsked} of=${counts} />
      <p class="unseen" role="alert">${counts.problem}</p>`;
  }
  return html`<button
      type="button"
      class=${weak.length === 0 ? "clear" : ""}
      aria-pressed=${isSorted}
      disabled=${weak.length === 0}
      onClick=${() => chooseOrder(isSorted ? "orderUsual" : "orderWeak")}
    >
      <b>${counted === null ? "…" : weak.length}</b>${" "}
      <span
        >${words.weakestLines}
        <small>${weak.slice(0, 1).map((line) => describeUse(words, line) ?? line)}</small></span
      >
    </button>
    <button
      type="button"
      class=${languages.length === 0 ? "clear" : ""}
      disabled=${languages.length === 0}
      onClick=${() => go("insights")}
    >
      <b>${counted === null ? "…" : languages.length}</b>${" "}
      <span>${words.languagesAsked} <small>${listOf(names, language)}</small></span>
    </button>`;
}

interface FailedProps {
  readonly name: string;
  readonly of: ApiAnswer<unknown>;
}

/** Replaces figures that could not be read, so that nothing moves. */
function Failed({ name, of: answer }: FailedProps): VNode {
  const { words } = useView();
  return html`<button type="button" class="failed" onClick=${answer.again}>
    <b aria-hidden="true">!</b>${" "}
    <span>${name} <small>${answer.problem} ${words.again}</small></span>
  </button>`;
}
