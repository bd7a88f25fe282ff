import type { DialectName } from "../../storage/database.ts";
import { emptyLog } from "../../storage/empty-log.ts";
import type { BackendDatabase } from "../../backend/storage/tables/database.ts";
import { createArgumentError } from "../command/arguments.ts";
import { findDatabase, databaseOptions, withDatabase } from "../backend/database-option.ts";
import { type Erasure, erasePerson, type ErasureRequest } from "../backend/erase-person.ts";
import { type Command, askToErase, type Terminal } from "../command/command.ts";
import { ERASED_REPLY } from "../backend/erase-tickets.ts";

const name = "backend erase";

export const backendEraseCommand: Command = {
  name,
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
    ...databaseOptions,
  ],
  async run(args, terminal) {
    const user = args.one("user")?.trim() ?? "";
    if (user === "")
      throw createArgumentError(name, "name the person with --user ADDRESS or --user ID");
    const request = { user, project: args.one("project"), keepReplies: args.has("keep-replies") };
    const dryRun = args.has("dry-run");
    const sure = dryRun || args.has("yes");
    if (!sure && terminal.ask === undefined) {
      throw createArgumentError(
        name,
        "there is no terminal to ask in: add --yes, or look first with --dry-run",
      );
    }
    return withDatabase(findDatabase(args, terminal), async (database) => {
      const seen = sure && !dryRun ? null : await tryOut(database, request);
      if (seen !== null) {
        const described = describeErasure(seen, request, true);
        if (dryRun || !hasFoundAny(seen)) terminal.out(described);
        else terminal.error(described);
        if (!hasFoundAny(seen)) return reportNothing(request, terminal);
        if (dryRun) return 0;
        if (!(await askToErase(terminal))) return 1;
      }
      const erasure = await database.durable((queries) => erasePerson(queries, request));
      terminal.out(describeErasure(erasure, request, false));
      if (!hasFoundAny(erasure)) return reportNothing(request, terminal);
      terminal.error(describeBeyondReach(database.dialect, await emptyLog(database)));
      return 0;
    });
  },
};

function reportNothing({ user }: ErasureRequest, terminal: Terminal): number {
  terminal.error(`afterword ${name}: nothing of ${user} was found\n`);
  return 1;
}

/** Erases, records the result, and rolls back, so that the report is exact. */
async function tryOut(database: BackendDatabase, request: ErasureRequest): Promise<Erasure> {
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

/** True when anything of the person was there. */
function hasFoundAny(erasure: Erasure): boolean {
  return erasure.users.length > 0 || counts(erasure).some(([, count]) => count > 0);
}

/** Describes what was erased, what stayed, and which stores were not searched. */
function describeErasure(erasure: Erasure, request: ErasureRequest, dryRun: boolean): string {
  const { users, tickets, chats, elsewhere } = erasure;
  const rows = counts(erasure);
  const who = users.map(({ id, project, address }) => `  user ${id} of ${project}: ${address}\n`);
  const lines = rows
    .filter(([, count]) => count > 0)
    .map(([label, count]) => `${label.padEnd(48)}${String(count).padStart(7)}\n`);
  const found = hasFoundAny(erasure);
  const words = request.keepReplies ? "kept, without a name" : `now ${ERASED_REPLY}`;
  const notes = [
    ...(found && lines.length < rows.length
      ? [`nothing else was found; docs/backend-operations.md lists the kinds of data`]
      : []),
    ...(tickets.repliesElsewhere > 0 ? [`replies to others' tickets are ${words}`] : []),
    ...(tickets.detached.length > 0
      ? [
          `tickets that were parts of erased ones stay, as tickets of their own: ${tickets.detached.join(", ")}`,
        ]
      : []),
    ...(elsewhere.tickets.length > 0
      ? [
          `tickets of others name the address and stay, look at them: ${elsewhere.tickets.join(", ")}`,
        ]
      : []),
    ...(elsewhere.keys.length > 0
      ? [
          `API keys have a personal secret of that name, revoke them if they are to go: ${elsewhere.keys.join(", ")}`,
        ]
      : []),
    ...(chats === null ? ["chats belong to no project: leave --project out to erase them"] : []),
    ...(chats !== null && chats.agents.length > 0
      ? [`agents of the chat have the address and stay: ${chats.agents.join(", ")}`]
      : []),
    ...(users.length === 0 ? ["no user has this address or id"] : []),
  ];
  const heading = !found ? "nothing was found" : dryRun ? "would be erased" : "erased";
  return `${heading}: ${request.user}\n${who.join("")}${lines.join("")}${notes.map((note) => `note: ${note}\n`).join("")}`;
}

/** Describes what an erasure can't reach, for standard error. */
function describeBeyondReach(dialect: DialectName, logEmptied: boolean): string {
  const own =
    dialect === "postgres"
      ? "PostgreSQL keeps deleted rows in its files until the next VACUUM, and in archived logs"
      : logEmptied
        ? "deleted rows were overwritten in the database and its log"
        : "deleted rows were overwritten in the database; its log holds them until nobody reads any more and it is emptied";
  return `${own}. Not reached: backups, what webhooks were told already, log files, and conversations in which the person gave no address (they end 30 minutes after their last turn).\n`;
}

function counts(erasure: Erasure): readonly (readonly [string, number])[] {
  const { users, tickets, conversations, knowledge, chats, webhookEvents, unnamed } = erasure;
  return [
    ["users", users.length],
    ["tickets", tickets.tickets],
    ["replies in them", tickets.replies],
    ["entries of their history", tickets.history],
    ["surveys about them", tickets.surveys],
    ["files that nothing else uses", tickets.media],
    ["replies to others' tickets", tickets.repliesElsewhere],
    ["others' tickets and changes that named the user", unnamed],
    ["idempotency keys", tickets.keys],
    ["webhook events not yet delivered", webhookEvents + (chats?.webhookEvents ?? 0)],
    ["conversations", conversations.conversations],
    ["messages in them", conversations.messages],
    ["events reported from them", conversations.events],
    ["knowledge sessions", knowledge.sessions],
    ["events of the knowledge service", knowledge.events],
    ["users of the live chat", chats?.people ?? 0],
    ["chats", chats?.chats ?? 0],
    ["messages and files in them", (chats?.messages ?? 0) + (chats?.media ?? 0)],
  ];
}
