export interface KeptApart {
  readonly file: string;
  readonly reason: string;
}

/**
 * Files that only one neighbour imports, and that stay files of their own: they have another
 * subject, or run on another thread or platform.
 */
export const keptApart: readonly KeptApart[] = [
  {
    file: "src/runtime/worker/pushed-format-1.ts",
    reason: "Reads texts that were pushed by earlier versions, and goes as a whole one day.",
  },
  { file: "src/gateway/callers/jwt.ts", reason: "Loads jose, with the first signed token." },
  { file: "src/testing/raw-client.ts", reason: "Its neighbour is an entry, which re-exports." },
  { file: "src/backend/content/content-thread.ts", reason: "Runs on a thread of its own." },
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
