import { sql } from "kysely";
import type { DatabaseHandle } from "../../backend/storage/database-handle.ts";
import { readArguments, unusable } from "../arguments.ts";
import { databaseOf, databaseOption, withDatabase } from "../backend/database-option.ts";
import { type Erasure, erasePerson, type ErasureRequest } from "../backend/erase-person.ts";
import { beyondReach, describeErasure, foundAny } from "../backend/erasure-report.ts";
import type { Command, Terminal } from "../command.ts";

const name = "backend erase";

export const backendEraseCommand: Command = {
  name,
  summary:
    "Erases one person's data from every store, all of it or nothing, and says what was there.",
  usage: "--user ADDRESS|ID [--project P] [--keep-replies] [--dry-run] [--yes] [--database …]",
  options: [
    {
      name: "user",
      value: "ADDRESS",
      help: "e-mail address of the person, or number or UUID of the user",
    },
    { name: "project", value: "P", help: "in this project only (default: in all)" },
    {
      name: "keep-replies",
      help: "leave their words in others' tickets, without their name, as for staff who have left",
    },
    { name: "dry-run", help: "say what would be erased, and erase nothing" },
    { name: "yes", help: "do not ask; needed where nobody can be asked" },
    databaseOption,
  ],
  async run(argv, terminal) {
    const args = readArguments(name, argv, this.options, 0);
    const user = args.one("user")?.trim() ?? "";
    if (user === "") throw unusable(name, "name the person with --user ADDRESS or --user ID");
    const request = { user, project: args.one("project"), keepReplies: args.has("keep-replies") };
    const dryRun = args.has("dry-run");
    const sure = dryRun || args.has("yes");
    if (!sure && terminal.ask === undefined) {
      throw unusable(name, "nobody is here to be asked: add --yes, or look first with --dry-run");
    }
    return withDatabase(databaseOf(args), async (database) => {
      const seen = sure && !dryRun ? null : await tryOut(database, request);
      if (seen !== null) {
        const described = describeErasure(seen, request, true);
        if (dryRun || !foundAny(seen)) terminal.out(described);
        else terminal.error(described);
        if (!foundAny(seen)) return nothing(request, terminal);
        if (dryRun) return 0;
        const answer = await terminal.ask?.('This can\'t be undone. Type "erase" to go on: ');
        if (answer?.trim().toLowerCase() !== "erase") {
          terminal.error("nothing was erased\n");
          return 1;
        }
      }
      const erasure = await database.durable((queries) => erasePerson(queries, request));
      terminal.out(describeErasure(erasure, request, false));
      if (!foundAny(erasure)) return nothing(request, terminal);
      terminal.error(beyondReach(database.dialect, await emptyLog(database)));
      return 0;
    });
  },
};

function nothing({ user }: ErasureRequest, terminal: Terminal): number {
  terminal.error(`afterword ${name}: nothing of ${user} was found\n`);
  return 1;
}

/**
 * Erases, looks what that came to, and takes it back: what is told is exactly what would happen.
 */
async function tryOut(database: DatabaseHandle, request: ErasureRequest): Promise<Erasure> {
  let seen: Erasure | null = null;
  const undone = new Error("only tried out");
  await database
    .transaction(async (queries) => {
      seen = await erasePerson(queries, request);
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  if (seen === null) throw new Error("unreachable: the transaction ended in another way");
  return seen;
}

/**
 * Has SQLite take its log into the file and cut it to nothing, so that no deleted row is left in
 * it.
 */
async function emptyLog({ dialect, kysely }: DatabaseHandle): Promise<boolean> {
  if (dialect !== "sqlite") return false;
  const { rows } = await sql<{ busy: number }>`PRAGMA wal_checkpoint(TRUNCATE)`.execute(kysely);
  return rows[0]?.busy === 0;
}
