import { isObject, parseJson } from "../../json/values.ts";
import type { BackendDatabase } from "../../backend/storage/tables/database.ts";

/** An event that a client reported or a product recorded. */
export interface ReportedEvent {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly product: "chatbot" | "knowledge";
  readonly project: string;
  readonly session: string | null;
  readonly type: string;
  readonly content: number | null;
  /** True if `content` was opened. */
  readonly clicked: boolean;
  /** Id of a rating, and its subject: a later rating of the same subject replaces it. */
  readonly rating: { readonly value: string; readonly about: string } | null;
  /** The question or remark. */
  readonly text: string | null;
  /** JSON, as it was sent. */
  readonly data: string;
}

export interface EventFilter {
  /** Milliseconds since the epoch; null for no bound. */
  readonly from: number | null;
  readonly before: number | null;
  readonly project: string | null;
  readonly session: string | null;
}

/** Rows that are read at once. */
const page = 2000;

/** Reads the events that match a filter: the chatbot's in order, then those of knowledge. */
export async function* readReportedEvents(
  { kysely }: BackendDatabase,
  { from, before, project, session }: EventFilter,
): AsyncGenerator<ReportedEvent> {
  for (let last = 0; ;) {
    let query = kysely.selectFrom("events").selectAll().where("id", ">", last);
    if (from !== null) query = query.where("at", ">=", from);
    if (before !== null) query = query.where("at", "<", before);
    if (project !== null) query = query.where("project", "=", project);
    if (session !== null) query = query.where("session", "=", session);
    const rows = await query.orderBy("id").limit(page).execute();
    for (const row of rows) yield { ...row, product: "chatbot", ...readData(row) };
    if (rows.length < page) break;
    last = rows.at(-1)?.id ?? last;
  }
  for (let last = 0; ;) {
    let query = kysely.selectFrom("knowledge_events").selectAll().where("id", ">", last);
    if (from !== null) query = query.where("at", ">=", from);
    if (before !== null) query = query.where("at", "<", before);
    if (project !== null) query = query.where("project", "=", project);
    if (session !== null) query = query.where("session", "=", session);
    const rows = await query.orderBy("id").limit(page).execute();
    for (const { at, project, session, type, content, data, ...row } of rows) {
      const about = `${row.log ?? `${session ?? ""} ${row.id}`} ${content ?? ""}`;
      yield {
        at,
        product: "knowledge",
        project,
        session,
        type,
        content,
        clicked: row.clicked === 1,
        rating: row.rating === null ? null : { value: row.rating, about },
        text: row.comment ?? row.query,
        data,
      };
    }
    if (rows.length < page) break;
    last = rows.at(-1)?.id ?? last;
  }
}

/** Codes that the chatbot issues: `rate.<content>.<turn>`. */
const code = /^(click|rate)\.(\d{1,15})\.\d+$/;

function readData({
  session,
  data,
}: {
  readonly session: string;
  readonly data: string;
}): Pick<ReportedEvent, "content" | "clicked" | "rating" | "text"> {
  const members = membersOf(data);
  const given = textOf(members.get("code"));
  const [, kind = "", content = ""] = code.exec(given) ?? [];
  const value = textOf(members.get("value"));
  const rated = kind === "rate" && value !== "";
  return {
    content: content === "" ? null : Number(content),
    clicked: kind === "click",
    rating: rated ? { value, about: `${session} ${given}` } : null,
    text: textOf(members.get("comment")) || null,
  };
}

function membersOf(json: string): ReadonlyMap<string, unknown> {
  const parsed = parseJson(json);
  return new Map(isObject(parsed) ? Object.entries(parsed) : []);
}

/** Some clients send ids as numbers, others as texts. */
function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
}
