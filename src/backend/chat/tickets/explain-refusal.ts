import { LIMITS } from "../../../api/call/limits.ts";
import { refuseFor, Refusal } from "../../http/refusal.ts";
import { listQueues } from "../../ticketing/queues.ts";
import type { ChatOptions } from "../options.ts";
import type { TicketAccess } from "./access.ts";

/** Adds the values that agents know to a refusal, such as a queue's name instead of its number. */
export async function explainRefusal(
  { database }: Pick<ChatOptions, "database">,
  { project }: TicketAccess,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof Refusal)) return error;
  const { status, message, why } = error;
  if (why === null) {
    if (!/^(?:tags|addTags|removeTags)\b/.test(message)) return error;
    return refuseFor(status, "tags", message, { count: LIMITS.tags, length: LIMITS.tag });
  }
  const queues = await listQueues(database.kysely, project);
  const named = queues.find(({ id }) => id === why.params["queue"]);
  if (named === undefined) return error;
  return refuseFor(status, why.reason, message, { ...why.params, queue: named.name });
}
