import type { DialectName } from "../../backend/storage/database-handle.ts";
import type { Erasure, ErasureRequest } from "./erase-person.ts";
import { ERASED_REPLY } from "./erase-tickets.ts";

/** True when anything of the person was there. */
export function foundAny(erasure: Erasure): boolean {
  return erasure.users.length > 0 || counts(erasure).some(([, count]) => count > 0);
}

/** What was erased, what stayed, and where nobody looked. */
export function describeErasure(
  erasure: Erasure,
  request: ErasureRequest,
  dryRun: boolean,
): string {
  const { users, tickets, chats, elsewhere } = erasure;
  const rows = counts(erasure);
  const who = users.map(({ id, project, address }) => `  user ${id} of ${project}: ${address}\n`);
  const lines = rows
    .filter(([, count]) => count > 0)
    .map(([label, count]) => `${label.padEnd(48)}${String(count).padStart(7)}\n`);
  const found = foundAny(erasure);
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

/** What an erasure can't reach, for standard error. */
export function beyondReach(dialect: DialectName, logEmptied: boolean): string {
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
