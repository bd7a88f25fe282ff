import type { VNode } from "preact";
import { html } from "htm/preact";
import type { InsightsAnswer } from "../../../../api/console-insights.ts";
import { nameLanguage } from "../../../shared/words.ts";
import { formatShare } from "../../insights.ts";
import { explainOutcome, type Words } from "../../words.ts";
import { useView } from "../context.ts";
import { InsightTable, type SavedColumn } from "./insight-table.ts";

interface Counted {
  readonly name: string;
  readonly count: number;
}

/** Creates a column of names and one of counts. The bar of a count is its share of the largest. */
function createTopicColumns(
  words: Words,
  title: string,
  largest: number,
): readonly SavedColumn<Counted>[] {
  const part = ({ count }: Counted): number => count / Math.max(1, largest);
  return [
    { title, of: ({ name }) => name },
    { title: words.count, of: ({ count }) => count, number: true, bar: part },
  ];
}

/** Shows how many hand-overs reached each stage, as a share of those that were offered. */
export function HandOvers({ of }: { readonly of: InsightsAnswer }): VNode {
  const { words, language } = useView();
  const counted = STAGES.map(([stage, word]) => ({
    name: words[word],
    count: countTopic(of, "hand-over", stage),
  }));
  const offered = counted[0]?.count ?? 0;
  return html`<${InsightTable}
    rows=${counted.every(({ count }) => count === 0) ? [] : counted}
    columns=${[
      ...createTopicColumns(words, words.outcome, offered),
      {
        title: "%",
        of: ({ count }: Counted) =>
          offered === 0 ? "–" : formatShare(Math.min(1, count / offered), language),
        number: true,
      },
    ]}
    title=${words.handOvers}
    file="hand-overs"
  />`;
}

const STAGES = [
  ["offered", "phaseOffered"],
  ["accepted", "stageAccepted"],
  ["person", "stagePerson"],
  ["ticket", "ticket"],
  ["nobody", "stageNobody"],
] as const satisfies readonly (readonly [string, keyof Words])[];

type TopicName = InsightsAnswer["topics"][number]["topic"];

function countTopic(of: InsightsAnswer, topic: TopicName, name: string): number {
  return of.topics
    .filter((one) => one.topic === topic && one.name === name)
    .reduce((sum, { count }) => sum + count, 0);
}

export const TOPICS = [
  { topic: "language", title: "languagesAsked", column: "language" },
  { topic: "left-alone", title: "leftAlone", column: "reason" },
  { topic: "default-content", title: "defaultSeen", column: "line" },
  { topic: "unexpected", title: "unexpectedSeen", column: "line" },
] as const satisfies readonly {
  readonly topic: TopicName;
  readonly title: keyof Words;
  readonly column: keyof Words;
}[];

type TopicProps = (typeof TOPICS)[number] & { readonly of: InsightsAnswer };

export function Topic({ of, topic, title, column }: TopicProps): VNode {
  const { words, language } = useView();
  const rows = of.topics
    .filter((one) => one.topic === topic)
    .map(({ name, count }) => {
      if (topic === "language") return { name: nameLanguage(name, language), count };
      return { name: topic === "left-alone" ? explainOutcome(words, name) : name, count };
    });
  return html`<${InsightTable}
    rows=${rows}
    columns=${createTopicColumns(words, words[column], rows[0]?.count ?? 0)}
    title=${words[title]}
    file=${topic}
  />`;
}
