import { pbkdf2Sync } from "node:crypto";
import { isMainThread, type MessagePort, parentPort, workerData } from "node:worker_threads";

/** This module, as a worker's first: the thread in which passwords are derived. */
export const deriveThread: URL = new URL(import.meta.url);

/** What the thread is started with. */
export interface DeriveThreadData {
  readonly afterwordPasswords: true;
}

export interface DeriveCall {
  readonly id: number;
  readonly password: string;
  readonly salt: string;
  readonly rounds: number;
}

export interface DeriveReply {
  readonly id: number;
  readonly derived: Uint8Array;
}

if (!isMainThread && parentPort !== null && isOurs(workerData)) serve(parentPort);

function serve(port: MessagePort): void {
  // In this thread, and not in libuv's four, which tokens, compression and name look-ups of the
  // whole process share.
  port.on("message", ({ id, password, salt, rounds }: DeriveCall) => {
    const derived = new Uint8Array(pbkdf2Sync(password, salt, rounds, 32, "sha512"));
    port.postMessage({ id, derived } satisfies DeriveReply);
  });
}

/** The thread may be somebody else's worker that merely imports this module. */
function isOurs(data: unknown): data is DeriveThreadData {
  return typeof data === "object" && data !== null && "afterwordPasswords" in data;
}
