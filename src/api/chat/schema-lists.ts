import { z } from "zod";
import { acceptText, booleanLike, skipEmpty, wholeNumber } from "../call/fields.ts";
import { LIMITS } from "../call/limits.ts";
import { paging } from "./schema.ts";

/** The filters of chats and tickets. */
export const finding = {
  /** The `next` of the page before. */
  after: skipEmpty(acceptText(LIMITS.id)),
  search: skipEmpty(acceptText(LIMITS.search)),
  /** Id of a ticket's assignee, or of an agent who is or was in a chat. */
  agent: skipEmpty(acceptText(LIMITS.id)),
  lang: skipEmpty(acceptText(LIMITS.id)),
  /**
   * Id of a user, or `ticket-418` for the person of that ticket. Finds their chats or tickets, and
   * those of people with the same e-mail address. Not for users.
   */
  person: skipEmpty(acceptText(LIMITS.id)),
  /** Unix seconds: created at or after `from`, and before `to`. */
  from: skipEmpty(wholeNumber),
  to: skipEmpty(wholeNumber),
};

export const chatFilter = z.object({
  ...paging,
  ...finding,
  status: acceptText(LIMITS.id).optional(),
  room: acceptText(LIMITS.id).optional(),
  userId: acceptText(LIMITS.id).optional(),
  externalId: acceptText(LIMITS.externalId).optional(),
  order: z.enum(["oldest", "newest"]).optional(),
  /** The reason why a person was needed, or why the chat was closed. */
  reason: skipEmpty(acceptText(LIMITS.id)),
  /** True if each chat has its user's name and an excerpt, as with `search`. */
  preview: skipEmpty(booleanLike),
});
