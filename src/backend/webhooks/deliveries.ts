import { type Kysely, type QueryExecutorProvider, type RawBuilder, sql } from "kysely";
import type { Database } from "../../storage/database.ts";
import type { Tables } from "../storage/tables/database.ts";
import type { HookRequest, HookTransport } from "./hook-transport.ts";

/** The stored events for a product's registered addresses, and how they are sent. */
export interface Outbox<Schema = Tables> {
  /** The name that messages use for one of its addresses. */
  readonly name: string;
  readonly table: "webhook_events" | "chat_webhook_events" | "insight_events";
  /** Events in one call. */
  readonly batch: number;
  /**
   * True if an event waits for all earlier ones, or only for those of its own chat if the address
   * refused the earlier one, and if undelivered events stay in the table, marked by `given_up`.
   * False if each event is sent when it is due, and deleted if no address accepted it.
   */
  readonly keepsUndelivered: boolean;
  /** Creates the call that delivers these events; null if the address has been removed. */
  request(
    queries: Kysely<Schema>,
    webhook: number,
    events: readonly string[],
  ): Promise<Pick<HookRequest, "url" | "headers" | "body"> | null>;
}

export interface DeliveryOptions<Schema = Tables> {
  readonly database: Database<Schema>;
  readonly hooks: HookTransport;
  readonly now: () => number;
  /** Called about events that were given up. Default: they are not reported. */
  readonly report?: (error: Error) => void;
}

/**
 * Delivers due events to every registered address. Several processes may do so at once: each claims
 * events by moving their due time forward, so that no other process takes them. An address that does
 * not answer 2xx is tried again with growing waits for about six hours; then its events are given
 * up. After a crash or a lost answer an event may arrive twice, but none is lost.
 */
export async function deliverEvents<Schema = Tables>(
  outbox: Outbox<Schema>,
  options: DeliveryOptions<Schema>,
): Promise<void> {
  const { database, now } = options;
  const { rows } = await sql<{ webhook: number }>`
    SELECT DISTINCT webhook FROM ${sql.table(outbox.table)}
    WHERE due <= ${now()} AND ${selectWaiting(outbox)}
  `.execute(database.kysely);
  await Promise.all(rows.map(({ webhook }) => deliverTo(webhook, outbox, options)));
}

/** Attempts at one delivery before it is given up: more than six hours. */
const maxAttempts = 15;

/** Milliseconds that one delivery may take. */
const timeout = 10_000;

/** Milliseconds for which a process claims deliveries, longer than one takes. */
const claimTime = 60_000;

/** Events that have waited this long are given up together with one, instead of after six hours each. */
const waitedLong = 3_600_000;

/** Statuses that refuse the event itself. All others concern the address. */
const refusals: ReadonlySet<number> = new Set([400, 413, 415, 422]);

/** Milliseconds until the next attempt: each wait is twice as long as the last, up to an hour. */
function waitAfter(attempts: number): number {
  return Math.min(3_600_000, 10_000 * 2 ** (attempts - 1));
}

interface ClaimedEvent {
  readonly id: number;
  readonly event: string;
  readonly attempts: number;
}

async function deliverTo<Schema>(
  webhook: number,
  outbox: Outbox<Schema>,
  options: DeliveryOptions<Schema>,
): Promise<void> {
  const { database, hooks, now } = options;
  for (;;) {
    const claimed = await database.transaction((queries) =>
      claimEvents(queries, webhook, outbox, now()),
    );
    const events = claimed.map(({ event }) => event);
    const request = await outbox.request(database.kysely, webhook, events);
    if (claimed.length === 0 || request === null) return;
    const answer = await hooks({ method: "POST", timeout, ...request });
    if (answer.ok && answer.status >= 200 && answer.status <= 299) {
      await remove(claimed, outbox).execute(database.kysely);
      continue;
    }
    const refused = answer.ok && outbox.keepsUndelivered && refusals.has(answer.status);
    const reason = answer.ok ? `it answered ${answer.status}` : answer.reason;
    await postpone(claimed, { webhook, reason, refused }, outbox, options);
    if (!refused) return;
  }
}

/** Claims the oldest events. On PostgreSQL, processes that choose the same rows take turns. */
async function claimEvents(
  queries: QueryExecutorProvider,
  webhook: number,
  outbox: Pick<Outbox, "table" | "batch" | "keepsUndelivered">,
  now: number,
): Promise<readonly ClaimedEvent[]> {
  const table = sql.table(outbox.table);
  const next = outbox.keepsUndelivered
    ? sql`given_up IS NULL AND ${isNext(table, now)}`
    : sql`due <= ${now}`;
  const { rows } = await sql<ClaimedEvent>`
    UPDATE ${table} SET due = ${now + claimTime}, attempts = attempts + 1
    WHERE due <= ${now} AND id IN (
      SELECT id FROM ${table} AS next WHERE webhook = ${webhook} AND ${next}
      ORDER BY id LIMIT ${sql.lit(outbox.batch)}
    )
    RETURNING id, event, attempts
  `.execute(queries);
  return rows.toSorted((a, b) => a.id - b.id);
}

/**
 * True for an event that no earlier one holds up: neither one of its own chat, nor one that failed
 * without being refused. A refused event counts only once it is due again.
 */
function isNext(table: RawBuilder<unknown>, now: number): RawBuilder<unknown> {
  return sql`(refused = 0 OR due <= ${now}) AND NOT EXISTS (
    SELECT 1 FROM ${table} AS earlier
    WHERE earlier.webhook = next.webhook AND earlier.id < next.id AND earlier.given_up IS NULL
      AND (earlier.chat = next.chat OR (earlier.attempts > 0 AND earlier.refused = 0))
  )`;
}

/** The result of an attempt. */
interface Failure {
  readonly webhook: number;
  readonly reason: string;
  /** The address refused the event itself. */
  readonly refused: boolean;
}

async function postpone<Schema>(
  claimed: readonly ClaimedEvent[],
  { webhook, reason, refused }: Failure,
  outbox: Outbox<Schema>,
  { database: { kysely }, now, report }: DeliveryOptions<Schema>,
): Promise<void> {
  const table = sql.table(outbox.table);
  const at = now();
  const note = outbox.keepsUndelivered
    ? sql`, reason = ${reason}, refused = ${sql.lit(refused ? 1 : 0)}`
    : sql``;
  for (const { id, attempts } of claimed) {
    if (attempts >= maxAttempts) continue;
    const due = at + waitAfter(attempts);
    await sql`UPDATE ${table} SET due = ${due}${note} WHERE id = ${id}`.execute(kysely);
  }
  const exhausted = claimed.filter(({ attempts }) => attempts >= maxAttempts);
  if (exhausted.length === 0) return;
  const giveUp = outbox.keepsUndelivered
    ? sql`UPDATE ${table} SET given_up = ${at}${note} WHERE webhook = ${webhook} AND given_up IS NULL
        AND (id IN (${listIds(exhausted)}) OR ${refused ? sql`1 = 0` : sql`created <= ${at - waitedLong}`})`
    : remove(exhausted, outbox);
  const { numAffectedRows = 0n } = await giveUp.execute(kysely);
  const left = outbox.keepsUndelivered ? "undelivered" : "given up";
  report?.(
    new Error(
      `${outbox.name} ${webhook} did not answer ${maxAttempts} times (${reason}): ${numAffectedRows} events are ${left}`,
    ),
  );
}

/** Events that are still to be sent. */
function selectWaiting({
  keepsUndelivered,
}: Pick<Outbox, "keepsUndelivered">): RawBuilder<unknown> {
  return keepsUndelivered ? sql`given_up IS NULL` : sql`1 = 1`;
}

function remove(
  claimed: readonly ClaimedEvent[],
  { table }: Pick<Outbox, "table">,
): RawBuilder<unknown> {
  return sql`DELETE FROM ${sql.table(table)} WHERE id IN (${listIds(claimed)})`;
}

function listIds(claimed: readonly ClaimedEvent[]): RawBuilder<unknown> {
  return sql.join(claimed.map(({ id }) => id));
}
