import { existsSync } from "node:fs";
import { isCalendarDate } from "../../direct-answers/default-content.ts";
import { isPostgresAddress } from "../../database-address.ts";
import { loadConfig } from "../../config/load/load.ts";
import { writeCsv } from "../../config/translation/spreadsheet-cell.ts";
import { AfterwordError } from "../../errors.ts";
import { eraseInsights } from "../../insights/erase.ts";
import {
  type ContentCounts,
  type Insights,
  type InsightsReport,
  OUTCOMES,
  type ReportFilter,
} from "../../insights/facts.ts";
import { readInsights } from "../../insights/open-insights.ts";
import { toContentLine } from "../../insights/shown-lines.ts";
import { openInsightsDatabase } from "../../insights/tables.ts";
import { addressOf } from "../../runtime/node/insights.ts";
import {
  type Arguments,
  readChoice,
  createArgumentError,
  type Option,
} from "../command/arguments.ts";
import {
  type Command,
  askToErase,
  findConfigFile,
  configOption,
  type Terminal,
} from "../command/command.ts";
import { formatCount } from "../command/counted.ts";
import { type ContentTitles, describeInsights } from "../insights/describe.ts";
import {
  describeQuestions,
  listQuestionRows,
  readContentTitles,
  readKeptQuestions,
} from "../insights/questions.ts";
import { openRunningGateway } from "../insights/running-gateway.ts";

const name = "insights";

const urlOption: Option = {
  name: "url",
  value: "URL",
  help: "address of a running gateway, used instead of a configuration's store; the token comes from AFTERWORD_ADMIN_TOKEN",
};

export const insightsCommand: Command = {
  name,
  usage:
    "[--from D] [--to D] [--instance NAME] [--questions] [--format text|json|csv] [--config FILE | --url URL]",
  options: [
    { name: "from", value: "D", help: "first day, as 2026-11-01; days begin at midnight UTC" },
    { name: "to", value: "D", help: "last day" },
    { name: "instance", value: "NAME", help: "only this instance (default: all)" },
    { name: "questions", help: "questions without an answer, instead of the lines" },
    { name: "format", value: "F", help: "text (default), json or csv" },
    configOption,
    urlOption,
  ],
  parts: new Map(
    Object.entries({
      erase: {
        summary: "Erases all counts and questions, of all instances or of one.",
        load: async () => insightsEraseCommand,
      },
    }),
  ),
  async run(args, terminal) {
    const format = readChoice(args, "format", ["text", "json", "csv"]);
    const asksQuestions = args.has("questions");
    const asked = asksQuestions ? { questions: maxQuestions } : { contents: "all" as const };
    const filter = { ...filterOf(args), ...asked };
    return withInsights(args, terminal, async (insights) => {
      const report = await insights.report(filter);
      if (asksQuestions && !report.questions) {
        terminal.error("no questions are kept: add `questions: true` to `insights`\n");
        return 1;
      }
      const { [format]: write } = asksQuestions ? questionFormats : formats;
      const needsTitles = format === "text" && (report.contents ?? []).length > 0;
      terminal.out(write(report, terminal, needsTitles ? await insights.titles() : noTitles));
      return 0;
    });
  },
};

const noTitles: ContentTitles = new Map();

/** More than any installation keeps. */
const maxQuestions = 1_000_000;

const insightsEraseCommand: Command = {
  name: "insights erase",
  usage: "[--instance NAME | --demo] [--yes] [--config FILE | --url URL]",
  options: [
    { name: "instance", value: "NAME", help: "only this instance (default: all)" },
    { name: "demo", help: "only the data of `npm run demo:traffic`" },
    { name: "yes", help: "do not ask; needed without a terminal" },
    configOption,
    urlOption,
  ],
  async run(args, terminal) {
    if (!args.has("yes") && terminal.ask === undefined) {
      throw createArgumentError("insights erase", "there is no terminal to ask in: add --yes");
    }
    const [demo, instance] = [args.has("demo"), args.one("instance")];
    if (demo && instance !== null) {
      throw createArgumentError("insights erase", "give --instance or --demo, not both");
    }
    return withInsights(args, terminal, async (insights) => {
      if (!args.has("yes") && !(await askToErase(terminal))) return 1;
      const rows = await insights.erase({ instances: instance === null ? null : [instance], demo });
      terminal.out(`erased ${formatCount(rows, "row")}\n`);
      return 0;
    });
  },
};

function filterOf(args: Arguments): ReportFilter {
  const [from, to] = ["from", "to"].map((option) => {
    const day = args.one(option);
    if (day === null || isCalendarDate(day)) return day;
    throw createArgumentError(name, `--${option} is a day such as 2026-11-01, not "${day}"`);
  });
  if (from && to && to < from) throw createArgumentError(name, "--to is before --from");
  const instance = args.one("instance");
  return { from: from ?? null, to: to ?? null, instances: instance === null ? null : [instance] };
}

type OpenedInsights = Pick<Insights, "report" | "erase"> & {
  readonly titles: () => Promise<ContentTitles>;
};

/** Calls `work` with the configured store or a running gateway. Never creates an empty database. */
async function withInsights(
  args: Arguments,
  terminal: Terminal,
  work: (insights: OpenedInsights) => Promise<number>,
): Promise<number> {
  const url = args.one("url");
  if (url !== null) {
    if (args.one("config") !== null) {
      throw createArgumentError(args.command, "give --config or --url, not both");
    }
    // The API returns the ids of contents without their titles.
    return work({ ...openRunningGateway(url, args, terminal), titles: async () => noTitles });
  }
  const file = findConfigFile(args.one("config"), terminal);
  const config = await loadConfig(file, { env: terminal.env });
  const { insights, data, instances } = config;
  if (insights === null) {
    const cure = "add `insights: { store: file }`, and start the server again";
    throw new AfterwordError("config-invalid", `${file} has no insights: ${cure}`);
  }
  const instance = args.one("instance");
  if (instance !== null && !instances.some((one) => one.name === instance)) {
    const known = instances.map((one) => one.name).join(", ");
    throw new AfterwordError("unknown-instance", `no instance "${instance}" (${known})`);
  }
  const address = addressOf(insights, data);
  if (!isPostgresAddress(address) && !existsSync(address)) {
    terminal.error("nothing has been counted yet: afterword serve counts\n");
    return 1;
  }
  const database = await openInsightsDatabase(address);
  try {
    return await work({
      async report(filter) {
        const kept = filter.questions === undefined ? null : await readKeptQuestions(config);
        return readInsights(database, filter, kept, Date.now());
      },
      erase: (erasure) => eraseInsights(database, erasure),
      titles: () => readContentTitles(config),
    });
  } finally {
    await database.close();
  }
}

type Formats = Readonly<
  Record<
    "text" | "json" | "csv",
    (report: InsightsReport, terminal: Terminal, titles: ContentTitles) => string
  >
>;

const formats: Formats = {
  text: describeInsights,
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
  csv: ({ lines, contents = [] }) =>
    writeCsv([
      ["instance", "language", "channel", "line", "speaker", "said", ...OUTCOMES, "unrecovered"],
      ...[...lines, ...contents.map(toLine)].map((row) => [
        row.instance,
        row.language,
        row.channel,
        row.line,
        row.speaker,
        row.said,
        ...OUTCOMES.map((outcome) => row[outcome]),
        row.unrecovered,
      ]),
    ]),
};

/** Converts the counts of a content to a row of the sheet of lines, without a channel. */
function toLine({ id, ...counts }: ContentCounts): InsightsReport["lines"][number] {
  return { ...counts, channel: "", line: toContentLine(id), speaker: "own" };
}

const questionFormats: Formats = {
  text: ({ questions }, { columns }) => describeQuestions(questions ?? [], columns),
  json: formats.json,
  csv: ({ questions }) => writeCsv(listQuestionRows(questions ?? [])),
};
