import type { ChatSettings } from "../../api/chat/answers.ts";
import type { Queries } from "../storage/tables/database.ts";
import type { ChatOptions } from "./options.ts";
import { serveQueue } from "./agents/queue.ts";
import { readSettings } from "./settings.ts";

/** The right to change who holds or waits for which chat of an app, in one transaction. */
export interface AppLock {
  readonly queries: Queries;
  readonly app: string;
  readonly now: number;
  readonly settings: ChatSettings;
  readonly options: ChatOptions;
}

/**
 * Runs `work` while no other process changes which agent has which chat of the app, then gives free
 * slots to waiting chats. Everything is on the disk before it resolves.
 */
export async function withAppLock<T>(
  options: ChatOptions,
  app: string,
  work: (lock: AppLock) => Promise<T>,
): Promise<T> {
  return options.database.durable(async (queries) => {
    // On PostgreSQL this waits for the process that has the lock; SQLite has only one writer.
    await queries
      .updateTable("chat_apps")
      .set((builder) => ({ turn: builder("turn", "+", 1) }))
      .where("id", "=", app)
      .execute();
    const settings = await readSettings(queries, app);
    const lock: AppLock = { queries, app, now: options.now(), settings, options };
    const result = await work(lock);
    await serveQueue(lock);
    return result;
  });
}
