import { DurableObject } from "cloudflare:workers";
import {
  type Counted,
  createBatch,
  createNameLimit,
  dayOf,
  keptDays,
  leftAfter,
  mostOpenLines,
  type OpenLine,
} from "../../insights/batch.ts";
import {
  type Erasure,
  type Fact,
  type InsightsReport,
  type LineSaid,
  OUTCOMES,
  type ReportFilter,
} from "../../insights/facts.ts";
import type { Gap } from "../../insights/gaps.ts";
import { assembleReport } from "../../insights/report.ts";
import { hashSha256Hex, toHex } from "../../json/bytes.ts";
import type { ObjectStorage } from "./platform.ts";

/** A fact as it goes from an isolate to the object: plain data, and nothing of its reader. */
export interface SentFact {
  /** SHA-256 of instance and session; null without a session. */
  readonly conversation: string | null;
  readonly fact: Exclude<Fact, { readonly kind: "turn" }> | SentTurn;
}

type SentTurn = Omit<
  Extract<Fact, { readonly kind: "turn" }>,
  "readRequest" | "readNames" | "readContents" | "session"
> & {
  readonly isOption: boolean;
};

/** The object that keeps the counts, as it is called from elsewhere. */
export interface InsightsStub {
  /** Counts a batch, all of it or nothing, and returns the outcomes that are known now. */
  write(facts: readonly SentFact[], gaps: readonly Gap[]): Promise<Counted["outcomes"]>;
  report(filter: ReportFilter): Promise<InsightsReport>;
  /** Returns how many rows there were. */
  erase(erasure: Erasure): Promise<number>;
}

/** Durable Object of a worker's counts: one for all isolates. */
export class Insights extends DurableObject implements InsightsStub {
  readonly #names = createNameLimit();
  #sweptDay = Number.NaN;

  async write(sent: readonly SentFact[], gaps: readonly Gap[]): Promise<Counted["outcomes"]> {
    const now = Date.now();
    const { storage } = this.ctx;
    makeTables(storage);
    const salts = readSalts(storage, now);
    const conversations = new Set(sent.flatMap(({ conversation }) => conversation ?? []));
    const hashes = await hashAll(conversations, salts);
    // Nothing is waited for from here on, so nobody else gets in between.
    const outcomes = storage.transactionSync(() => this.#count(sent, gaps, hashes, now));
    this.#sweptDay = dayOf(now);
    return outcomes;
  }

  async report(filter: ReportFilter): Promise<InsightsReport> {
    // Readers who left since the last batch are counted first.
    await this.write([], []);
    return readReport(this.ctx.storage, filter);
  }

  async erase(erasure: Erasure): Promise<number> {
    const { storage } = this.ctx;
    makeTables(storage);
    return storage.transactionSync(() => eraseRows(storage, erasure));
  }

  #count(
    sent: readonly SentFact[],
    gaps: readonly Gap[],
    hashes: ReadonlyMap<string, readonly string[]>,
    now: number,
  ): Counted["outcomes"] {
    const { storage } = this.ctx;
    const batch = createBatch(this.#names);
    for (const { fact, conversation } of sent) batch.take(toFact(fact), conversation);
    const before = takeOpen(storage, hashes);
    const result = batch.finish(before, takeExpired(storage, now));
    for (const row of result.lines) {
      const { day, instance, language, channel, line, speaker } = row;
      const counts = COUNTS.map((name) => row[name]);
      storage.sql.exec(addLine, day, instance, language, channel, line, speaker, ...counts);
    }
    for (const { day, topic, instance, name, count } of result.topics) {
      storage.sql.exec(addTopic, day, topic, instance, name, count);
    }
    keepOpen(storage, result.open, hashes);
    for (const { since, until, why } of gaps) {
      storage.sql.exec("INSERT INTO insight_gaps VALUES (?, ?, ?)", since, until, why);
    }
    const today = dayOf(now);
    if (this.#sweptDay !== today) sweep(storage, today);
    return result.outcomes;
  }
}

function toFact(fact: SentFact["fact"]): Fact {
  if (fact.kind !== "turn") return fact;
  const { isOption, ...turn } = fact;
  return { ...turn, session: null, readRequest: () => ({ isOption, typed: null }) };
}

type Storage = Pick<ObjectStorage, "sql">;

const COUNTS = ["said", ...OUTCOMES] as const;
const columns = COUNTS.map((name) => `"${name}"`);

const addLine = `INSERT INTO insight_lines VALUES (?, ?, ?, ?, ?, ?, ${columns.map(() => "?").join(", ")})
  ON CONFLICT DO UPDATE SET ${columns.map((name) => `${name} = ${name} + excluded.${name}`).join(", ")}`;

const addTopic = `INSERT INTO insight_topics VALUES (?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET count = count + excluded.count`;

/** The tables of {@link import("../../insights/tables.ts")}, as an object has them. */
function makeTables({ sql }: Storage): void {
  const said =
    "instance TEXT NOT NULL, language TEXT NOT NULL, channel TEXT NOT NULL, line TEXT NOT NULL, speaker TEXT NOT NULL";
  const numbers = columns.map((name) => `${name} INTEGER NOT NULL`).join(", ");
  for (const table of [
    `insight_lines (day INTEGER NOT NULL, ${said}, ${numbers},
      PRIMARY KEY (instance, day, line, language, channel, speaker)) WITHOUT ROWID`,
    `insight_topics (day INTEGER NOT NULL, topic TEXT NOT NULL, instance TEXT NOT NULL,
      name TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (day, topic, instance, name)) WITHOUT ROWID`,
    `insight_open (conversation TEXT NOT NULL, at INTEGER NOT NULL, ${said})`,
    "insight_salts (day INTEGER PRIMARY KEY, salt TEXT NOT NULL)",
    "insight_gaps (since INTEGER NOT NULL, until INTEGER NOT NULL, why TEXT NOT NULL)",
  ]) {
    sql.exec(`CREATE TABLE IF NOT EXISTS ${table}`);
  }
  sql.exec("CREATE INDEX IF NOT EXISTS insight_open_conversation ON insight_open (conversation)");
  sql.exec("CREATE INDEX IF NOT EXISTS insight_open_at ON insight_open (at)");
}

/** The salts of today and, while a line of yesterday may be open, of yesterday: today's first. */
function readSalts({ sql }: Storage, now: number): readonly string[] {
  const today = dayOf(now);
  sql.exec("DELETE FROM insight_salts WHERE day < ? OR day > ?", dayOf(now - leftAfter), today);
  const fresh = toHex(crypto.getRandomValues(new Uint8Array(32)));
  sql.exec("INSERT OR IGNORE INTO insight_salts VALUES (?, ?)", today, fresh);
  const rows = sql.exec("SELECT salt FROM insight_salts ORDER BY day DESC");
  return Array.from(rows, ({ salt }) => String(salt));
}

/** The names under which each conversation may be kept; new lines are kept under the first. */
async function hashAll(
  conversations: ReadonlySet<string>,
  salts: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const hashed = Array.from(conversations, async (conversation) => {
    const hashes = salts.map((salt) => hashSha256Hex(`${salt}\n${conversation}`));
    return [conversation, await Promise.all(hashes)] as const;
  });
  return new Map(await Promise.all(hashed));
}

/** Takes the open lines of these conversations out of the store. */
function takeOpen(
  { sql }: Storage,
  hashes: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, readonly OpenLine[]> {
  const open = new Map<string, readonly OpenLine[]>();
  for (const [conversation, names] of hashes) {
    const lines = names.flatMap((name) =>
      Array.from(
        sql.exec("DELETE FROM insight_open WHERE conversation = ? RETURNING *", name),
        toOpenLine,
      ),
    );
    if (lines.length > 0) open.set(conversation, lines);
  }
  return open;
}

/** Takes lines whose readers were silent for too long, and the oldest of too many. */
function takeExpired({ sql }: Storage, now: number) {
  const silent = Array.from(
    // Lines of the future were said before the clock was set back.
    sql.exec(
      "DELETE FROM insight_open WHERE at < ? OR at > ? RETURNING *",
      now - leftAfter,
      now + leftAfter,
    ),
    toOpenLine,
  ).map((line) => ({ line, outcome: line.at > now ? ("unknown" as const) : ("left" as const) }));
  const [many] = sql.exec("SELECT count(*) AS count FROM insight_open");
  const excess = Number(many?.["count"] ?? 0) - mostOpenLines;
  if (excess <= 0) return silent;
  const oldest = sql.exec(
    "DELETE FROM insight_open WHERE rowid IN (SELECT rowid FROM insight_open ORDER BY at LIMIT ?) RETURNING *",
    excess,
  );
  return [
    ...silent,
    ...Array.from(oldest, (row) => ({ line: toOpenLine(row), outcome: "unknown" as const })),
  ];
}

function keepOpen(
  { sql }: Storage,
  open: Counted["open"],
  hashes: ReadonlyMap<string, readonly string[]>,
): void {
  for (const [conversation, lines] of open) {
    const [name = ""] = hashes.get(conversation) ?? [];
    for (const { at, instance, language, channel, line, speaker } of lines) {
      const values = [name, at, instance, language, channel, line, speaker];
      sql.exec("INSERT INTO insight_open VALUES (?, ?, ?, ?, ?, ?, ?)", ...values);
    }
  }
}

type Row = Readonly<Record<string, unknown>>;

function toOpenLine(row: Row): OpenLine {
  return { ...toLineSaid(row), at: Number(row["at"]) };
}

function toLineSaid(row: Row): LineSaid {
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

function sweep({ sql }: Storage, today: number): void {
  const oldest = today - keptDays;
  sql.exec("DELETE FROM insight_lines WHERE day < ?", oldest);
  sql.exec("DELETE FROM insight_topics WHERE day < ?", oldest);
  sql.exec("DELETE FROM insight_gaps WHERE until < ?", oldest * 86_400_000);
}

/** No demo plays in a worker. */
function eraseRows({ sql }: Storage, { instances, demo }: Erasure): number {
  if (demo) return 0;
  const where = "WHERE ?1 IS NULL OR instance IN (SELECT value FROM json_each(?1))";
  const named = instances && JSON.stringify(instances);
  let rows = 0;
  for (const table of ["insight_lines", "insight_topics", "insight_open"]) {
    const [counted] = sql.exec(`SELECT count(*) AS count FROM ${table} ${where}`, named);
    rows += Number(counted?.["count"] ?? 0);
    sql.exec(`DELETE FROM ${table} ${where}`, named);
  }
  if (instances === null) {
    sql.exec("DELETE FROM insight_gaps");
    sql.exec("DELETE FROM insight_salts");
  }
  return rows;
}

function readReport({ sql }: Storage, filter: ReportFilter): InsightsReport {
  const from = filter.from === null ? 0 : dayOf(Date.parse(filter.from));
  const to = filter.to === null ? 1e9 : dayOf(Date.parse(filter.to));
  const named = filter.instances && JSON.stringify([...filter.instances, ""]);
  const within = `WHERE day >= ?1 AND day <= ?2
    AND (?3 IS NULL OR instance IN (SELECT value FROM json_each(?3)))`;
  const sums = columns.map((name) => `sum(${name}) AS ${name}`).join(", ");
  const said = "line, language, channel, speaker, instance";
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
  const ofInstance = `WHERE instance = ?3 AND day >= ?1 AND day <= ?2
    AND (?4 IS NULL OR channel = ?4)`;
  // Lines are stored by instance, and each statement then sorts little. An instance that said a line
  // has a message among its topics.
  const counted = new Set(topics.map(({ instance }) => instance));
  const readLines = (query: string): readonly Row[] =>
    [...counted].flatMap((instance) => [
      ...sql.exec(query, from, to, instance, filter.channel ?? null),
    ]);
  return assembleReport(filter, {
    lines: readLines(
      `SELECT ${said}, ${sums} FROM insight_lines ${ofInstance} GROUP BY ${said}`,
    ).map((row) => ({ ...row, ...toLineSaid(row) })),
    days: (filter.days === false
      ? []
      : readLines(
          `SELECT day, instance, line, ${sums} FROM insight_lines ${ofInstance}
            GROUP BY instance, day, line`,
        )
    ).map((row) => {
      const { instance, line } = toLineSaid(row);
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
