import type { AuditEntry } from "../../../api/console-health.ts";
import { addAuditEntry, type ConsoleDatabase } from "./store.ts";

/** Reads the audit log, the latest entries first. */
export async function readAudit({ kysely }: ConsoleDatabase): Promise<readonly AuditEntry[]> {
  const rows = await kysely
    .selectFrom("audit")
    .selectAll()
    .orderBy("id", "desc")
    .limit(500)
    .execute();
  return rows.map(({ at, label, action, details }) => {
    return { at: new Date(at).toISOString(), label, action, details };
  });
}

/** Adds an entry without a token. Only the latest of these are kept. */
export async function noteForNobody(
  { kysely }: ConsoleDatabase,
  at: number,
  action: string,
  details: string,
): Promise<void> {
  await addAuditEntry(kysely, at, NOBODY, action, details);
  const notes = kysely.selectFrom("audit").select("id").where("label", "=", NOBODY);
  const kept = notes.orderBy("id", "desc").limit(maxNotes);
  await kysely
    .deleteFrom("audit")
    .where("label", "=", NOBODY)
    .where("id", "not in", kept)
    .execute();
}

/** Replaces the label; no token has it. */
const NOBODY = "(nobody)";
/** These entries must not displace those of people. */
const maxNotes = 200;
