import { escapeMarkup } from "../../locales/markup.ts";
import { toStorable } from "../../storage/storable.ts";
import type { Queries } from "../storage/tables/database.ts";
import type { TicketingOptions } from "./context.ts";
import { uuidFrom } from "./identity.ts";
import { createPlaceholderAddress } from "./users.ts";

/**
 * Finds or creates the user under which a chat agent answers tickets. Its name is the one that users
 * see. Its address belongs to nobody, so that nobody can sign up as an agent.
 */
export async function ensureUserOfAgent(
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
  const address = createPlaceholderAddress(hash);
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

/** Turns an agent's text into the HTML of a ticket's message. */
export function htmlOfWritten(text: string): string {
  return escapeMarkup(text).replaceAll(/\r\n?|\n/g, "<br>\n");
}

/** Returns the text from which {@link htmlOfWritten} made the HTML. */
export function toWrittenText(html: string): string {
  return html
    .replaceAll("<br>\n", "\n")
    .replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: keyof typeof ENTITIES) => ENTITIES[name]);
}

const ENTITIES = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" } as const;
