// Suite: slow
import { parse } from "csv-parse/sync";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chartOf } from "../../../src/cli/backend/report-formats.ts";
import type { ReportRow } from "../../../src/cli/backend/report-rows.ts";
import { afterword } from "../terminal.ts";
import { inDatabase } from "./place.ts";
import { reports } from "./suites/reports.ts";
import { createFolder } from "../../fixtures/folder.ts";

reports("SQLite", async () => join(createFolder(), "backend.db"));

const nothing = { events: 0, sessions: 0, clicks: 0, positive: 0, negative: 0, others: 0 };
const rows: readonly ReportRow[] = [
  { ...nothing, label: "2026-11-01", events: 10_000, sessions: 12 },
  { ...nothing, label: "2026-11-02", events: 5000 },
  { ...nothing, label: "2026-11-03", events: 1 },
  { ...nothing, label: "2026-11-04" },
];

test.each([40, 60, 80, 200])("a chart is no wider than a terminal of %d columns", (columns) => {
  const chart = chartOf("DAY", rows, { columns, interactive: false, env: {} });
  const lines = chart.trimEnd().split("\n");
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
  // All lines end in the same column, and the number of events is always there.
  expect(new Set(lines.map((line) => line.length)).size).toBe(1);
  const bars = lines.slice(1).map((line) => line.match(/[█▏▎▍▌▋▊▉]+/g)?.join("") ?? "");
  const [most = "", half = "", least, none] = bars;
  expect(most).toMatch(/^█{8,60}$/);
  expect(half.length).toBe(Math.ceil(most.length / 2));
  expect([least, none]).toEqual(["▏", ""]);
  expect(lines.map((line) => /\d\d (?=[█▏▎▍▌▋▊▉ ]* +(\d+))/.exec(line)?.[1]).slice(1)).toEqual(
    rows.map(({ events }) => String(events)),
  );
  expect(lines[0]).toMatch(columns < 80 ? /EVENTS/ : /EVENTS +SESSIONS +CLICKS +GOOD +BAD$/);
});

test("a chart has colours on a terminal only, and not where nobody wants them", () => {
  const colours = (interactive: boolean, env: Record<string, string>): boolean =>
    chartOf("DAY", rows, { columns: 80, interactive, env }).includes("\u001B[");
  expect(colours(true, {})).toBe(true);
  expect(colours(true, { NO_COLOR: "" })).toBe(true);
  expect(colours(true, { NO_COLOR: "1" })).toBe(false);
  expect(colours(false, {})).toBe(false);
});

test("CSV holds nothing that a spreadsheet would run", async () => {
  const database = join(createFolder(), "backend.db");
  await inDatabase(database, ({ kysely }) =>
    kysely
      .insertInto("events")
      .values({
        ...{ at: 0, project: "shop", session: "s", type: '=HYPERLINK("x")' },
        data: '{"code":"rate.1.1","value":1,"comment":"@SUM(1)\\r\\n,\\""}',
      })
      .execute(),
  );
  const report = (...args: string[]) =>
    afterword(["backend", "report", "--database", database, "--format", "csv", ...args]);
  const byType = await report("--by", "type");
  expect(parse(byType.out)).toEqual([
    ["type", "events", "sessions", "clicks", "positive", "negative", "other ratings"],
    ['chatbot =HYPERLINK("x")', "1", "1", "0", "1", "0", "0"],
  ]);
  const session = await report("--session", "s");
  const [heading = [], line = []]: string[][] = parse(session.out);
  expect(Object.fromEntries(heading.map((name, at) => [name, line[at]]))).toMatchObject({
    time: "1970-01-01T00:00:00.000Z",
    type: `'=HYPERLINK("x")`,
    text: `'@SUM(1)\r\n,"`,
    rating: "1",
  });
});

test("without events a report says so, in every format", async () => {
  const database = join(createFolder(), "backend.db");
  await inDatabase(database, async () => undefined);
  const report = (format: string) =>
    afterword(["backend", "report", "--database", database, "--format", format]);
  expect(await report("text")).toStrictEqual({ code: 0, out: "no events\n", error: "" });
  expect((await report("csv")).out).toMatch(/^"day","events",[^\n]*\n$/);
  expect(JSON.parse((await report("json")).out)).toEqual({ by: "day", rows: [] });
});

test.each([
  [["--from", "yesterday"], /--from is a day such as 2026-11-01, not "yesterday"/],
  [["--to", "2026-02-30"], /--to is a day/],
  [["--from", "2026-11-02", "--to", "2026-11-01"], /--to is before --from/],
  [["--by", "week"], /--by is day, type or content, not "week"/],
  [["--format", "pdf"], /--format is text, csv or json, not "pdf"/],
  [["now"], /unexpected argument "now"/],
])("%j end in one line and exit code 2", async (args, expected) => {
  const result = await afterword(["backend", "report", ...args]);
  expect(result).toMatchObject({ code: 2, out: "", error: expect.stringMatching(expected) });
  expect(result.error).toMatch(/^afterword backend report: [^\n]*\n$/);
});
