import { z } from "zod";
import { text, truth, unlessEmpty, wholeNumber } from "../call/fields.ts";
import { LIMITS } from "../call/limits.ts";
import { paging } from "./schema.ts";

/** What chats and tickets are found by. */
export const finding = {
  /** The `next` of the page before. */
  after: unlessEmpty(text(LIMITS.id)),
  search: unlessEmpty(text(LIMITS.search)),
  /** Id of the agent who is to answer; of chats, of one who is or was in it. */
  agent: unlessEmpty(text(LIMITS.id)),
  lang: unlessEmpty(text(LIMITS.id)),
  /** Id of a user: what is theirs, and of everybody with the same e-mail address. Not for users. */
  person: unlessEmpty(text(LIMITS.id)),
  /** Unix seconds: created at or after `from`, and before `to`. */
  from: unlessEmpty(wholeNumber),
  to: unlessEmpty(wholeNumber),
};

export const chatFilter = z.object({
  ...paging,
  ...finding,
  status: text(LIMITS.id).optional(),
  room: text(LIMITS.id).optional(),
  userId: text(LIMITS.id).optional(),
  externalId: text(LIMITS.externalId).optional(),
  order: z.enum(["oldest", "newest"]).optional(),
  /** Why a person was needed, or why it was closed. */
  reason: unlessEmpty(text(LIMITS.id)),
  /** True: each chat has its user's name and an excerpt, as with `search`. */
  preview: unlessEmpty(truth),
});
