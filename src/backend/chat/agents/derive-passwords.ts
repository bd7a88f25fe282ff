import { pbkdf2Sync } from "node:crypto";
import { answerInThread, createThread } from "../../../storage/thread.ts";
import type { Derive } from "./passwords.ts";

const does = "derives passwords";

/** Derives a password in a thread of its own. */
export const deriveInThread: Derive = (...call) => thread.call(call);

const thread = createThread<Parameters<Derive>, Uint8Array>({
  module: new URL(import.meta.url),
  does,
});

// Not in libuv's four threads, which the process's tokens, compression and name look-ups share.
answerInThread(
  does,
  ([password, salt, rounds]: Parameters<Derive>) =>
    new Uint8Array(pbkdf2Sync(password, salt, rounds, 32, "sha512")),
);
