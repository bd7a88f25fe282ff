import { escapeMarkup } from "../../locales/markup.ts";
import { toStorable } from "../../storage/storable.ts";
import type { Queries } from "../storage/tables/database.ts";
import type { TicketingOptions } from "./context.ts";
import { uuidFrom } from "./identity.ts";
import { createNobodysAddress } from "./users.ts";

/**
 * The user as whom an agent of the chat answers and solves tickets, made where there is none. The
 * name is the one that users see. The address is nobody's, so that nobody signs up as an agent.
 */
export async function userOfAgent(
  queries: Queries,
  { now, random }: Pick<TicketingOptions, "now" | "random">,
  project: string,
  agent: string,
): Promise<number> {
  const person = await queries
    .selectFrom("chat_people")
    .select(["name", "nickname"])
    .where("id", "=", agent)
    .executeTakeFirstOrThrow();
  const name = toStorable(person.nickname ?? person.name);
  const hash = uuidFrom(random(16));
  const address = createNobodysAddress(hash);
  const times = { created: now(), updated: now() };
  const row = { project, hash_uuid: hash, name, address, address_key: address, extra: "[]", agent };
  const { id } = await queries
    .insertInto("users")
    .values({ ...row, ...times })
    .onConflict((conflict) => conflict.columns(["project", "agent"]).doUpdateSet({ name }))
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Writes an agent's text as the HTML that messages of tickets are. */
export function htmlOfWritten(text: string): string {
  return escapeMarkup(text).replaceAll(/\r\n?|\n/g, "<br>\n");
}

/** The text that {@link htmlOfWritten} was given. */
export function toWrittenText(html: string): string {
  return html
    .replaceAll("<br>\n", "\n")
    .replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: keyof typeof SIGNS) => SIGNS[name]);
}

const SIGNS = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" } as const;
