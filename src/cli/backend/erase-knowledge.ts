import type { Queries } from "../../backend/ticketing/identity.ts";
import { inPortions } from "./in-portions.ts";
import { type Mention, textsIn } from "./mentions.ts";

export interface ErasedKnowledge {
  readonly sessions: number;
  readonly events: number;
}

/**
 * Erases what was recorded of a person in the knowledge service: every event that holds the
 * address, in a query, a comment or what the front end told of its user, with all others of the
 * same session, and the session.
 *
 * @param project null for all
 */
export async function eraseKnowledge(
  queries: Queries,
  mentions: readonly Mention[],
  project: string | null,
): Promise<ErasedKnowledge> {
  const ids = new Set<number>();
  const sessions = new Set<string>();
  for (const mention of mentions) {
    for (const row of await candidates(queries, mention)) {
      if (project !== null && row.project !== project) continue;
      const texts = [row.query ?? "", row.comment ?? "", ...textsIn(row.data)];
      if (!texts.some(mention.within)) continue;
      ids.add(row.id);
      if (row.session !== null) sessions.add(row.session);
    }
  }
  const ofSessions = await inPortions(sessions, (some) =>
    queries.deleteFrom("knowledge_events").where("session", "in", some).returning("id").execute(),
  );
  const single = await inPortions(ids, (some) =>
    queries.deleteFrom("knowledge_events").where("id", "in", some).returning("id").execute(),
  );
  const ended = await inPortions(sessions, (some) =>
    queries
      .deleteFrom("knowledge_sessions")
      .where("session", "in", some)
      .returning("key")
      .execute(),
  );
  return { sessions: ended.length, events: ofSessions.length + single.length };
}

interface Candidate {
  readonly id: number;
  readonly project: string;
  readonly session: string | null;
  readonly query: string | null;
  readonly comment: string | null;
  readonly data: string;
}

function candidates(queries: Queries, mention: Mention): Promise<readonly Candidate[]> {
  return queries
    .selectFrom("knowledge_events")
    .select(["id", "project", "session", "query", "comment", "data"])
    .where((builder) =>
      builder.or([
        mention.possible("query"),
        mention.possible("comment"),
        mention.possible("data"),
      ]),
    )
    .execute();
}
