export interface StandaloneFile {
  readonly file: string;
  readonly reason: string;
}

/**
 * Files that only one neighbour imports, and that stay files of their own: they have another
 * subject, or run on another thread or platform.
 */
export const standaloneFiles: readonly StandaloneFile[] = [
  { file: "src/gateway/callers/jwt.ts", reason: "Loads jose, with the first signed token." },
  { file: "src/testing/raw-client.ts", reason: "Its neighbour is an entry, which re-exports." },
  { file: "src/backend/content/content-thread.ts", reason: "Runs on a thread of its own." },
  {
    file: "src/runtime/node/node-version.ts",
    reason: "Throws on an old Node before its neighbour's other imports run.",
  },
  {
    file: "src/cli/run.ts",
    reason: "Tests call it; its neighbour starts the command when it is imported.",
  },
  {
    file: "src/cli/compile-cache.ts",
    reason: "Tests call it; its neighbour starts the command when it is imported.",
  },
  {
    file: "src/cli/commands/backend-migrate.ts",
    reason: "Loaded only when asked for, as every command of `backend`.",
  },
  {
    file: "src/runtime/node/state/file-store.ts",
    reason: "Loaded only where state is kept in a file.",
  },
  {
    file: "src/runtime/node/state/redis-store.ts",
    reason: "Loaded only where state is kept in Redis.",
  },
  {
    file: "src/runtime/node/state/file-rows.ts",
    reason: "Escalations, as redis-rows.ts; its neighbour has the conversations.",
  },
  {
    file: "src/runtime/node/reload/config-thread.ts",
    reason: "Runs on a thread of its own.",
  },
  {
    file: "src/backend/knowledge/language-detector.ts",
    reason: "Works without HTTP; its neighbour is routes.",
  },
  {
    file: "src/config/check/words.ts",
    reason: "One of the checks, each of which is a file.",
  },
];

export interface KeptName {
  /** A file or folder as `src/…`, or the name of a type. */
  readonly name: string;
  readonly reason: string;
}

/**
 * Names with a banned word of `words.ts` that others fixed: the contract, the vendor's API, or data
 * that is already stored.
 */
export const keptNames: readonly KeptName[] = [];
