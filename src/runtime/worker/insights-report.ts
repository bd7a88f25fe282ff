import { dayOf } from "../../insights/batch.ts";
import {
  COUNTS,
  type InsightsReport,
  type LineKey,
  type ReportFilter,
} from "../../insights/facts.ts";
import { assembleReport } from "../../insights/assemble-report.ts";
import type { ObjectStorage } from "./platform.ts";

/** Reads the counts of an object. */
export function readReport(
  { sql }: Pick<ObjectStorage, "sql">,
  filter: ReportFilter,
): InsightsReport {
  const from = filter.from === null ? 0 : dayOf(Date.parse(filter.from));
  const to = filter.to === null ? 1e9 : dayOf(Date.parse(filter.to));
  const named = filter.instances && JSON.stringify([...filter.instances, ""]);
  const ofInstances = "(?3 IS NULL OR instance IN (SELECT value FROM json_each(?3)))";
  const ofChannel = "(?4 IS NULL OR channel = ?4)";
  const within = `WHERE day >= ?1 AND day <= ?2 AND ${ofInstances}`;
  const sums = COUNTS.map((name) => `sum("${name}") AS "${name}"`).join(", ");
  const topics = [
    ...sql.exec(
      `SELECT topic, instance, name, sum(count) AS count FROM insight_topics ${within}
        GROUP BY topic, instance, name`,
      from,
      to,
      named,
    ),
  ].map(({ topic, instance, name, count }) => {
    const texts = { topic: String(topic), instance: String(instance), name: String(name) };
    return { ...texts, count: Number(count) };
  });
  const channel = filter.channel ?? null;
  const lines = sql.exec(
    `SELECT instance, language, channel, line, speaker, ${COUNTS.map((name) => `"${name}"`).join(", ")}
      FROM (SELECT series, ${sums} FROM insight_lines WHERE day >= ?1 AND day <= ?2
        AND series IN (SELECT id FROM insight_series WHERE ${ofInstances} AND ${ofChannel})
        GROUP BY series) JOIN insight_series ON id = series`,
    from,
    to,
    named,
    channel,
  );
  const days =
    filter.days === false
      ? []
      : sql.exec(
          `SELECT day, instance, line, ${sums} FROM insight_days ${within} AND ${ofChannel}
            GROUP BY instance, day, line`,
          from,
          to,
          named,
          channel,
        );
  return assembleReport(filter, {
    lines: [...lines].map((row) => ({ ...row, ...toLineKey(row) })),
    days: [...days].map((row) => {
      const { instance, line } = toLineKey(row);
      return { ...row, day: Number(row["day"]), instance, line };
    }),
    topics,
    demo: null,
    gaps: [
      ...sql.exec(
        "SELECT * FROM insight_gaps WHERE until >= ? AND since < ? ORDER BY since DESC LIMIT 100",
        from * 86_400_000,
        (to + 1) * 86_400_000,
      ),
    ].map(({ since, until, why }) => {
      return { since: Number(since), until: Number(until), why: String(why) };
    }),
  });
}

type Row = Readonly<Record<string, unknown>>;

function toLineKey(row: Row): LineKey {
  const { instance, language, channel, line, speaker } = row;
  return {
    instance: String(instance),
    language: String(language),
    channel: String(channel),
    line: String(line),
    speaker:
      speaker === "own" || speaker === "shipped" || speaker === "another" ? speaker : "engine",
  };
}
