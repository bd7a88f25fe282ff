import { z } from "zod";
import {
  acceptText,
  booleanLike,
  numberList,
  type OutputOf,
  skipEmpty,
  wholeNumber,
} from "../call/fields.ts";
import { LIMITS } from "../call/limits.ts";
import { newPassword } from "./password.ts";
import {
  chatId,
  contact,
  externalId,
  extraInfo,
  idList,
  languages,
  name,
  paging,
  readAlias,
  roomIds,
} from "./schema.ts";
import { AGENT_STATUSES } from "./states.ts";

/** Shapes of requests about agents. */

export const agentFilter = z.object({
  ...paging,
  roomId: acceptText(LIMITS.id).optional(),
  online: booleanLike.optional(),
});

/** Numbers of the queues to which a right is limited. An empty list means every queue. */
export const agentQueues = z.object({
  TICKET_VIEW: numberList.default([]),
  TICKET_EDIT: numberList.default([]),
});

const login = externalId.refine((value) => value.trim() !== "", { error: "must not be empty" });

const agent = {
  /** If it is left out, a password is generated, and shown once. */
  password: skipEmpty(newPassword),
  nickname: acceptText(LIMITS.name).optional(),
  contact: contact.optional(),
  externalId: externalId.optional(),
  extraInfo: extraInfo.optional(),
  rooms: roomIds.optional(),
  languages: languages.optional(),
  slots: wholeNumber.refine((value) => value <= 1000, { error: "must be at most 1000" }).optional(),
  online: booleanLike.optional(),
  status: z
    .enum(AGENT_STATUSES, { error: `must be among ${AGENT_STATUSES.join(", ")}` })
    .optional(),
  rights: z
    .object({
      CHAT_EDIT_USER_INFO: booleanLike.optional(),
      CHAT_EDIT_CANNED_ANSWERS: booleanLike.optional(),
      TICKET_VIEW: booleanLike.optional(),
      TICKET_EDIT: booleanLike.optional(),
      SUPERVISE: booleanLike.optional(),
    })
    .optional(),
  queues: agentQueues.optional(),
};

export const newAgent = z.object({ ...agent, name, login });
export type NewChatAgent = OutputOf<typeof newAgent>;

export const agentChange = z.object({
  ...agent,
  name: name.optional(),
  login: login.optional(),
});
export type ChatAgentChange = OutputOf<typeof agentChange>;

/** The credentials that an agent signs in with: `login` (or `email`, `username`) and `password`. */
export const agentLogin = z.preprocess(
  (value) => readAlias(value, "login", ["email", "username", "user", "name"]),
  z.object({ login: acceptText(LIMITS.externalId), password: z.string().max(LIMITS.secret) }),
);

export const agentLogout = z.preprocess(
  (value) =>
    readAlias(readAlias(value, "agentId", ["userId", "id"]), "roomIds", ["rooms", "roomId"]),
  z.object({ agentId: chatId.optional(), roomIds: idList.optional() }),
);

/**
 * `roomIds` or `roomId`, one or several with commas, in both calls about availability (row 6 of the
 * spellings).
 */
export const availabilityQuery = z.preprocess(
  (value) =>
    readAlias(readAlias(value, "roomIds", ["roomId", "roomIds[]"]), "langs", ["lang", "language"]),
  z.object({ roomIds: idList.optional(), langs: idList.optional() }),
);
