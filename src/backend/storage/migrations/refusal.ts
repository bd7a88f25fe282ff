import { AfterwordError } from "../../../errors.ts";
import type { DatabaseHandle } from "../database-handle.ts";

type Named = Pick<DatabaseHandle, "name" | "dialect">;

/** A database that can't be brought up to this release. `why` follows its name. */
export function refusal({ name, dialect }: Named, why: string, cause?: unknown): AfterwordError {
  const code = dialect === "sqlite" ? "data-directory-unusable" : "database-unusable";
  return new AfterwordError(code, `The database ${name} ${why}`, { cause });
}

export function writtenByNewer(database: Named, what: string): AfterwordError {
  return refusal(
    database,
    `was written by a newer version of Afterword (${what} is unknown here): run that version, or name another database`,
  );
}
