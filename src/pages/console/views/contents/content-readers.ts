import type { VNode } from "preact";
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type {
  AskedQuestion,
  InsightsAnswer,
  UsageCounts,
} from "../../../../api/console-insights.ts";
import { countKnown, formatShare, pathOfPeriod, type Period, sumCounts } from "../../insights.ts";
import type { Words } from "../../words.ts";
import { mayReadQuestions, Pending, useAnswer, useView } from "../context.ts";
import { InsightTable } from "../figures/insight-table.ts";
import { QuestionFacts } from "../figures/questions.ts";
import { PeriodSelect, Usage } from "../texts/usage.ts";

interface ReadersProps {
  readonly locale: string;
  readonly id: number;
}

/** The most groups of questions that are shown. */
const maxGroups = 20;

/** How often a content was the answer, what its readers did next, and what they had asked. */
export function ContentReaders({ locale, id }: ReadersProps): VNode | null {
  const view = useView();
  const { words, session } = view;
  const [period, choosePeriod] = useState<Period>(30);
  const questions = mayReadQuestions(session) ? `&questions=${maxGroups}` : "";
  const path = `${pathOfPeriod(period, view, false)}&contents=${locale}/${id}${questions}`;
  const answer = useAnswer<InsightsAnswer>(session.insights ? path : null);
  const { value } = answer;
  if (!session.insights) return null;
  return html`<section class="readers" aria-label=${words.contentReaders}>
    <label class="choice-of">
      <span class="unseen">${words.period}</span>
      <${PeriodSelect} period=${period} choose=${choosePeriod} />
    </label>
    <${Pending} of=${answer} />
    ${
      value !== null &&
      html`<${Outcomes} of=${sumCounts(value.contents ?? [])} />
        <${AnsweredQuestions} of=${value.questions ?? []} id=${id} />`
    }
  </section>`;
}

const OUTCOMES = [
  ["answered", "wentAnswered"],
  ["clicked", "wentClicked"],
  ["ratedUp", "wentRatedUp"],
  ["handedOver", "handedOver"],
  ["failed", "wentFailed"],
  ["ratedDown", "wentRatedDown"],
  ["left", "wentLeft"],
] as const satisfies readonly (readonly [keyof UsageCounts, keyof Words])[];

interface OutcomeRow {
  readonly name: string;
  readonly count: number;
}

/** Counts what readers did after the content, with shares of those with a known outcome. */
function Outcomes({ of }: { readonly of: UsageCounts }): VNode {
  const { words, language } = useView();
  const known = countKnown(of);
  const counted = OUTCOMES.map(([name, word]) => ({ name: words[word], count: of[name] }));
  const share = ({ count }: OutcomeRow): number => count / Math.max(1, known);
  const isOpen = of.said > 0 && known === 0;
  // Readers have half an hour to go on.
  if (isOpen) return html`<p><${Usage} of=${of} /> · ${words.fewReaders}</p>`;
  return html`${of.said > 0 && html`<p><${Usage} of=${of} /></p>`}
    <${InsightTable}
      rows=${of.said === 0 ? [] : counted.filter(({ count }) => count > 0)}
      columns=${[
        { title: words.readersNext, of: ({ name }: OutcomeRow) => name },
        { title: words.count, of: ({ count }: OutcomeRow) => count, number: true, bar: share },
        {
          title: "%",
          of: (row: OutcomeRow) => formatShare(share(row), language),
          number: true,
        },
      ]}
      title=${words.contentReaders}
      about=${words.readersLeft}
      file="readers"
    />`;
}

interface AnsweredProps {
  readonly of: readonly AskedQuestion[];
  readonly id: number;
}

/** The questions that the content answered, those of most conversations first. */
function AnsweredQuestions({ of, id }: AnsweredProps): VNode | null {
  const { words } = useView();
  if (of.length === 0) return null;
  return html`<h3>${words.questionsAnswered}</h3>
    <ul class="asked">
      ${of.map(
        (one) =>
          html`<li key=${one.id}>
            <h4 lang=${one.language}><bdi>${one.text}</bdi></h4>
            <${QuestionFacts} of=${one} isNearestShown=${one.nearest?.id !== id} />
          </li>`,
      )}
    </ul>`;
}
