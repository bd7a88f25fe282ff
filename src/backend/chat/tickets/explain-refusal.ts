import { refuseFor, Refusal } from "../../http/refusal.ts";
import { listQueues } from "../../ticketing/queues.ts";
import type { ChatOptions } from "../options.ts";
import type { TicketAccess } from "./access.ts";

/** Names a refused queue, which agents know by its name and not by its number. */
export async function explainRefusal(
  { database }: Pick<ChatOptions, "database">,
  { project }: TicketAccess,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof Refusal)) return error;
  const { status, message, why } = error;
  if (why === null) return error;
  const queues = await listQueues(database.kysely, project);
  const named = queues.find(({ id }) => id === why.params["queue"]);
  if (named === undefined) return error;
  return refuseFor(status, why.reason, message, { ...why.params, queue: named.name });
}
