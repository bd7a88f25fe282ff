import { Refusal } from "../../http/refusal.ts";
import { storable } from "../../../storage/storable.ts";
import type { ChatRequest } from "../request.ts";
import type { ChatRow } from "./chat-rows.ts";
import type { Phase } from "./machine.ts";
import { type Page, readPage } from "../../http/paging.ts";
import { seenBy } from "./visible.ts";

export interface ChatQuery {
  readonly status?: string | undefined;
  readonly room?: string | undefined;
  readonly userId?: string | undefined;
  readonly externalId?: string | undefined;
  readonly order?: "oldest" | "newest" | undefined;
  readonly length?: number | undefined;
  readonly offset?: number | undefined;
}

const active: readonly Phase[] = ["created", "searching", "alone", "held"];
/** What each word of the wire stands for; both of row 22 are understood. */
const phases: ReadonlyMap<string, readonly Phase[]> = new Map<string, readonly Phase[]>([
  ["active", active],
  ["open", active],
  ["waiting", ["invited", "queued"]],
  ["closed", ["closed"]],
]);

/** Chats that the caller may see, oldest first by default. Throws 422 for an unknown status. */
export async function listChats(asked: ChatRequest, filter: ChatQuery): Promise<Page<ChatRow>> {
  const { person } = asked.caller;
  const { status, room, userId, externalId } = filter;
  let query = asked.options.database.kysely
    .selectFrom("chat_chats")
    .selectAll()
    .where("app", "=", asked.app);
  if (status !== undefined) {
    const wanted = phases.get(status.toLowerCase());
    if (wanted === undefined) {
      throw new Refusal(422, `status: must be among ${[...phases.keys()].join(", ")}`);
    }
    query = query.where("phase", "in", [...wanted]);
  }
  if (room !== undefined) query = query.where("room", "=", storable(room));
  if (externalId !== undefined) query = query.where("external_id", "=", storable(externalId));
  if (userId !== undefined) {
    const id = storable(userId);
    query = query.where((where) => where.or([where("creator", "=", id), where("holder", "=", id)]));
  }
  if (person !== null) query = query.where(seenBy(person.id));
  return readPage(filter, (limit, offset) =>
    query
      .orderBy("number", filter.order === "newest" ? "desc" : "asc")
      .limit(limit)
      .offset(offset)
      .execute(),
  );
}
