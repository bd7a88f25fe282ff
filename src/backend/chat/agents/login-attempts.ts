import type { BackendDatabase } from "../../storage/tables/database.ts";
import { digestOf } from "../ids.ts";

/** Which login is tried, and from where. */
export interface Attempt {
  readonly app: string;
  readonly login: string;
  readonly network: string;
}

/** So many wrong passwords in a row for one login from one network lock that pair for a minute. */
const mostFailures = 10;
const lockedFor = 60_000;
/**
 * By how much the clocks of processes may differ. What ends later than that was written before the
 * clock was set back, and counts no more: else it would lock an agent out for as long.
 */
const skew = 60_000;
/** How long what went wrong for a login, or from a network, slows further attempts down. */
const remembered = 15 * 60_000;
/** How long after a successful login a network counts as known. */
const knownFor = 90 * 86_400_000;

/** The facts that are known before a password is looked at. */
export interface LoginState {
  /** Milliseconds until this login is looked at again from there, or 0. */
  readonly locked: number;
  /** True: this login has been used from there before. */
  readonly known: boolean;
}

/**
 * Counts logins, in the database, where all processes count together. It keeps digests: of the
 * login with the network, of the login, and of the network; also for logins that do not exist. An
 * attempt counts before its password is looked at, so that of many at the same moment no more are
 * looked at than one after the other.
 */
export interface LoginAttempts {
  standing(): Promise<LoginState>;
  /** Counts one. Null: the pair is locked; else milliseconds to wait before it is looked at. */
  count(): Promise<number | null>;
  /** Takes the attempt back, and notes that the login is used from there. */
  succeeded(): Promise<void>;
}

export async function readLoginAttempts(
  { kysely }: BackendDatabase,
  now: () => number,
  { app, login, network }: Attempt,
): Promise<LoginAttempts> {
  const [pair, byLogin, byNetwork, known] = await Promise.all(
    [
      ["pair", login, network],
      ["login", login],
      ["network", network],
      ["known", login, network],
    ].map(([kind, ...parts]) => digestOf(JSON.stringify([kind, app, ...parts]))),
  );
  if (!pair || !byLogin || !byNetwork || !known) throw new Error("unreachable: four were made");

  return {
    async standing() {
      const rows = await kysely
        .selectFrom("chat_login_attempts")
        .selectAll()
        .where("digest", "in", [pair, known])
        .where("ends", ">", now())
        .execute();
      const failed = rows.find(({ digest }) => digest === pair);
      const rest = (failed?.ends ?? 0) - now();
      const locked = failed !== undefined && failed.failures >= mostFailures;
      return {
        locked: locked && rest <= lockedFor + skew ? Math.min(rest, lockedFor) : 0,
        known: rows.some(({ digest }) => digest === known),
      };
    },

    async count() {
      const at = now();
      const counted = await countAll(kysely, at, [
        { digest: pair, failures: 1, ends: at + lockedFor },
        { digest: byLogin, failures: 1, ends: at + remembered },
        { digest: byNetwork, failures: 1, ends: at + remembered },
      ]);
      const failuresOf = (digest: string): number =>
        counted.find((row) => row.digest === digest)?.failures ?? 0;
      if (failuresOf(pair) > mostFailures) return null;
      return delayAfter(Math.max(failuresOf(byLogin), failuresOf(byNetwork)) - 1);
    },

    async succeeded() {
      // One row at a time: two that lock several in other orders would wait for each other.
      for (const digest of [byLogin, byNetwork]) {
        await kysely
          .updateTable("chat_login_attempts")
          .set((row) => ({ failures: row("failures", "-", 1) }))
          .where("digest", "=", digest)
          .where("failures", ">", 0)
          .execute();
      }
      await kysely.deleteFrom("chat_login_attempts").where("digest", "=", pair).execute();
      const row = { digest: known, failures: 0, ends: now() + knownFor };
      await kysely
        .insertInto("chat_login_attempts")
        .values(row)
        .onConflict((conflict) => conflict.column("digest").doUpdateSet({ ends: row.ends }))
        .execute();
    },
  };
}

/** Adds one to each row's failures; rows that count no more begin anew. */
function countAll(
  kysely: BackendDatabase["kysely"],
  at: number,
  rows: readonly { readonly digest: string; readonly failures: number; readonly ends: number }[],
): Promise<readonly { readonly digest: string; readonly failures: number }[]> {
  return kysely
    .insertInto("chat_login_attempts")
    .values(rows)
    .onConflict((conflict) =>
      conflict.column("digest").doUpdateSet((row) => ({
        failures: row
          .case()
          .when(
            row.or([
              row("chat_login_attempts.ends", "<=", at),
              row("chat_login_attempts.ends", ">", row(row.ref("excluded.ends"), "+", skew)),
            ]),
          )
          .then(1)
          .else(row("chat_login_attempts.failures", "+", 1))
          .end(),
        ends: row.ref("excluded.ends"),
      })),
    )
    .returning(["digest", "failures"])
    .execute();
}

/** Deletes what counts no more. */
export async function sweepLoginAttempts({ kysely }: BackendDatabase, now: number): Promise<void> {
  await kysely.deleteFrom("chat_login_attempts").where("ends", "<=", now).execute();
}

/** Milliseconds after so many failures: 0 up to ten, then 250 more each, at most 5,000. */
function delayAfter(failures: number): number {
  return Math.min(5_000, Math.max(0, failures - mostFailures) * 250);
}
