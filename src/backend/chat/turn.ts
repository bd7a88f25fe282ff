import type { ChatSettings } from "../../api/chat/types.ts";
import type { ChatOptions, Queries } from "./options.ts";
import { serveQueue } from "./queue.ts";
import { readSettings } from "./settings.ts";

/** One change of who holds or waits for what, in an app. All of it happens, or nothing. */
export interface Turn {
  readonly queries: Queries;
  readonly app: string;
  readonly now: number;
  readonly settings: ChatSettings;
  readonly options: ChatOptions;
}

/**
 * Runs `work` while nobody else changes who holds which chat of the app, in this process or any
 * other; and then gives what has become free to those who wait. On the disk before it resolves.
 */
export async function takeTurn<T>(
  options: ChatOptions,
  app: string,
  work: (turn: Turn) => Promise<T>,
): Promise<T> {
  return options.database.durable(async (queries) => {
    // On PostgreSQL this waits for whoever has the turn; on SQLite there is one writer anyway.
    await queries
      .updateTable("chat_apps")
      .set((builder) => ({ turn: builder("turn", "+", 1) }))
      .where("id", "=", app)
      .execute();
    const settings = await readSettings(queries, app);
    const turn: Turn = { queries, app, now: options.now(), settings, options };
    const result = await work(turn);
    await serveQueue(turn);
    return result;
  });
}
