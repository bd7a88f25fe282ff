import { z } from "zod";
import type { Candidate } from "./choose-agent.ts";
import type { Queries } from "./options.ts";

/** The agents of an app as the search sees them. */
export async function readCandidates(
  queries: Queries,
  app: string,
  { online = true }: { readonly online?: boolean } = {},
): Promise<readonly Candidate[]> {
  let query = queries.selectFrom("chat_agents").selectAll().where("app", "=", app);
  if (online) query = query.where("online", "=", 1);
  const agents = await query.execute();
  if (agents.length === 0) return [];
  const rooms = await queries
    .selectFrom("chat_agent_rooms")
    .select(["agent", "room"])
    .where("app", "=", app)
    .execute();
  const roomsOf = Map.groupBy(rooms, ({ agent }) => agent);
  const loads = await readLoads(queries, app);
  return agents.map((agent) => ({
    id: agent.id,
    rooms: new Set((roomsOf.get(agent.id) ?? []).map(({ room }) => room)),
    languages: languagesOf(agent),
    online: agent.online === 1,
    slots: agent.slots,
    load: loads.get(agent.id) ?? 0,
    invitedLast: agent.invited_last,
    idleSince: agent.idle_since,
  }));
}

/**
 * Slots that are taken, by agent: open chats that they are in, and invitations that they have not
 * answered.
 */
export async function readLoads(queries: Queries, app: string): Promise<Map<string, number>> {
  const loads = new Map<string, number>();
  const members = await queries
    .selectFrom("chat_members")
    .innerJoin("chat_chats", "chat_chats.number", "chat_members.chat")
    .select((builder) => ["person", builder.fn.countAll<number>().as("chats")])
    .where("chat_chats.app", "=", app)
    .where("chat_chats.phase", "<>", "closed")
    .where("chat_members.kind", "=", "agent")
    .where("chat_members.left_at", "is", null)
    .groupBy("person")
    .execute();
  const invited = await queries
    .selectFrom("chat_chats")
    .select((builder) => ["invited as person", builder.fn.countAll<number>().as("chats")])
    .where("app", "=", app)
    .where("invited", "is not", null)
    .groupBy("invited")
    .execute();
  for (const { person, chats } of [...members, ...invited]) {
    if (person !== null) loads.set(person, (loads.get(person) ?? 0) + chats);
  }
  return loads;
}

/** One agent as the search sees one, or null when the app has no such agent. */
export async function readCandidate(
  queries: Queries,
  app: string,
  id: string,
): Promise<Candidate | null> {
  const all = await readCandidates(queries, app, { online: false });
  return all.find((agent) => agent.id === id) ?? null;
}

const texts = z.array(z.string());

/** Codes of the languages that an agent speaks; none: every language. */
export function languagesOf({ languages }: { readonly languages: string }): readonly string[] {
  return texts.parse(JSON.parse(languages));
}
