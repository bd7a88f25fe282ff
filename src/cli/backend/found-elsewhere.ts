import type { Queries } from "../../backend/ticketing/identity.ts";
import { type Mention, textsIn } from "./mentions.ts";

/**
 * What others wrote, or the operator made, that names the address. It is theirs, so it stays and is
 * told.
 */
export interface FoundElsewhere {
  /** Ids of tickets whose own texts or replies name it. */
  readonly tickets: readonly number[];
  /** Names of API keys with a personal secret of that name. */
  readonly keys: readonly string[];
}

export async function findElsewhere(
  queries: Queries,
  mentions: readonly Mention[],
  project: string | null,
): Promise<FoundElsewhere> {
  const tickets = new Set<number>();
  const keys = new Set<string>();
  for (const mention of mentions) {
    for (const { id, texts, of } of await textsOfTickets(queries, mention)) {
      if ((project === null || of === project) && texts.some(mention.within)) tickets.add(id);
    }
    const rows = await queries
      .selectFrom("api_keys")
      .select(["name", "document"])
      .where("revoked", "is", null)
      .where(mention.possible("document"))
      .execute();
    for (const { name, document } of rows) {
      if (textsIn(document).some(mention.is)) keys.add(name);
    }
  }
  return { tickets: [...tickets].toSorted((a, b) => a - b), keys: [...keys] };
}

interface TicketTexts {
  readonly id: number;
  readonly of: string;
  readonly texts: readonly string[];
}

async function textsOfTickets(queries: Queries, mention: Mention): Promise<readonly TicketTexts[]> {
  const tickets = await queries
    .selectFrom("tickets")
    .select(["id", "project", "title", "message", "prior"])
    .where((builder) =>
      builder.or([
        mention.possible("title"),
        mention.possible("message"),
        mention.possible("prior"),
      ]),
    )
    .execute();
  const replies = await queries
    .selectFrom("replies")
    .select(["ticket", "project", "message"])
    .where(mention.possible("message"))
    .execute();
  return [
    ...tickets.map(({ id, project, title, message, prior }) => ({
      id,
      of: project,
      texts: [title, message, ...textsIn(prior)],
    })),
    ...replies.map(({ ticket, project, message }) => ({
      id: ticket,
      of: project,
      texts: [message],
    })),
  ];
}
