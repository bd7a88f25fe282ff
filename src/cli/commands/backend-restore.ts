import { mkdirSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { isPostgresAddress } from "../../backend/storage/postgres/address.ts";
import { AfterwordError } from "../../errors.ts";
import { readArguments, unusable, onlyPositional } from "../arguments.ts";
import { databaseOf, databaseOption, shortened } from "../backend/database-option.ts";
import { examineFile } from "../backend/examine-file.ts";
import { refusePostgres } from "../backend/postgres-tools.ts";
import { restoreFile } from "../backend/restore-file.ts";
import type { Command } from "../command.ts";

const name = "backend restore";

export const backendRestoreCommand: Command = {
  name,
  summary:
    "Puts a backup in the place of the database, which must not be in use and is kept beside it.",
  usage: "FILE [--database FILE]",
  options: [databaseOption],
  async run(argv, terminal) {
    const args = readArguments(name, argv, this.options, 1);
    const written = onlyPositional(name, args, "name the backup");
    const database = databaseOf(args);
    if (isPostgresAddress(database)) throw refusePostgres(name, database, written);
    const backup = resolve(written);
    const { unknown, missing } = examineFile(backup);
    if (unknown.length > 0) {
      throw new AfterwordError(
        "database-unusable",
        `${shortened(backup)} was written by a newer version of Afterword (${unknown.join(", ")} is unknown here): restore it with that version`,
      );
    }
    mkdirSync(dirname(database), { recursive: true, mode: 0o700 });
    const place = placeOf(database);
    if (realpathSync(backup) === place) throw unusable(name, "the backup is the database itself");
    const aside = `${place}.before-${new Date().toISOString().replaceAll(/[-:.]/g, "")}`;
    const former = restoreFile(backup, place, aside);
    if (former) terminal.out(`kept ${shortened(aside)}, the database until now\n`);
    terminal.out(`restored ${shortened(database)}\n`);
    if (missing.length > 0) {
      terminal.out("It is of an older release: the next start brings it up to this one.\n");
    }
    return 0;
  },
};

/** Where a path leads: a symbolic link stays one. */
function placeOf(database: string): string {
  try {
    return realpathSync(database);
  } catch {
    return database;
  }
}
