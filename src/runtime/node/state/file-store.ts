import { checkSeal } from "../../../escalation/stores/seal-check.ts";
import { type Sealing, unsealed } from "../../../escalation/stores/sealing.ts";
import { createStoredEscalations } from "../../../escalation/stores/stored.ts";
import { AfterwordError } from "../../../errors.ts";
import { createStoredConversations } from "./conversations.ts";
import { createFileRows, patiently } from "./file-rows.ts";
import { startFileThread } from "./file-thread.ts";
import type { FileOperation, FileValue } from "./file-worker.ts";
import type { Standing } from "./standing.ts";
import type { Damaged, StateStore } from "./state-store.ts";

export interface FileStoreOptions {
  /** Made when there is none; its directory too. */
  readonly file: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly standing: Standing;
  /** Told of every stored entry that cannot be read; it is as good as none. */
  readonly damaged: Damaged;
  /** Encrypts what is stored. Default: nothing does. */
  readonly sealing?: Sealing;
  /**
   * At most so many conversations; the one that was silent longest leaves first. Default 100,000.
   */
  readonly limit?: number;
}

/** How often expired conversations are deleted although nobody writes, in milliseconds. */
const sweepEvery = 60_000;

/**
 * Conversations and escalations in one SQLite file, for the processes of one machine. The file is
 * used in a thread of its own: neither the disk nor another process's lock holds up a request that
 * needs no memory.
 *
 * @throws AfterwordError `data-directory-unusable`, or `config-invalid` where the key does not fit
 *   to what is stored
 */
export async function openFileStore(options: FileStoreOptions): Promise<StateStore> {
  const { file, now, standing, damaged, sealing = unsealed } = options;
  const thread = startFileThread({ afterwordStateFile: file, limit: options.limit ?? 100_000 });
  try {
    await thread.opened;
    const mark = {
      read: async () => textOf(await call({ kind: "readMark" })),
      write: async (text: string) =>
        void (await patiently(() => call({ kind: "writeMark", text }))),
    };
    await checkSeal(mark, sealing, { where: file, keyed: sealing !== unsealed });
  } catch (cause) {
    await thread.end();
    if (cause instanceof AfterwordError) throw cause;
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new AfterwordError("data-directory-unusable", message, { cause });
  }
  const sweeping = setInterval(() => {
    call({ kind: "sweep" }).catch(() => undefined);
  }, sweepEvery).unref();

  const conversations = createStoredConversations({
    texts: {
      get: async (key) => textOf(await call({ kind: "get", key })),
      put: async (key, value) => void (await call({ kind: "put", key, value })),
    },
    sealing,
    damaged,
  });
  return {
    ...conversations,
    escalations: createStoredEscalations({
      rows: createFileRows(call),
      sealing,
      damaged: () => damaged("escalation"),
    }),
    async close() {
      clearInterval(sweeping);
      await thread.call({ kind: "close" }, now()).catch(() => undefined);
      await thread.end();
    },
  };

  async function call(operation: FileOperation): Promise<FileValue> {
    try {
      const value = await thread.call(operation, now());
      standing.works();
      return value;
    } catch (error) {
      standing.failed(error instanceof Error ? error.message : String(error));
      throw error;
    }
  }
}

function textOf(value: FileValue): string | null {
  return typeof value === "string" ? value : null;
}
