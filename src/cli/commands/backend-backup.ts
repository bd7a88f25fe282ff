import { existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { isPostgresAddress } from "../../database-address.ts";
import { AfterwordError } from "../../errors.ts";
import { requireOnlyPositional } from "../command/arguments.ts";
import { findDatabase, databaseOptions, refuseAbsent } from "../backend/database-option.ts";
import { refusePostgres } from "../backend/postgres-tools.ts";
import { copyBeside, reasonOf, toDisk, findUnknownSteps } from "../backend/backup-file.ts";
import type { Command } from "../command/command.ts";
import { shortenPath } from "../command/shortened.ts";

const name = "backend backup";

export const backendBackupCommand: Command = {
  name,
  usage: "FILE [--database FILE]",
  options: [...databaseOptions],
  positionals: 1,
  async run(args, terminal) {
    const written = requireOnlyPositional(args, "name the file to write");
    const database = findDatabase(args, terminal);
    if (isPostgresAddress(database)) throw refusePostgres(name, database, written);
    refuseAbsent(database);
    const target = resolve(written);
    if (statSync(target, { throwIfNoEntry: false }) !== undefined) throw isThere(target);
    const draft = copyBeside(database, target);
    try {
      findUnknownSteps(draft);
      putInPlace(draft, target);
      toDisk(dirname(target));
    } catch (cause) {
      if (cause instanceof AfterwordError) throw cause;
      if (reasonOf(cause) === "EEXIST") throw isThere(target);
      throw new AfterwordError(
        "database-unusable",
        `${shortenPath(target)} cannot be written (${reasonOf(cause)})`,
        { cause },
      );
    } finally {
      rmSync(draft, { force: true });
    }
    const { size } = statSync(target);
    terminal.out(`wrote ${shortenPath(target)} (${Math.ceil(size / 1024)} KiB)\n`);
    return 0;
  },
};

/**
 * Unlike a rename, a link fails if the target exists already. Not all file systems support links.
 */
function putInPlace(draft: string, target: string): void {
  try {
    linkSync(draft, target);
  } catch (error) {
    if (!["EPERM", "ENOTSUP", "ENOSYS"].includes(reasonOf(error)) || existsSync(target))
      throw error;
    renameSync(draft, target);
  }
}

function isThere(target: string): AfterwordError {
  return new AfterwordError(
    "database-unusable",
    `afterword ${name}: ${shortenPath(target)} is there already, and is not overwritten: name another file`,
  );
}
