import { resolve } from "node:path";
import { isCalendarDate } from "../../direct-answers/default-content.ts";
import { type Arguments, readChoice, createArgumentError } from "../command/arguments.ts";
import { findDatabase, databaseOptions, withDatabase } from "../backend/database-option.ts";
import { writeCounts, writeSession } from "../backend/report-formats.ts";
import { countEvents } from "../backend/report-rows.ts";
import { type EventFilter, readReportedEvents } from "../backend/reported-events.ts";
import type { Command } from "../command/command.ts";
import { existsSync } from "node:fs";
import { loadAllContent } from "../../backend/content/load.ts";
import { readStoredRows } from "../../backend/content/rows.ts";
import { createContents } from "../../backend/storage/contents.ts";
import type { BackendDatabase } from "../../backend/storage/tables/database.ts";

const name = "backend report";

export const backendReportCommand: Command = {
  name,
  usage: "[--from D] [--to D] [--by day|type|content] [--session ID] [--format text|csv|json]",
  options: [
    { name: "from", value: "D", help: "first day, as 2026-11-01; days begin at midnight UTC" },
    { name: "to", value: "D", help: "last day" },
    { name: "by", value: "WHAT", help: "day (default), type or content" },
    { name: "project", value: "P", help: "of this project only (default: of all)" },
    { name: "session", value: "ID", help: "instead, list what one session did" },
    { name: "positive", value: "ID", help: "id of a good rating (default: 1)", many: true },
    { name: "negative", value: "ID", help: "id of a bad rating (default: 2)", many: true },
    {
      name: "content",
      value: "DIR",
      help: "directory of the contents, for their titles (default: config/backend)",
    },
    { name: "format", value: "F", help: "text (default), csv or json" },
    ...databaseOptions,
  ],
  async run(args, terminal) {
    const format = readChoice(args, "format", ["text", "csv", "json"]);
    const by = readChoice(args, "by", ["day", "type", "content"]);
    const content = resolve(args.one("content") ?? "config/backend");
    const filter = filterOf(args);
    const ratings = {
      positive: idsOf(args, "positive", "1"),
      negative: idsOf(args, "negative", "2"),
    };
    return withDatabase(findDatabase(args, terminal), async (database) => {
      const events = readReportedEvents(database, filter);
      if (filter.session === null) {
        const rows = await countEvents(events, by, ratings);
        const titles = by === "content" ? await readContentTitles(database, content) : null;
        terminal.out(writeCounts[format](rows, { by, titles }, terminal));
        return 0;
      }
      const list = await Array.fromAsync(events);
      terminal.out(
        writeSession[format](
          list.toSorted((a, b) => a.at - b.at),
          terminal,
        ),
      );
      if (list.length > 0) return 0;
      terminal.error(`afterword ${name}: no event of session "${filter.session}" is kept\n`);
      return 1;
    });
  },
};

function filterOf(args: Arguments): EventFilter {
  const from = dayOf("--from", args.one("from"));
  const to = dayOf("--to", args.one("to"));
  if (from !== null && to !== null && to < from)
    throw createArgumentError(name, "--to is before --from");
  return {
    from,
    before: to === null ? null : to + 86_400_000,
    project: args.one("project"),
    session: args.one("session"),
  };
}

function dayOf(option: string, text: string | null): number | null {
  if (text === null) return null;
  if (isCalendarDate(text)) return Date.parse(`${text}T00:00:00Z`);
  throw createArgumentError(name, `${option} is a day such as 2026-11-01, not "${text}"`);
}

function idsOf(args: Arguments, option: string, byDefault: string): ReadonlySet<string> {
  const given = args.all(option).flatMap((list) => list.split(","));
  return new Set(given.length === 0 ? [byDefault] : given.map((id) => id.trim()));
}

/** Reads titles by content id, in the first language. Empty if unreadable, which other commands report. */
async function readContentTitles(
  database: BackendDatabase,
  directory: string,
): Promise<ReadonlyMap<string, string>> {
  const titles = new Map<string, string>();
  if (!existsSync(directory)) return titles;
  const rows = readStoredRows(await createContents(database).all());
  const { content } = loadAllContent(directory, { rows, environment: null });
  const items = [...(content?.languages.values() ?? [])].flatMap((language) => language.items);
  for (const { id, title } of items.toReversed()) titles.set(String(id), title);
  return titles;
}
