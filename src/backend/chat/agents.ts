import type { Updateable } from "kysely";
import type { ChatAgent, ChatAgentChange, NewChatAgent } from "../../api/chat/types.ts";
import { storable } from "../storage/storable.ts";
import type { ChatAgentTable } from "../storage/tables/chat.ts";
import { toAgents } from "./agent-rows.ts";
import { lockChat } from "./chat-rows.ts";
import { deriving } from "./derivations.ts";
import { unknown } from "./errors.ts";
import { newId, newSecret } from "./ids.ts";
import { lapse } from "./invitations.ts";
import type { ChatOptions, Queries } from "./options.ts";
import { passwordRecord, USUAL_ROUNDS } from "./passwords.ts";
import { personChange, personColumns, readPerson, uniquely } from "./people.ts";
import { presence } from "./presence.ts";
import { setRooms } from "./rooms.ts";
import { takeTurn } from "./turn.ts";
import type { Turn } from "./turn.ts";

/** How many chats at once, for an agent of whom nothing is said. */
const usualSlots = 3;

/**
 * Adds an agent. A password that was generated is given back, this once. Throws 409 for a login
 * that is taken.
 */
export async function createAgent(
  options: ChatOptions,
  app: string,
  agent: NewChatAgent,
  { id = newId(options.random) }: { readonly id?: string } = {},
): Promise<{ readonly agent: ChatAgent; readonly password?: string }> {
  const { random, now } = options;
  const password = agent.password ?? newSecret(random);
  const record = await recordOf(options, password);
  const made = await uniquely(() =>
    takeTurn(options, app, async ({ queries }) => {
      const nickname = agent.nickname === undefined ? null : storable(agent.nickname);
      const person = { ...personColumns(agent), id, app, created: now(), kind: "agent", nickname };
      await queries.insertInto("chat_people").values(person).execute();
      const columns = {
        id,
        app,
        login: loginKey(agent.login),
        password: record,
        slots: agent.slots ?? usualSlots,
        languages: JSON.stringify(agent.languages ?? []),
        ...presence(agent.online ?? false, "app"),
        edit_user_info: rightOf(agent) ?? 1,
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
 * Changes an agent. Going offline passes on what the agent was invited to. Throws 404, 409.
 *
 * @param by who says so: what the app's server says of `online` no event stream changes
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
  return uniquely(() =>
    takeTurn(options, app, async (turn) => {
      const { queries } = turn;
      await readAgent(queries, app, id);
      const person = {
        ...personChange(change),
        ...(change.nickname !== undefined && { nickname: storable(change.nickname) }),
      };
      if (Object.keys(person).length > 0) {
        await queries.updateTable("chat_people").set(person).where("id", "=", id).execute();
      }
      const columns = agentColumns(change, password, by);
      if (Object.keys(columns).length > 0) {
        await queries.updateTable("chat_agents").set(columns).where("id", "=", id).execute();
      }
      if (change.rooms !== undefined) await setRooms(queries, app, id, change.rooms);
      if (change.online === false) await passOnInvitations(turn, id);
      return readAgent(queries, app, id);
    }),
  );
}

/** An agent of the app. Throws 404, for users too. */
export async function readAgent(queries: Queries, app: string, id: string): Promise<ChatAgent> {
  const person = await readPerson(queries, app, id);
  const [agent] = await toAgents(queries, app, person.kind === "agent" ? [person] : []);
  if (agent === undefined) throw unknown("agent", id);
  return agent;
}

/** All agents of an app, in the order in which they were added. */
export async function listAgents(queries: Queries, app: string): Promise<readonly ChatAgent[]> {
  const people = queries.selectFrom("chat_people").selectAll().where("app", "=", app);
  const rows = await people.where("kind", "=", "agent").orderBy("number").execute();
  return toAgents(queries, app, rows);
}

/** Nobody who is offline is waited for. */
export async function passOnInvitations(turn: Turn, agent: string): Promise<void> {
  const chats = await turn.queries
    .selectFrom("chat_chats")
    .select("id")
    .where("app", "=", turn.app)
    .where("invited", "=", agent)
    .orderBy("number")
    .execute();
  for (const { id } of chats) {
    await lapse(turn, await lockChat(turn.queries, turn.app, id), "offline");
  }
}

/** A login as it is compared. */
export function loginKey(login: string): string {
  return storable(login.trim().toLowerCase());
}

/** Only the app's server and the command line set passwords. */
function recordOf(
  { derivations, random, passwordRounds = USUAL_ROUNDS }: ChatOptions,
  password: string,
): Promise<string> {
  return deriving(derivations, { network: "", known: true }, (derive) =>
    passwordRecord(password, random(16), passwordRounds, derive),
  );
}

function agentColumns(
  change: ChatAgentChange,
  password: string | undefined,
  by: "app" | "agent",
): Updateable<ChatAgentTable> {
  const right = rightOf(change);
  return {
    ...(change.login !== undefined && { login: loginKey(change.login) }),
    ...(password !== undefined && { password }),
    ...(change.slots !== undefined && { slots: change.slots }),
    ...(change.languages !== undefined && { languages: JSON.stringify(change.languages) }),
    ...(change.online !== undefined && presence(change.online, by)),
    ...(right !== undefined && { edit_user_info: right }),
  };
}

function rightOf({ rights }: Pick<ChatAgentChange, "rights">): number | undefined {
  const right = rights?.CHAT_EDIT_USER_INFO;
  return right === undefined ? undefined : Number(right);
}
