import { pbkdf2Sync } from "node:crypto";
import { answerInThread, createThread } from "../../../storage/thread.ts";
import type { Derive } from "./passwords.ts";

const does = "derives passwords";

/** Derives passwords in a thread of its own. */
export function deriveInThread(): {
  readonly derive: Derive;
  readonly close: () => Promise<void>;
} {
  const module = new URL(import.meta.url);
  const thread = createThread<Parameters<Derive>, Uint8Array>({ module, does });
  return { derive: (...call) => thread.call(call), close: () => thread.close() };
}

// Not in libuv's four threads, which the process's tokens, compression and name look-ups share.
answerInThread(
  does,
  ([password, salt, rounds]: Parameters<Derive>) =>
    new Uint8Array(pbkdf2Sync(password, salt, rounds, 32, "sha512")),
);
