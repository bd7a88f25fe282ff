import type { VNode } from "preact";
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { InsightsAnswer, UsageCounts, LineUsage } from "../../../../api/console-insights.ts";
import { Select } from "../../../shared/fields.ts";
import { formatDays, formatNumber } from "../../../shared/format.ts";
import { addStyleSheet } from "../../../shared/style-sheet.ts";
import { fill, listOf, nameLanguage } from "../../../shared/words.ts";
import {
  countKnown,
  formatShare,
  lostShareOf,
  type Period,
  PERIODS,
  pathOfPeriod,
  rankOf,
  sumCounts,
} from "../../insights.ts";
import { describeUse, type Words } from "../../words.ts";
import { Pending, useAnswer, useView } from "../context.ts";
import { InsightTable, type SavedColumn } from "./insight-table.ts";
import { HandOvers, Topic, TOPICS } from "./insight-topics.ts";
import { byName } from "../texts/languages.ts";
import { QuestionsView } from "./questions.ts";
import { Trend } from "./trend.ts";

interface PeriodProps {
  readonly period: Period;
}

export interface InsightsProps extends PeriodProps {
  /** True to show the questions without an answer instead of the figures. */
  readonly showsQuestions: boolean;
}

/** The view of the lines that readers got, and what they did next. */
export function InsightsView({ period, showsQuestions }: InsightsProps): VNode {
  const { words, bot, session } = useView();
  if (!session.insights) {
    return html`<section class="insights" aria-label=${words.insights}>
      <h2>${words.insights}</h2>
      <p>${fill(words.insightsOff, { setting: "insights: { store: file }" })}</p>
    </section>`;
  }
  const shown = showsQuestions
    ? html`<${QuestionsView} key=${bot} />`
    : html`<${FiguresView} period=${period} />`;
  return html`<div class="tools of-insights">
      <h2>${words.insights}</h2>
      <nav class="segments" aria-label=${words.insights}>
        <a href="#/insights" aria-current=${showsQuestions ? undefined : "true"}
          >${words.figures}</a
        >
        <a href="#/insights/questions" aria-current=${showsQuestions ? "true" : undefined}>
          ${words.questions}
        </a>
      </nav>
    </div>
    ${shown}`;
}

function FiguresView({ period }: PeriodProps): VNode {
  const view = useView();
  const { words, language } = view;
  const answer = useAnswer<InsightsAnswer>(pathOfPeriod(period, view, true));
  return html`<section class="insights" aria-label=${words.figures}>
    <div class="tools">
      <nav class="segments" aria-label=${words.period}>
        ${PERIODS.map(
          (days) =>
            html`<a
              href=${`#/insights/${days}`}
              aria-current=${days === period ? "true" : undefined}
            >
              ${formatDays(days, language)}
            </a>`,
        )}
      </nav>
      <button type="button" onClick=${answer.again}>${words.refresh}</button>
    </div>
    <${Pending} of=${answer} />
    ${answer.value !== null && html`<${Figures} of=${answer.value} period=${period} />`}
  </section>`;
}

interface FiguresProps extends PeriodProps {
  readonly of: InsightsAnswer;
}

function Figures({ of, period }: FiguresProps): VNode {
  const { words, language } = useView();
  const date = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });
  const demo = of.demo && {
    from: date.format(Date.parse(of.demo.from)),
    to: date.format(Date.parse(of.demo.to)),
    command: "afterword insights erase --demo",
  };
  return html`${demo !== null && html`<p class="demo">${fill(words.demoFigures, demo)}</p>`}
    <${Totals} of=${of} />
    <${Trend} of=${of} period=${period} />
    <${Lines} of=${of} />
    <${LanguageTable} of=${of} />
    <div class="beside">
      <${HandOvers} of=${of} />
      ${TOPICS.map((one) => html`<${Topic} key=${one.topic} of=${of} ...${one} />`)}
    </div>
    <${Gaps} of=${of} />`;
}

/** The totals of the period. */
function Totals({ of }: { readonly of: InsightsAnswer }): VNode {
  const { words, language } = useView();
  const sums = sumCounts(of.lines);
  const lost = lostShareOf(sums);
  return html`<dl class="totals">
    <div>
      <dt>${words.messagesAnswered}</dt>
      <dd>${formatNumber(of.messages, language)}</dd>
    </div>
    <div>
      <dt>${words.timesSaid}</dt>
      <dd>${formatNumber(sums.said, language)}</dd>
    </div>
    <div>
      <dt>${words.helped}</dt>
      <dd>${lost === null ? "–" : formatShare(1 - lost, language)}</dd>
    </div>
  </dl>`;
}

type Group = UsageCounts & { readonly name: string; readonly rows: readonly LineUsage[] };

/** Lines or languages with their counts, the weakest first. */
function groupLines(rows: readonly LineUsage[], of: "line" | "language"): readonly Group[] {
  const groups = Map.groupBy(rows, (row) => row[of]);
  return [...groups]
    .map(([name, some]) => ({ name, rows: some, ...sumCounts(some) }))
    .toSorted((a, b) => rankOf(b) - rankOf(a) || b.said - a.said);
}

/** Lines by how many readers they have not helped, in one language or in all. */
function Lines({ of }: { readonly of: InsightsAnswer }): VNode {
  const { words, language } = useView();
  const [spoken, choose] = useState("");
  const tags = of.lines.map((row) => row.language);
  const rows = of.lines.filter((row) => spoken === "" || row.language === spoken);
  return html`<section>
    <label class="choice-of">
      <span>${words.language}</span>
      <${Select}
        value=${spoken}
        options=${[["", words.everyLanguage], ...byName([...new Set(tags)], language)]}
        change=${choose}
      />
    </label>
    <${InsightTable}
      rows=${groupLines(rows, "line")}
      columns=${[
        {
          title: words.line,
          of: ({ name, rows: some }: Group) => {
            const [weakest] = groupLines(some, "language");
            const use = describeUse(words, name);
            return html`<a href=${`#/texts/${weakest?.name ?? ""}/${name}`}>${use ?? name}</a>
              ${use !== null && html`<small>${name}</small>`}`;
          },
          saved: ({ name }: Group) => name,
        },
        ...createCountColumns(words, language),
        {
          title: words.speaker,
          of: ({ rows: some }: Group) => nameSpeakers(some, words, language),
        },
      ]}
      title=${words.byLine}
      about=${fill(words.notHelpedAbout, { zone: "UTC" })}
      file="lines"
    />
  </section>`;
}

function createColumn(title: string, name: keyof UsageCounts): SavedColumn<Group> {
  return { title, of: (one) => one[name], number: true };
}

function createCountColumns(words: Words, language: string): readonly SavedColumn<Group>[] {
  return [
    createColumn(words.timesSaid, "said"),
    {
      title: words.notHelped,
      of: (one) => {
        const share = lostShareOf(one);
        return share === null ? "–" : formatShare(share, language);
      },
      saved: (one) => (countKnown(one) === 0 ? "" : one.unrecovered),
      bar: lostShareOf,
      number: true,
    },
    createColumn(words.wentAnswered, "answered"),
    createColumn(words.wentClicked, "clicked"),
    createColumn(words.wentRatedUp, "ratedUp"),
    createColumn(words.handedOver, "handedOver"),
    createColumn(words.wentFailed, "failed"),
    createColumn(words.wentRatedDown, "ratedDown"),
    createColumn(words.wentLeft, "left"),
    createColumn(words.wentUnknown, "unknown"),
  ];
}

function nameSpeakers(rows: readonly LineUsage[], words: Words, language: string): string {
  const named = new Set(rows.map(({ speaker }) => words[SPEAKERS[speaker]]));
  return listOf([...named], language, "unit");
}

const SPEAKERS = {
  own: "yours",
  shipped: "shipped",
  another: "inherited",
  engine: "engine",
} as const satisfies Readonly<Record<LineUsage["speaker"], keyof Words>>;

function LanguageTable({ of }: { readonly of: InsightsAnswer }): VNode {
  const { words, language } = useView();
  const [times, lost] = createCountColumns(words, language);
  const speakers = (["own", "shipped", "another", "engine"] as const).map((speaker) => ({
    title: words[SPEAKERS[speaker]],
    of: ({ rows }: Group) => sumCounts(rows.filter((row) => row.speaker === speaker)).said,
    number: true,
  }));
  return html`<${InsightTable}
    rows=${groupLines(of.lines, "language")}
    columns=${[
      { title: words.language, of: ({ name }: Group) => nameLanguage(name, language) },
      ...[times, lost].flatMap((column) => column ?? []),
      ...speakers,
    ]}
    title=${words.byLanguage}
    file="languages"
  />`;
}

/** Periods without complete counts, with the reason. */
function Gaps({ of }: { readonly of: InsightsAnswer }): VNode | null {
  const { words, language } = useView();
  if (of.gaps.length === 0) return null;
  const time = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  return html`<section class="figure-table">
    <h3>${words.missingCounts}</h3>
    <ul>
      ${of.gaps.map(
        ({ from, to, why }) =>
          html`<li>
            ${time.formatRange(Date.parse(from), Date.parse(to))}:
            ${" "}${words[GAPS[why] ?? "gapStore"]}
          </li>`,
      )}
    </ul>
  </section>`;
}

/** By the reasons that reports give. */
const GAPS: Readonly<Record<string, keyof Words>> = {
  "the store was away": "gapStore",
  "the clock was set back": "gapClock",
  "a process ended suddenly, and its last second may be missing": "gapEnded",
  "more messages came than could be counted": "gapMany",
};

// Only this view needs the style sheet, so it is loaded with it.
await addStyleSheet(new URL("../../insights.css", import.meta.url));
