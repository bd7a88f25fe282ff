import type { Updateable } from "kysely";
import type { ChatAgent } from "../../../api/chat/answers.ts";
import type { ChatAgentChange, NewChatAgent } from "../../../api/chat/schema-agents.ts";
import { toStorable } from "../../../storage/storable.ts";
import type { ChatAgentTable } from "../../storage/tables/chat.ts";
import { toAgents } from "./agent-rows.ts";
import { lockChat } from "../chats/chat-rows.ts";
import { refuseUnknown } from "../errors.ts";
import { createId, createSecret } from "../ids.ts";
import { lapse } from "../chats/invitations.ts";
import type { Queries } from "../../storage/tables/database.ts";
import type { ChatOptions } from "../options.ts";
import { createPasswordRecord, USUAL_ROUNDS, withDerivation } from "./passwords.ts";
import { toPersonChange, toPersonColumns, readPerson, refuseDuplicates } from "./people.ts";
import { toPresence } from "./presence.ts";
import { setRooms } from "./rooms.ts";
import { withAppLock } from "./queue.ts";
import type { AppLock } from "../app-lock.ts";
import { putBack } from "./assign.ts";
import { leave } from "../chats/joining.ts";
import { agentsIn, openChatsOf } from "../chats/members.ts";
import { continueSearchLater } from "./search.ts";

/** How many chats an agent has at once by default. */
const DEFAULT_SLOTS = 3;

/** Adds an agent. A generated password is only returned here. Throws 409 for a login in use. */
export async function createAgent(
  options: ChatOptions,
  app: string,
  agent: NewChatAgent,
  { id = createId(options.random) }: { readonly id?: string } = {},
): Promise<{ readonly agent: ChatAgent; readonly password?: string }> {
  const { random, now } = options;
  const password = agent.password ?? createSecret(random);
  const record = await recordOf(options, password);
  const made = await refuseDuplicates(() =>
    withAppLock(options, app, async ({ queries }) => {
      const person = {
        ...toPersonColumns(agent),
        id,
        app,
        created: now(),
        kind: "agent",
        nickname: toNickname(agent.nickname ?? ""),
      };
      await queries.insertInto("chat_people").values(person).execute();
      const columns = {
        id,
        app,
        login: toLoginKey(agent.login),
        password: record,
        slots: agent.slots ?? DEFAULT_SLOTS,
        languages: JSON.stringify(agent.languages ?? []),
        ...toPresence(agent.online ?? false, "app"),
        status: agent.status ?? "online",
        edit_user_info: 1,
        ...toRightColumns(agent),
        invited_last: 0,
        idle_since: now(),
      };
      await queries.insertInto("chat_agents").values(columns).execute();
      await setRooms(queries, app, id, agent.rooms ?? []);
      return readAgent(queries, app, id);
    }),
  );
  return { agent: made, ...(agent.password === undefined && { password }) };
}

/**
 * Changes an agent. The invitations of one who goes offline, busy or away go to other agents.
 * Throws 404, 409.
 *
 * @param by the one who changes it: no event stream overrides an `online` that the app has set
 */
export async function changeAgent(
  options: ChatOptions,
  app: string,
  id: string,
  change: ChatAgentChange,
  by: "app" | "agent",
): Promise<ChatAgent> {
  const password =
    change.password === undefined ? undefined : await recordOf(options, change.password);
  return refuseDuplicates(() =>
    withAppLock(options, app, async (lock) => {
      const { queries } = lock;
      await readAgent(queries, app, id);
      const person = {
        ...toPersonChange(change),
        ...(change.nickname !== undefined && { nickname: toNickname(change.nickname) }),
      };
      if (Object.keys(person).length > 0) {
        await queries.updateTable("chat_people").set(person).where("id", "=", id).execute();
      }
      const columns = toAgentColumns(change, password, by);
      if (Object.keys(columns).length > 0) {
        await queries.updateTable("chat_agents").set(columns).where("id", "=", id).execute();
      }
      if (change.rooms !== undefined) await setRooms(queries, app, id, change.rooms);
      const { online, status = "online" } = change;
      if (online === false || status !== "online") await passOnInvitations(lock, id);
      return readAgent(queries, app, id);
    }),
  );
}

/** An empty nickname is stored as none, so that users see the agent's name. */
function toNickname(text: string): string | null {
  return text.trim() === "" ? null : toStorable(text);
}

/** Reads an agent of the app. Throws 404, for users too. */
export async function readAgent(queries: Queries, app: string, id: string): Promise<ChatAgent> {
  const person = await readPerson(queries, app, id, "agent");
  const [agent] = await toAgents(queries, app, person.kind === "agent" ? [person] : []);
  if (agent === undefined) throw refuseUnknown("agent", id);
  return agent;
}

/** Lists the agents of an app in the order in which they were added. */
export async function listAgents(queries: Queries, app: string): Promise<readonly ChatAgent[]> {
  const people = queries.selectFrom("chat_people").selectAll().where("app", "=", app);
  const rows = await people.where("kind", "=", "agent").orderBy("number").execute();
  return toAgents(queries, app, rows);
}

/** Withdraws the open invitations of an agent, so that others are invited. */
export async function passOnInvitations(lock: AppLock, agent: string): Promise<void> {
  const chats = await lock.queries
    .selectFrom("chat_chats")
    .select("id")
    .where("app", "=", lock.app)
    .where("invited", "=", agent)
    .orderBy("number")
    .execute();
  for (const { id } of chats) {
    await lapse(lock, await lockChat(lock.queries, lock.app, id), "offline");
  }
}

/** Normalizes a login for comparison. */
export function toLoginKey(login: string): string {
  return toStorable(login.trim().toLowerCase());
}

/** Makes the stored form of a password, without a queue: only the app and the command line set one. */
function recordOf(
  { derivations, random, passwordRounds = USUAL_ROUNDS }: ChatOptions,
  password: string,
): Promise<string> {
  return withDerivation(derivations, { network: "", known: true }, (derive) =>
    createPasswordRecord(password, random(16), passwordRounds, derive),
  );
}

function toAgentColumns(
  change: ChatAgentChange,
  password: string | undefined,
  by: "app" | "agent",
): Updateable<ChatAgentTable> {
  return {
    ...(change.login !== undefined && { login: toLoginKey(change.login) }),
    ...(password !== undefined && { password }),
    ...(change.slots !== undefined && { slots: change.slots }),
    ...(change.languages !== undefined && { languages: JSON.stringify(change.languages) }),
    ...(change.online !== undefined && toPresence(change.online, by)),
    ...(change.status !== undefined && { status: change.status }),
    ...toRightColumns(change),
  };
}

function toRightColumns({ rights = {}, queues }: Pick<ChatAgentChange, "rights" | "queues">) {
  const {
    CHAT_EDIT_USER_INFO: user,
    CHAT_EDIT_CANNED_ANSWERS: answers,
    TICKET_VIEW: view,
    TICKET_EDIT: edit,
    SUPERVISE: supervise,
  } = rights;
  return {
    ...(user !== undefined && { edit_user_info: Number(user) }),
    ...(answers !== undefined && { edit_canned_answers: Number(answers) }),
    ...(view !== undefined && { view_tickets: Number(view) }),
    ...(edit !== undefined && { edit_tickets: Number(edit) }),
    ...(supervise !== undefined && { supervise: Number(supervise) }),
    ...(queues !== undefined && { ticket_queues: JSON.stringify(queues) }),
  };
}

/**
 * Revokes an agent's login and tokens. Invitations and open chats go to other agents. The name
 * stays, so that histories can be read; login and externalId can be used again.
 *
 * @returns how many open chats the agent was in
 */
export function revokeAgent(options: ChatOptions, app: string, id: string): Promise<number> {
  return withAppLock(options, app, async (lock) => {
    const { queries } = lock;
    // The agent goes offline first, so that no search finds them again.
    await queries.updateTable("chat_agents").set({ online: 0 }).where("id", "=", id).execute();
    await queries.deleteFrom("chat_tokens").where("person", "=", id).execute();
    const chats = await passOnChats(lock, id);
    await queries.deleteFrom("chat_agent_rooms").where("agent", "=", id).execute();
    await queries.deleteFrom("chat_agents").where("id", "=", id).execute();
    const free = queries.updateTable("chat_people").set({ external_id: null });
    await free.where("id", "=", id).execute();
    return chats;
  });
}

/** Withdraws the invitations of an agent who has left, and looks for others for their chats. */
export async function passOnChats(lock: AppLock, agent: string): Promise<number> {
  await passOnInvitations(lock, agent);
  const chats = await openChatsOf(lock.queries, lock.app, agent);
  for (const chat of chats) await giveAway(lock, chat, agent);
  return chats.length;
}

/** Leaves a chat to another agent who is in it, or to one that the search finds. */
async function giveAway(lock: AppLock, id: string, agent: string): Promise<void> {
  const chat = await lockChat(lock.queries, lock.app, id);
  const others = (await agentsIn(lock.queries, chat)).filter((one) => one !== agent);
  if (others.length > 0) await leave(lock, chat, agent);
  else await continueSearchLater(lock, await putBack(lock, chat, lock.now));
}
