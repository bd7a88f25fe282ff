import type { BackendDatabase } from "../storage/tables/database.ts";
import { keepSweeping } from "../storage/sweeping.ts";

const DAY = 86_400_000;

/** Days that events are kept: a year, and a month to look back from its end. */
export const EVENTS_KEPT = 400;
/** Days after which an unused session token is deleted. */
export const TOKENS_KEPT = 30;

/** Deletes events and session tokens that are too old. */
export async function sweepKnowledge({ kysely }: BackendDatabase, now: number): Promise<void> {
  await kysely
    .deleteFrom("knowledge_events")
    .where("at", "<", now - EVENTS_KEPT * DAY)
    .execute();
  await kysely
    .deleteFrom("knowledge_sessions")
    .where("last", "<", now - TOKENS_KEPT * DAY)
    .execute();
}

export interface KnowledgeChores {
  readonly database: BackendDatabase;
  readonly now: () => number;
  readonly report: (error: unknown) => void;
  /** Milliseconds between two rounds. Default: an hour. */
  readonly every?: number;
}

/** Starts the regular deletions of knowledge. Returns a function that ends them. */
export function startKnowledgeChores(options: KnowledgeChores): () => Promise<void> {
  const { database, now, report, every = 3_600_000 } = options;
  return keepSweeping(() => sweepKnowledge(database, now()), every, report);
}
