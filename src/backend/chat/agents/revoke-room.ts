import type { ChatOptions } from "../options.ts";
import { withAppLock } from "./queue.ts";

/** `openChats`: the number of open chats, because of which nothing was changed. */
export type RevokedRoom = "revoked" | "unknown" | { readonly openChats: number };

/**
 * Removes a room, and its agents from it. A room with open chats stays, because nobody would answer
 * them.
 */
export function revokeRoom(options: ChatOptions, app: string, id: string): Promise<RevokedRoom> {
  return withAppLock(options, app, async ({ queries }) => {
    const { openChats } = await queries
      .selectFrom("chat_chats")
      .select((builder) => builder.fn.countAll<number>().as("openChats"))
      .where("app", "=", app)
      .where("room", "=", id)
      .where("phase", "<>", "closed")
      .executeTakeFirstOrThrow();
    if (openChats > 0) return { openChats };
    const gone = await queries
      .deleteFrom("chat_rooms")
      .where("app", "=", app)
      .where("id", "=", id)
      .returning("id")
      .executeTakeFirst();
    if (gone === undefined) return "unknown";
    const agents = queries.deleteFrom("chat_agent_rooms").where("app", "=", app);
    await agents.where("room", "=", id).execute();
    return "revoked";
  });
}
