import type { ChatTicket } from "../../../api/chat/answers-tickets.ts";
import type { ChatTicketActivity } from "../../../api/chat/schema-tickets.ts";
import type { Queries } from "../../storage/tables/database.ts";

/**
 * Milliseconds for which an agent counts as present. An open ticket renews this every ten seconds.
 */
const PRESENT_FOR = 25_000;
/** Milliseconds after which an agent without a new sign of writing no longer counts as writing. */
const WRITING_FOR = 10_000;

/** An agent at a ticket. */
interface AtTicket {
  readonly ticket: number;
  /** Id of the agent. */
  readonly agent: string;
}

/**
 * Records that an agent looks at a ticket, writes an answer, or has left it. The database stores
 * this, so that agents of all processes see each other. A row that is not renewed expires.
 */
export async function noteTicketActivity(
  queries: Queries,
  { ticket, agent }: AtTicket,
  type: ChatTicketActivity["type"],
  now: number,
): Promise<void> {
  if (type === "left") {
    await queries
      .deleteFrom("ticket_presence")
      .where("ticket", "=", ticket)
      .where("agent", "=", agent)
      .execute();
    return;
  }
  const signs = {
    present_until: now + PRESENT_FOR,
    writing_until: type === "writing" ? now + WRITING_FOR : 0,
  };
  await queries
    .insertInto("ticket_presence")
    .values({ ticket, agent, ...signs })
    .onConflict((conflict) => conflict.columns(["ticket", "agent"]).doUpdateSet(signs))
    .execute();
}

/** Lists the other agents who look at a ticket, in the order of their names. */
export async function listPresent(
  queries: Queries,
  { ticket, agent }: AtTicket,
  now: number,
): Promise<ChatTicket["present"]> {
  const rows = await queries
    .selectFrom("ticket_presence")
    .innerJoin("chat_people", "chat_people.id", "ticket_presence.agent")
    .select(["chat_people.id", "name", "nickname", "writing_until"])
    .where("ticket", "=", ticket)
    .where("agent", "<>", agent)
    .where("present_until", ">", now)
    .orderBy("name")
    .orderBy("chat_people.id")
    .execute();
  return rows.map(({ id, name, nickname, writing_until }) => ({
    id,
    name: nickname ?? name,
    writing: writing_until > now,
  }));
}

/** Deletes expired rows. */
export async function sweepTicketPresence(queries: Queries, now: number): Promise<void> {
  await queries.deleteFrom("ticket_presence").where("present_until", "<=", now).execute();
}
