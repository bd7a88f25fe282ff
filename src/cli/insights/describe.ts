import {
  type InsightsReport,
  type LineCounts,
  OUTCOMES,
  type Outcome,
  type Topic,
} from "../../insights/facts.ts";
import { countKnown, countUnrecovered } from "../../insights/shown-lines.ts";
import { formatCount } from "../command/counted.ts";
import { tableOf } from "../backend/print-list.ts";
import type { Terminal } from "../command/command.ts";

/** The titles of contents, by `language/id`. */
export type ContentTitles = ReadonlyMap<string, string>;

/** Describes insights for their owner. The lines that helped the fewest readers come first. */
export function describeInsights(
  report: InsightsReport,
  { columns }: Pick<Terminal, "columns">,
  titles: ContentTitles,
): string {
  const { from, to, messages, gaps, demo } = report;
  const days =
    from === null && to === null ? "" : `${from ?? "the first day"} to ${to ?? "today"}: `;
  const parts = [
    `${days}${formatCount(messages, "message")} answered`,
    describeLines(report, columns),
    describeContents(report, titles, columns),
    describeFunnel(report),
    ...sections.map(([topic, heading]) => describeTopic(report, topic, heading, columns)),
    ...gaps.map(describeGap),
    demo === null
      ? ""
      : `${demo.from} to ${demo.to}: counted from a demo, not from readers (insights erase --demo)`,
  ];
  return `${parts
    .filter((part) => part !== "")
    .join("\n\n")
    .trimEnd()}\n`;
}

function describeLines({ lines }: InsightsReport, width: number): string {
  if (lines.length === 0) return "No line has been said yet.";
  const groups = Map.groupBy(lines, ({ instance, line }) => `${instance}\n${line}`);
  const rows = [...groups.values()]
    .map((group) => {
      const sums = sumOf(group);
      const { instance = "", line = "" } = group[0] ?? {};
      return { instance, line, sums, unrecovered: countUnrecovered(line, sums), group };
    })
    .toSorted((a, b) => b.unrecovered - a.unrecovered || b.sums.said - a.sums.said);
  const heading = ["LINE", ...countHeading, "BY"];
  const cells = rows.map(({ instance, line, sums, unrecovered, group }) => [
    `${instance}: ${line}`,
    ...describeCounts({ ...sums, unrecovered }),
    [...new Set(group.map(({ speaker }) => speaker))].join(", "),
  ]);
  return `What was said, and what readers did next\n\n${tableOf(heading, cells, Math.max(width, 120))}`.trimEnd();
}

function describeContents(
  { contents = [] }: InsightsReport,
  titles: ContentTitles,
  width: number,
): string {
  if (contents.length === 0) return "";
  const cells = contents.map((counts) => {
    const name = `${counts.language}/${counts.id}`;
    return [
      `${counts.instance}: ${name} ${titles.get(name) ?? ""}`.trimEnd(),
      ...describeCounts(counts),
    ];
  });
  const table = tableOf(["CONTENT", ...countHeading], cells, Math.max(width, 120));
  return `Contents that your own bot answered with, and what readers did next\n\n${table}`.trimEnd();
}

type Counts = LineCounts & { readonly unrecovered: number };

/** Formats counts as the cells below {@link countHeading}. */
function describeCounts(counts: Counts): readonly string[] {
  const { said: times, unrecovered } = counts;
  const known = countKnown(counts);
  return [
    String(times),
    known === 0 ? "-" : `${unrecovered} (${shareOf(unrecovered, known)})`,
    ...OUTCOMES.map((one) => (counts[one] === 0 ? "-" : String(counts[one]))),
  ];
}

const outcomeNames: Readonly<Record<Outcome, string>> = {
  answered: "ANSWERED",
  failed: "FAILED",
  clicked: "CLICKED",
  handedOver: "HANDED",
  ratedUp: "GOOD",
  ratedDown: "BAD",
  left: "LEFT",
  unknown: "?",
};

const countHeading = ["SAID", "NOT HELPED", ...OUTCOMES.map((one) => outcomeNames[one])];

function sumOf(group: InsightsReport["lines"]) {
  const sum = (name: Outcome | "said"): number =>
    group.reduce((total, row) => total + row[name], 0);
  return {
    said: sum("said"),
    answered: sum("answered"),
    failed: sum("failed"),
    clicked: sum("clicked"),
    handedOver: sum("handedOver"),
    ratedUp: sum("ratedUp"),
    ratedDown: sum("ratedDown"),
    left: sum("left"),
    unknown: sum("unknown"),
  };
}

/** Describes how far hand-overs got, each stage with its share of the offers. */
function describeFunnel({ topics }: InsightsReport): string {
  const counted = new Map<string, number>();
  for (const { topic, name, count } of topics) {
    if (topic === "hand-over") counted.set(name, (counted.get(name) ?? 0) + count);
  }
  const offered = counted.get("offered") ?? 0;
  if (offered === 0) return "";
  const steps = ["accepted", "person", "ticket", "nobody"].map((stage) => {
    const count = counted.get(stage) ?? 0;
    return `${stage} ${count} (${shareOf(count, offered)})`;
  });
  return `Hand-overs: offered ${offered}, ${steps.join(", ")}`;
}

const sections: readonly (readonly [Topic, string])[] = [
  ["language", "Languages that readers asked for and that no text is in"],
  ["left-alone", "Answers that were left alone, by reason"],
  ["default-content", "Default content that was seen"],
  ["unexpected", "Flags that arrived although default content is active: is `created` right?"],
];

function describeTopic(
  { topics }: InsightsReport,
  topic: Topic,
  heading: string,
  width: number,
): string {
  const rows = topics.filter((row) => row.topic === topic);
  if (rows.length === 0) return "";
  const cells = rows.map(({ instance, name, count }) => [name, String(count), instance]);
  return `${heading}\n\n${tableOf(["WHAT", "TIMES", "INSTANCE"], cells, width)}`.trimEnd();
}

function describeGap({ from, to, why }: InsightsReport["gaps"][number]): string {
  const day = from.slice(0, 10);
  const end = to.slice(0, 10) === day ? to.slice(11, 16) : `${to.slice(0, 10)} ${to.slice(11, 16)}`;
  return `counts are missing from ${day} ${from.slice(11, 16)} to ${end} UTC: ${why}`;
}

function shareOf(count: number, whole: number): string {
  return `${Math.round((100 * count) / whole)} %`;
}
