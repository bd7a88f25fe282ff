import { DurableObject } from "cloudflare:workers";
import {
  type Counted,
  createBatch,
  createNameLimit,
  dayOf,
  type ExpiredLine,
  keptDays,
  leftAfter,
  maxOpenLines,
  maxTaken,
  type OpenLine,
} from "../../insights/batch.ts";
import {
  COUNTS,
  type Erasure,
  type Fact,
  type InsightsReport,
  type ReportFilter,
} from "../../insights/facts.ts";
import type { Gap } from "../../insights/gaps.ts";
import { toHashNumber } from "../../insights/hashes.ts";
import { toLines, toStored } from "../../insights/stored-lines.ts";
import { hashSha256Hex, toHex } from "../../json/bytes.ts";
import { readReport } from "./insights-report.ts";
import type { ObjectStorage } from "./platform.ts";

/** A fact as an isolate sends it to the object: plain data without anything about its reader. */
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

/** The remote interface of the object that keeps the counts. */
export interface InsightsStub {
  /** Counts a batch, all of it or nothing, and returns the outcomes that are known now. */
  write(facts: readonly SentFact[], gaps: readonly Gap[]): Promise<Counted["outcomes"]>;
  report(filter: ReportFilter): Promise<InsightsReport>;
  /** Returns the number of rows. */
  erase(erasure: Erasure): Promise<number>;
}

/** Durable Object of a worker's counts: one for all isolates. */
export class Insights extends DurableObject implements InsightsStub {
  readonly #names = createNameLimit();
  #sweptDay = Number.NaN;
  /** True if the last batch has left expired lines to the next one. */
  #hasExpired = false;

  async write(sent: readonly SentFact[], gaps: readonly Gap[]): Promise<Counted["outcomes"]> {
    const now = Date.now();
    const { storage } = this.ctx;
    makeTables(storage);
    const salts = readSalts(storage, now);
    const conversations = new Set(sent.flatMap(({ conversation }) => conversation ?? []));
    const hashes = await hashAll(conversations, salts);
    // Nothing is awaited from here on, so no other call can come in between.
    const outcomes = storage.transactionSync(() => this.#count(sent, gaps, hashes, now));
    this.#sweptDay = dayOf(now);
    return outcomes;
  }

  async report(filter: ReportFilter): Promise<InsightsReport> {
    // Readers who left since the last batch are counted first.
    do await this.write([], []);
    while (this.#hasExpired);
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
    hashes: ReadonlyMap<string, readonly number[]>,
    now: number,
  ): Counted["outcomes"] {
    const { storage } = this.ctx;
    const batch = createBatch(this.#names);
    for (const { fact, conversation } of sent) batch.take(toFact(fact), conversation);
    const before = takeOpen(storage, hashes);
    const expired = takeExpired(storage, now);
    this.#hasExpired = !expired.isComplete;
    const result = batch.finish(before, expired.lines);
    const lines = result.lines.map((row) => {
      const { instance, language, channel, line, speaker, day } = row;
      return [instance, language, channel, line, speaker, day, ...COUNTS.map((name) => row[name])];
    });
    for (const statement of addLines) storage.sql.exec(statement, JSON.stringify(lines));
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

const columns = COUNTS.map((name) => `"${name}"`);
const added = columns.map((name) => `${name} = ${name} + excluded.${name}`).join(", ");
const given = COUNTS.map((_, index) => `value ->> ${index + 6}`);
const isSeries = `instance = value ->> 0 AND language = value ->> 1 AND channel = value ->> 2
  AND line = value ->> 3 AND speaker = value ->> 4`;

/** As `insights/line-counts.ts` adds lines. */
const addLines = [
  `INSERT INTO insight_series (instance, language, channel, line, speaker)
    SELECT DISTINCT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4
    FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM insight_series WHERE ${isSeries})`,
  `INSERT INTO insight_lines (series, day, ${columns.join(", ")})
    SELECT insight_series.id, value ->> 5, ${given.join(", ")}
    FROM json_each(?) CROSS JOIN insight_series WHERE ${isSeries}
    ON CONFLICT DO UPDATE SET ${added}`,
  `INSERT INTO insight_days (instance, day, line, channel, ${columns.join(", ")})
    SELECT value ->> 0, value ->> 5, value ->> 3, value ->> 2,
      ${given.map((number) => `sum(${number})`).join(", ")}
    FROM json_each(?) WHERE true GROUP BY 1, 2, 3, 4 ON CONFLICT DO UPDATE SET ${added}`,
];

const addTopic = `INSERT INTO insight_topics VALUES (?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET count = count + excluded.count`;

/** The tables of {@link import("../../insights/tables.ts")}, as an object has them. */
function makeTables({ sql }: Storage): void {
  const counts = columns.map((name) => `${name} INTEGER NOT NULL`).join(", ");
  for (const table of [
    `insight_series (id INTEGER PRIMARY KEY, instance TEXT NOT NULL, language TEXT NOT NULL,
      channel TEXT NOT NULL, line TEXT NOT NULL, speaker TEXT NOT NULL,
      UNIQUE (instance, line, language, channel, speaker))`,
    `insight_lines (series INTEGER NOT NULL, day INTEGER NOT NULL, ${counts},
      PRIMARY KEY (series, day)) WITHOUT ROWID`,
    `insight_days (day INTEGER NOT NULL, instance TEXT NOT NULL, line TEXT NOT NULL,
      channel TEXT NOT NULL, ${counts}, PRIMARY KEY (instance, day, line, channel)) WITHOUT ROWID`,
    `insight_topics (day INTEGER NOT NULL, topic TEXT NOT NULL, instance TEXT NOT NULL,
      name TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (day, topic, instance, name)) WITHOUT ROWID`,
    `insight_open (conversation INTEGER PRIMARY KEY, at INTEGER NOT NULL, instance TEXT NOT NULL,
      said TEXT NOT NULL)`,
    "insight_salts (day INTEGER PRIMARY KEY, salt TEXT NOT NULL)",
    "insight_gaps (since INTEGER NOT NULL, until INTEGER NOT NULL, why TEXT NOT NULL)",
  ]) {
    sql.exec(`CREATE TABLE IF NOT EXISTS ${table}`);
  }
}

/** The salts of today and, while a line of yesterday may be open, of yesterday; today's first. */
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
): Promise<ReadonlyMap<string, readonly number[]>> {
  const hashed = Array.from(conversations, async (conversation) => {
    const hashes = salts.map((salt) => hashSha256Hex(`${salt}\n${conversation}`));
    return [conversation, (await Promise.all(hashes)).map(toHashNumber)] as const;
  });
  return new Map(await Promise.all(hashed));
}

/** Removes the open lines of these conversations from the store, and returns them. */
function takeOpen(
  { sql }: Storage,
  hashes: ReadonlyMap<string, readonly number[]>,
): ReadonlyMap<string, readonly OpenLine[]> {
  const byHash = new Map<unknown, string>();
  for (const [conversation, all] of hashes) for (const hash of all) byHash.set(hash, conversation);
  const open = new Map<string, readonly OpenLine[]>();
  const rows = sql.exec(
    "DELETE FROM insight_open WHERE conversation IN (SELECT value FROM json_each(?)) RETURNING *",
    JSON.stringify([...byHash.keys()]),
  );
  for (const row of rows) {
    const conversation = byHash.get(row["conversation"]) ?? "";
    open.set(conversation, [...(open.get(conversation) ?? []), ...linesIn(row)]);
  }
  return open;
}

/**
 * Takes lines whose readers were silent for too long, and the oldest of too many: a limited number
 * of each. `isComplete` is false if some may be left.
 */
function takeExpired(
  { sql }: Storage,
  now: number,
): { readonly lines: readonly ExpiredLine[]; readonly isComplete: boolean } {
  const take = `DELETE FROM insight_open WHERE conversation IN
    (SELECT conversation FROM insight_open`;
  const silent = Array.from(
    sql.exec(
      // Lines with a future time are from before the clock was set back.
      `${take} WHERE at < ? OR at > ? LIMIT ?) RETURNING said`,
      now - leftAfter,
      now + leftAfter,
      maxTaken,
    ),
    linesIn,
  );
  const [many] = sql.exec("SELECT count(*) AS count FROM insight_open");
  const excess = Math.min(Number(many?.["count"] ?? 0) - maxOpenLines, maxTaken);
  const oldest =
    excess <= 0
      ? []
      : Array.from(sql.exec(`${take} ORDER BY at LIMIT ?) RETURNING said`, excess), linesIn);
  const lines = [...silent, ...oldest].flat().map((line): ExpiredLine => {
    return { line, outcome: line.at < now - leftAfter ? "left" : "unknown" };
  });
  return { lines, isComplete: silent.length < maxTaken && excess < maxTaken };
}

function keepOpen(
  { sql }: Storage,
  open: Counted["open"],
  hashes: ReadonlyMap<string, readonly number[]>,
): void {
  const kept = [...open].map(([conversation, lines]) => {
    return [hashes.get(conversation)?.[0] ?? 0, toStored(lines)] as const;
  });
  sql.exec(
    `INSERT INTO insight_open (conversation, at, instance, said)
      SELECT CAST(key AS INTEGER), value ->> 0, value ->> 1, value FROM json_each(?)`,
    JSON.stringify(Object.fromEntries(kept)),
  );
}

function linesIn({ said }: Row): readonly OpenLine[] {
  return toLines(JSON.parse(String(said)));
}

type Row = Readonly<Record<string, unknown>>;

function sweep({ sql }: Storage, today: number): void {
  const oldest = today - keptDays;
  sql.exec("DELETE FROM insight_lines WHERE day < ?", oldest);
  sql.exec(forgetSeries);
  sql.exec("DELETE FROM insight_days WHERE day < ?", oldest);
  sql.exec("DELETE FROM insight_topics WHERE day < ?", oldest);
  sql.exec("DELETE FROM insight_gaps WHERE until < ?", oldest * 86_400_000);
}

const forgetSeries =
  "DELETE FROM insight_series WHERE id NOT IN (SELECT series FROM insight_lines)";

/** No demo plays in a worker. */
function eraseRows({ sql }: Storage, { instances, demo }: Erasure): number {
  if (demo) return 0;
  const where = "WHERE ?1 IS NULL OR instance IN (SELECT value FROM json_each(?1))";
  const named = instances && JSON.stringify(instances);
  const erase = (what: string): number => {
    const [counted] = sql.exec(`SELECT count(*) AS count FROM ${what}`, named);
    sql.exec(`DELETE FROM ${what}`, named);
    return Number(counted?.["count"] ?? 0);
  };
  const rows =
    erase(`insight_lines WHERE series IN (SELECT id FROM insight_series ${where})`) +
    erase(`insight_topics ${where}`) +
    erase(`insight_open ${where}`);
  erase(`insight_days ${where}`);
  erase(`insight_series ${where}`);
  if (instances === null) sql.exec("DELETE FROM insight_gaps");
  return rows;
}
