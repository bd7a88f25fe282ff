import { z } from "zod";
import { acceptText, booleanLike, skipEmpty, wholeNumber } from "../call/fields.ts";
import { LIMITS } from "../call/limits.ts";
import { paging } from "./schema.ts";

/** The filters of chats and tickets. */
export const finding = {
  after: skipEmpty(acceptText(LIMITS.id)).meta({ description: "The `next` of the page before" }),
  search: skipEmpty(acceptText(LIMITS.search)).meta({
    description: "Words, all of which must occur",
  }),
  agent: skipEmpty(acceptText(LIMITS.id)).meta({
    description: "Id of a ticket's assignee, or of an agent who is or was in a chat",
  }),
  lang: skipEmpty(acceptText(LIMITS.id)).meta({ description: "A language, such as `pt`" }),
  person: skipEmpty(acceptText(LIMITS.id)).meta({
    description:
      "Id of a user, or `ticket-418` for the person of that ticket; also finds what people with the same e-mail address have; not for users",
  }),
  from: skipEmpty(wholeNumber).meta({ description: "Unix seconds: created then or later" }),
  to: skipEmpty(wholeNumber).meta({ description: "Unix seconds: created before then" }),
};

export const chatFilter = z.object({
  ...paging,
  ...finding,
  status: acceptText(LIMITS.id).optional().meta({
    description:
      "`active` (or `open`), `waiting`, `closed`, or `unattended`: open chats without an agent, or whose agent has not answered for too long",
  }),
  room: acceptText(LIMITS.id).optional().meta({ description: "Id of a room" }),
  userId: acceptText(LIMITS.id).optional().meta({
    description: "Id of the user, or of the agent who has the chat",
  }),
  externalId: acceptText(LIMITS.externalId).optional().meta({
    description: "The `externalId` of the chat",
  }),
  order: z.enum(["oldest", "newest"]).optional().meta({
    description: "By the time of creation; the default is the oldest first",
  }),
  reason: skipEmpty(acceptText(LIMITS.id)).meta({
    description: "Why a person was needed, or why the chat was closed; not for users",
  }),
  preview: skipEmpty(booleanLike).meta({
    description: "`true`: each chat has its user's name and an excerpt, as with `search`",
  }),
});
