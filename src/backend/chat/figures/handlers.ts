import { columnsOf, type FigureRows } from "../../../api/chat/answers-figures.ts";
import { FIGURE_TABLES, type FigureTable, figuresQuery } from "../../../api/chat/schema-figures.ts";
import { writeCsv } from "../../../config/translation/spreadsheet-cell.ts";
import { parseQuery } from "../../auth/handling.ts";
import { downloadOf } from "../../http/files.ts";
import { Refusal } from "../../http/refusal.ts";
import { refuseUnknown } from "../errors.ts";
import { type ChatHandler, type ChatRequest } from "../request.ts";
import { requireSupervisor, type Supervisor } from "../rights.ts";
import { readTicketAccess } from "../tickets/access.ts";
import { readGroups } from "./groups.ts";
import { type Period, periodOf } from "./period.ts";
import { readSatisfaction } from "./surveys.ts";
import { readAgentLoads, readWaiting, readWaitingByQueue, readWaitingByRoom } from "./waiting.ts";

/** Figures of chats and tickets, for agents with the right SUPERVISE. */
export const FIGURE_HANDLERS = {
  async figures(request) {
    const supervisor = await requireSupervisor(request);
    const table = FIGURE_TABLES.find((name) => name === request.id);
    if (table === undefined) throw refuseUnknown("table", request.id);
    const { period: name, timeZone, format } = parseQuery(figuresQuery, request);
    const period = periodOf(name, timeZone, request.options.now());
    const rows = await readRows(request, supervisor, table, period);
    if (format === "csv") return csvOf(table, rows);
    const [from, to] = [period.from, period.to].map((time) => Math.floor(time / 1000));
    return { figures: { table, from, to, timeZone, rows } };
  },
} satisfies Readonly<Record<string, ChatHandler>>;

type Row = FigureRows[FigureTable];

async function readRows(
  request: ChatRequest,
  supervisor: Supervisor,
  table: FigureTable,
  period: Period,
): Promise<readonly Row[]> {
  const queries = request.queries;
  const access = await readTicketAccess(request);
  if (table === "agents") return readAgentLoads(queries, supervisor);
  if (table === "waiting-by-room") return readWaitingByRoom(queries, supervisor);
  if (table === "waiting") {
    return readWaiting(queries, supervisor, access instanceof Refusal ? null : access.project);
  }
  if (isOfChats(table)) return readGroups(queries, supervisor, null, table, period);
  // An agent with the right SUPERVISE has every queue.
  if (access instanceof Refusal) throw access;
  const { project } = access;
  if (table === "waiting-by-queue") return readWaitingByQueue(queries, project);
  if (table === "surveys") return readSatisfaction(request.options.database, project, period);
  return readGroups(queries, supervisor, project, table, period);
}

function isOfChats(table: FigureTable): table is Extract<FigureTable, `chats${string}`> {
  return table.startsWith("chats");
}

/** A table for spreadsheets. Excel takes it for UTF-8 by its byte order mark. */
function csvOf(table: FigureTable, rows: readonly Row[]): Response {
  const columns = columnsOf(table);
  const lines = rows.map((row) => {
    const cells = new Map<string, string | number | null>(Object.entries(row));
    const { since } = { since: null, ...row };
    if (since !== null) cells.set("since", new Date(since * 1000).toISOString());
    return columns.map((column) => cells.get(column) ?? null);
  });
  const text = writeCsv([columns, ...lines], { bom: true });
  const file = { name: `${table}.csv`, type: "text/csv; charset=utf-8" };
  return downloadOf(file, new TextEncoder().encode(text));
}
