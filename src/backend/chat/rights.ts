import type { ChatUserChange } from "../../api/chat/schema.ts";
import { Refusal, refuseFor } from "../http/refusal.ts";
import type { ChatRequest } from "./request.ts";
import { refuseUnknown } from "./errors.ts";
import { readAgent } from "./agents/agents.ts";
import { readUser } from "./agents/people.ts";
import { isVisibleTo } from "./chats/visible.ts";

/**
 * Refuses callers who may not change a user's data. Those who may: the app's server and the user;
 * and an agent with the right CHAT_EDIT_USER_INFO, as long as the two are in a chat that is not
 * closed (seed.md 7.2).
 *
 * @throws Refusal 403
 */
export async function requireEditRight(
  { caller, options }: ChatRequest,
  user: string,
): Promise<void> {
  const { person } = caller;
  if (person === null) return;
  if (person.kind === "user") {
    if (person.id === user) return;
    throw new Refusal(403, "This is another user's data.");
  }
  const { kysely } = options.database;
  const agent = await kysely
    .selectFrom("chat_agents")
    .select("edit_user_info")
    .where("id", "=", person.id)
    .executeTakeFirst();
  if (agent?.edit_user_info !== 1) {
    throw refuseRight("CHAT_EDIT_USER_INFO");
  }
  const ongoing = await kysely
    .selectFrom("chat_members")
    .innerJoin("chat_chats", "chat_chats.number", "chat_members.chat")
    .select("chat_chats.number")
    .where("chat_chats.creator", "=", user)
    .where("chat_chats.phase", "<>", "closed")
    .where("chat_members.person", "=", person.id)
    .where("chat_members.left_at", "is", null)
    .executeTakeFirst();
  if (ongoing === undefined) {
    throw refuseFor(
      403,
      "data",
      "An agent may change a user's data during a chat with that user only.",
    );
  }
}

/** Throws 403 for users, and for agents without the right CHAT_EDIT_CANNED_ANSWERS. */
export async function requireCannedAnswersRight(request: ChatRequest): Promise<void> {
  requireNoUser(request);
  const { person } = request.caller;
  if (person === null) return;
  const { rights } = await readAgent(request.options.database.kysely, request.app, person.id);
  if (rights.CHAT_EDIT_CANNED_ANSWERS) return;
  throw refuseRight("CHAT_EDIT_CANNED_ANSWERS");
}

/** An agent with the right SUPERVISE, who sees the figures of their rooms. */
export interface Supervisor {
  readonly app: string;
  /** Id of the agent. */
  readonly agent: string;
}

/**
 * Reads the calling agent from the database. The app's secret is not enough, because figures are
 * limited to an agent's rooms.
 *
 * @throws Refusal 403 without the right SUPERVISE
 */
export async function requireSupervisor({
  caller,
  app,
  options,
}: ChatRequest): Promise<Supervisor> {
  const { person } = caller;
  if (person?.kind !== "agent") throw new Refusal(403, "This needs an agent's token.");
  const { rights } = await readAgent(options.database.kysely, app, person.id);
  if (rights.SUPERVISE) return { app, agent: person.id };
  throw refuseRight("SUPERVISE");
}

/** Throws 403 for a user's token, because users may not read agents and rooms. */
export function requireNoUser({ caller }: ChatRequest): void {
  if (caller.person?.kind === "user") {
    throw new Refusal(403, "This needs an agent's token, or the app's secret.");
  }
}

/** Throws 403 for a user's token, because users must not choose their own externalId. */
export function requireNamer({ caller }: ChatRequest): void {
  if (caller.person?.kind === "user") {
    throw new Refusal(403, "externalId: only the app's server and its agents change it.");
  }
}

/**
 * Throws 403 for an agent who would change the externalId by which a gateway finds its reader again.
 * The reader's next chat would get a new user, without the agents' notes. The app's server may
 * change it.
 */
export async function requireKeysKept(
  { caller, options, app }: ChatRequest,
  id: string,
  { externalId, extraInfo }: ChatUserChange,
): Promise<void> {
  if (caller.person?.kind !== "agent") return;
  const user = await readUser(options.database.kysely, app, id);
  const { conversation } = user.extraInfo;
  const named = typeof conversation === "string" && /^[0-9a-f]{64}$/.test(conversation);
  if (externalId !== undefined && externalId !== user.externalId) {
    if (named || isOurs(user.externalId) || isOurs(externalId)) throw refuseKeptKey("externalId");
  }
  if (named && extraInfo !== undefined && extraInfo["conversation"] !== conversation) {
    throw refuseKeptKey("extraInfo.conversation");
  }
}

function isOurs(externalId: string): boolean {
  return externalId.startsWith("aw-");
}

function refuseKeptKey(field: string): Refusal {
  return new Refusal(
    403,
    `${field}: by this the gateway finds the user again; only the app's server changes it.`,
  );
}

/**
 * Refuses records that a person may not read. People may read their own record and those of people
 * in chats that they may see. Agents may also read other agents' records. Throws 404.
 */
export async function requireKnown({ caller, options }: ChatRequest, id: string): Promise<void> {
  const { person } = caller;
  if (person === null || person.id === id) return;
  const { kysely } = options.database;
  const shared = await kysely
    .selectFrom("chat_members")
    .innerJoin("chat_chats", "chat_chats.number", "chat_members.chat")
    .select("chat_members.person")
    .where("chat_members.person", "=", id)
    .where(isVisibleTo(person.id))
    .executeTakeFirst();
  if (shared !== undefined) return;
  const colleague =
    person.kind === "agent"
      ? await kysely.selectFrom("chat_agents").select("id").where("id", "=", id).executeTakeFirst()
      : undefined;
  if (colleague === undefined) throw refuseUnknown("user", id);
}

/** 403: the agent lacks a right, in all queues or in one. */
export function refuseRight(right: string, queue?: number): Refusal {
  const message = `This agent does not have the right ${right}`;
  return queue === undefined
    ? refuseFor(403, "right", `${message}.`, { right })
    : refuseFor(403, "right-queue", `${message} for queue ${queue}.`, { right, queue });
}
