import { AfterwordError } from "../../../errors.ts";
import type { SqliteFailure } from "./protocol.ts";

/**
 * The error of a statement that failed. What the file or the disk is to blame for is an
 * {@link AfterwordError} that says what to do; what the statement is to blame for, such as a unique
 * value that is there already, keeps SQLite's words and `errcode`.
 */
export function failedStatement({ message, code }: SqliteFailure, name: string): Error {
  const cure = cureOf(code);
  if (cure === undefined) return Object.assign(new Error(message), { errcode: code });
  return new AfterwordError("database-unusable", `The database ${name} ${cure} (${message})`);
}

/** The error of a file that can't be opened. */
export function failedOpening({ message, code }: SqliteFailure, name: string): AfterwordError {
  const cure = cureOf(code) ?? notOpened;
  return new AfterwordError("data-directory-unusable", `The database ${name} ${cure} (${message})`);
}

function cureOf(code: SqliteFailure["code"]): string | undefined {
  return typeof code === "string" ? systemCures[code] : cures[(code ?? 0) & 0xff];
}

const notOpened =
  "cannot be opened: it must be a file, not a directory, on a local disk, which this process may write, in a directory that it may write";

const notWritable = "cannot be written: let this process write the file and its directory";

const diskFull = "cannot grow, because the disk is full: free some space";

const damaged =
  "is damaged or no database at all: put a backup in its place, or move it away, and an empty one is made at the next start";

/**
 * SQLite's primary result codes (https://sqlite.org/rescode.html) that an operator can do something
 * about.
 */
const cures: Readonly<Record<number, string>> = {
  5: "is locked by another process for more than 5 seconds: end that process, or give each its own database",
  6: "is locked: end the process that holds it",
  8: notWritable,
  10: "cannot be read or written, because the disk fails: look at the system's log, and at the free space",
  11: damaged,
  13: diskFull,
  14: notOpened,
  26: damaged,
};

/** The same for what the system says before SQLite sees the file. */
const systemCures: Readonly<Record<string, string>> = {
  EACCES: notWritable,
  EPERM: notWritable,
  EROFS: "cannot be written, because its disk is mounted read-only: name a file on another disk",
  EISDIR: "is a directory: name a file in it",
  ENOTDIR: "lies below a file: name a directory that exists or can be made",
  EEXIST: "lies below a file: name a directory that exists or can be made",
  ENOSPC: diskFull,
  EDQUOT: diskFull,
};
