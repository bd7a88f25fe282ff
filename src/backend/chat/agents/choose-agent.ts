import type { AssignRule } from "../../../api/chat/states.ts";
import { z } from "zod";
import { toSpokenLanguage } from "../../../locales/tag.ts";
import type { Queries } from "../../storage/tables/database.ts";

/** The facts that decide whether an agent is invited to a chat. */
export interface Candidate {
  readonly id: string;
  readonly rooms: ReadonlySet<string>;
  /** Empty means every language. */
  readonly languages: readonly string[];
  /** True if connected, and neither busy nor away. */
  readonly online: boolean;
  readonly slots: number;
  /** Slots in use, pending invitations included. */
  readonly load: number;
  /** Milliseconds since the epoch of the last invitation, raised so that no two have the same. */
  readonly invitedLast: number;
  /** When they left their last chat, or signed in after that, in milliseconds since the epoch. */
  readonly idleSince: number;
}

export interface AgentCriteria {
  readonly room: string;
  /** Empty means any. */
  readonly lang: string;
  /** Agents who must not be invited, for example because they have declined. */
  readonly except: ReadonlySet<string>;
  readonly assign: AssignRule;
}

/** Orders candidates by each rule. Among equals, the one invited longest ago comes first. */
const RULES: Readonly<Record<AssignRule, (a: Candidate, b: Candidate) => number>> = {
  "most-free-slots": (a, b) => countFreeSlots(b) - countFreeSlots(a),
  "least-busy": (a, b) => a.load - b.load,
  "round-robin": () => 0,
  "longest-idle": (a, b) => Number(a.load > 0) - Number(b.load > 0) || a.idleSince - b.idleSince,
};

/**
 * Chooses the agent to invite by the room's rule, among those who fit the chat; null if none does.
 */
export function chooseAgent(
  candidates: readonly Candidate[],
  criteria: AgentCriteria,
): Candidate | null {
  const fitting = candidates.filter((agent) => fits(agent, criteria));
  const [first] = fitting.toSorted(
    (a, b) =>
      RULES[criteria.assign](a, b) ||
      a.invitedLast - b.invitedLast ||
      (a.id < b.id ? -1 : Number(a.id > b.id)),
  );
  return first ?? null;
}

/** True if the agent may be invited to the chat. */
export function fits(
  agent: Candidate,
  { room, lang, except }: Omit<AgentCriteria, "assign">,
): boolean {
  return (
    agent.online &&
    countFreeSlots(agent) > 0 &&
    agent.rooms.has(room) &&
    speaks(agent.languages, lang) &&
    !except.has(agent.id)
  );
}

export function countFreeSlots({ slots, load }: Candidate): number {
  return slots - load;
}

/** An agent who speaks `pt` serves `pt-BR`, and the other way round. */
export function speaks(languages: readonly string[], lang: string): boolean {
  const spoken = toSpokenLanguage(lang);
  return (
    spoken === "" ||
    languages.length === 0 ||
    languages.some((one) => toSpokenLanguage(one) === spoken)
  );
}

/** Reads the agents of an app, by default those who are online. */
export async function readCandidates(
  queries: Queries,
  app: string,
  { online = true }: { readonly online?: boolean } = {},
): Promise<readonly Candidate[]> {
  let query = queries.selectFrom("chat_agents").selectAll().where("app", "=", app);
  if (online) query = query.where("online", "=", 1).where("status", "=", "online");
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
    online: agent.online === 1 && agent.status === "online",
    slots: agent.slots,
    load: loads.get(agent.id) ?? 0,
    invitedLast: agent.invited_last,
    idleSince: agent.idle_since,
  }));
}

/** Counts the slots in use of each agent: the open chats they are in, and pending invitations. */
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

/** Reads one agent, online or not; null if the app has no such agent. */
export async function readCandidate(
  queries: Queries,
  app: string,
  id: string,
): Promise<Candidate | null> {
  const all = await readCandidates(queries, app, { online: false });
  return all.find((agent) => agent.id === id) ?? null;
}

const texts = z.array(z.string());

/** Returns the languages that an agent speaks. Empty means every language. */
export function languagesOf({ languages }: { readonly languages: string }): readonly string[] {
  return texts.parse(JSON.parse(languages));
}
