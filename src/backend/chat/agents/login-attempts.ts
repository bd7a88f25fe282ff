import { hashSha256Hex } from "../../../json/bytes.ts";
import type { BackendDatabase } from "../../storage/tables/database.ts";

/** Which login is tried, and from where. */
export interface Attempt {
  readonly app: string;
  readonly login: string;
  readonly network: string;
}

/** This many consecutive wrong passwords for a login from a network lock the pair for a minute. */
const maxFailures = 10;
const lockedFor = 60_000;
/**
 * The most by which the clocks of processes may differ. Entries further in the future were written
 * before the clock was set back. They are ignored, because they would lock an agent out for as long.
 */
const skew = 60_000;
/** How long failures of a login, or from a network, slow further attempts down. */
const remembered = 15 * 60_000;
/** How long after a successful login a network counts as known. */
const knownFor = 90 * 86_400_000;

/**
 * Counts login attempts in the database, which all processes share. It stores digests of the login
 * with the network, of the login, and of the network, also for logins that do not exist. An attempt
 * counts before its password is checked, so that concurrent attempts have the same limit as
 * consecutive ones.
 */
export async function readLoginAttempts(
  { kysely }: BackendDatabase,
  now: () => number,
  { app, login, network }: Attempt,
) {
  const [pair, byLogin, byNetwork, known] = await Promise.all(
    [
      ["pair", login, network],
      ["login", login],
      ["network", network],
      ["known", login, network],
    ].map(([kind, ...parts]) => hashSha256Hex(JSON.stringify([kind, app, ...parts]))),
  );
  if (!pair || !byLogin || !byNetwork || !known) throw new Error("unreachable: four were made");

  return {
    /** The facts that are known before a password is checked. */
    async standing() {
      const rows = await kysely
        .selectFrom("chat_login_attempts")
        .selectAll()
        .where("digest", "in", [pair, known])
        .where("ends", ">", now())
        .execute();
      const failed = rows.find(({ digest }) => digest === pair);
      const rest = (failed?.ends ?? 0) - now();
      const locked = failed !== undefined && failed.failures >= maxFailures;
      return {
        /** Milliseconds until passwords for this login from this network are checked again, or 0. */
        locked: locked && rest <= lockedFor + skew ? Math.min(rest, lockedFor) : 0,
        /** True if this login has been used from this network before. */
        known: rows.some(({ digest }) => digest === known),
      };
    },

    /** Counts an attempt. Null if the pair is locked; else milliseconds to wait before the check. */
    async count() {
      const at = now();
      const counted = await countAll(kysely, at, [
        { digest: pair, failures: 1, ends: at + lockedFor },
        { digest: byLogin, failures: 1, ends: at + remembered },
        { digest: byNetwork, failures: 1, ends: at + remembered },
      ]);
      const failuresOf = (digest: string): number =>
        counted.find((row) => row.digest === digest)?.failures ?? 0;
      if (failuresOf(pair) > maxFailures) return null;
      return delayAfter(Math.max(failuresOf(byLogin), failuresOf(byNetwork)) - 1);
    },

    /** Takes the attempt back, and records that the login is used from this network. */
    async succeeded() {
      // One row at a time, because transactions that lock several in different orders would deadlock.
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

/** Adds one to the failures of each row. Expired rows start again at one. */
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

/** Deletes expired rows. */
export async function sweepLoginAttempts({ kysely }: BackendDatabase, now: number): Promise<void> {
  await kysely.deleteFrom("chat_login_attempts").where("ends", "<=", now).execute();
}

/** The delay in milliseconds: 0 up to ten failures, then 250 more for each, at most 5,000. */
function delayAfter(failures: number): number {
  return Math.min(5_000, Math.max(0, failures - maxFailures) * 250);
}
