import type { Selectable } from "kysely";
import type { ChatAgent, ChatUser } from "../../../api/chat/answers.ts";
import { agentQueues } from "../../../api/chat/schema-agents.ts";
import { AGENT_STATUSES } from "../../../api/chat/states.ts";
import { isObject } from "../../../json/values.ts";
import { guestIn } from "../../../locales/guest.ts";
import type { ChatAgentTable, ChatPersonTable } from "../../storage/tables/chat.ts";
import { languagesOf, readLoads } from "./choose-agent.ts";
import type { Queries } from "../../storage/tables/database.ts";

export type PersonRow = Selectable<ChatPersonTable>;

/** The `providerId` of agents. Clients tell users from agents by an empty one (chat.md 5). */
const provider = "afterword";

/** Converts users and agents to their form in answers, with the chats that each is in. */
export async function toUsers(
  queries: Queries,
  rows: readonly PersonRow[],
): Promise<readonly ChatUser[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const open = await queries
    .selectFrom("chat_members")
    .innerJoin("chat_chats", "chat_chats.number", "chat_members.chat")
    .select(["chat_members.person", "chat_chats.id", "chat_members.kind", "chat_members.left_at"])
    .where("chat_members.person", "in", ids)
    .where("chat_chats.phase", "<>", "closed")
    .orderBy("chat_chats.number")
    .execute();
  // A user's open chat is theirs even while they are away from it.
  const present = open.filter(({ kind, left_at: left }) => kind === "user" || left === null);
  const chatsOf = Map.groupBy(present, ({ person }) => person);
  return rows.map((row) => ({
    id: row.id,
    // The word is English until the person's first chat has a language.
    name: row.name === "" ? guestIn("en") : row.name,
    ...(row.nickname !== null && { nickname: row.nickname }),
    contact: row.contact,
    externalId: row.external_id ?? "",
    extraInfo: extraOf(row),
    chats: (chatsOf.get(row.id) ?? []).map(({ id }) => id),
    providerId: row.kind === "agent" ? provider : "",
  }));
}

/** Reduces an agent to what users may see: the nickname, without the fields for the app alone. */
export function toUserView(user: ChatUser): ChatUser {
  if (user.providerId === "") return user;
  const { nickname, name } = user;
  return { ...user, name: nickname ?? name, contact: "", externalId: "", extraInfo: {}, chats: [] };
}

/** Converts agents to their form in answers. All `rows` must be agents. */
export async function toAgents(
  queries: Queries,
  app: string,
  rows: readonly PersonRow[],
): Promise<readonly ChatAgent[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const users = await toUsers(queries, rows);
  const agents = await queries
    .selectFrom("chat_agents")
    .selectAll()
    .where("id", "in", ids)
    .execute();
  const rooms = await queries
    .selectFrom("chat_agent_rooms")
    .select(["agent", "room"])
    .where("agent", "in", ids)
    .orderBy("room")
    .execute();
  const roomsOf = Map.groupBy(rooms, ({ agent }) => agent);
  const byId = new Map(agents.map((agent) => [agent.id, agent]));
  const loads = await readLoads(queries, app);
  return users.flatMap((user) => {
    const agent = byId.get(user.id);
    if (agent === undefined) return [];
    return {
      ...user,
      login: agent.login,
      rooms: (roomsOf.get(user.id) ?? []).map(({ room }) => room),
      languages: languagesOf(agent),
      slots: agent.slots,
      load: loads.get(user.id) ?? 0,
      online: agent.online === 1,
      status: AGENT_STATUSES.find((one) => one === agent.status) ?? "online",
      rights: {
        CHAT_EDIT_USER_INFO: agent.edit_user_info === 1,
        CHAT_EDIT_CANNED_ANSWERS: agent.edit_canned_answers === 1,
        TICKET_VIEW: agent.view_tickets === 1,
        TICKET_EDIT: agent.edit_tickets === 1,
        SUPERVISE: agent.supervise === 1,
      },
      queues: queuesOf(agent),
    };
  });
}

/** Returns the queues that an agent's rights are limited to. */
export function queuesOf({
  ticket_queues: stored,
}: Pick<Selectable<ChatAgentTable>, "ticket_queues">): ChatAgent["queues"] {
  return stored === null ? EVERY_QUEUE : agentQueues.parse(JSON.parse(stored));
}

const EVERY_QUEUE = agentQueues.parse({});

/** Returns `extraInfo` unchanged. It has no schema, which would drop the key `__proto__`. */
function extraOf({ extra }: PersonRow): ChatUser["extraInfo"] {
  const value: unknown = JSON.parse(extra);
  return isObject(value) ? value : {};
}
