import { setTimeout as wait } from "node:timers/promises";
import type { EscalationRows, Row } from "../../../escalation/stores/rows.ts";
import { FileFailure } from "./file-thread.ts";
import type { EscalationOperation, FileValue } from "./file-worker.ts";

/**
 * Escalation rows in the state file. A write that another process's writing kept out is tried again
 * for a while: it waits outside the thread, so that conversation memories are served meanwhile.
 */
export function createFileRows(
  call: (operation: EscalationOperation) => Promise<FileValue>,
): EscalationRows {
  return {
    get: async (key) => rowOf(await call({ kind: "record", key })),
    byEvent: async (event) => rowOf(await call({ kind: "recordByEvent", event })),
    put: async (row, expected) => (await patient({ kind: "putRecord", row, expected })) === true,
    async delete(key) {
      await patient({ kind: "deleteRecord", key });
    },
    due: async (at, limit, lease) => rowsOf(await call({ kind: "due", at, limit, lease })),
    open: async (limit) => rowsOf(await call({ kind: "open", limit })),
    sweep: async (before) => Number(await patient({ kind: "sweepRecords", before })),
    claim: async (name, by, lease) => (await patient({ kind: "claim", name, by, lease })) === true,
    async release(name, by) {
      await patient({ kind: "release", name, by });
    },
  };

  function patient(operation: EscalationOperation): Promise<FileValue> {
    return patiently(() => call(operation));
  }
}

/** Tries again while another process is writing. */
export async function patiently<Value>(work: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof FileFailure) || !error.busy || attempt === mostAttempts) throw error;
    }
    await wait(attempt * 5);
  }
}

/** Each waits for up to 250 ms inside the thread. */
const mostAttempts = 5;

function rowOf(value: FileValue): Row | null {
  return typeof value === "object" && value !== null && "key" in value ? value : null;
}

function rowsOf(value: FileValue): readonly Row[] {
  return Array.isArray(value) ? value : [];
}
