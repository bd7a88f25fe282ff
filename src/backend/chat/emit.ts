import { sql } from "kysely";
import type { ChatTrigger } from "../../wire/chat/states.ts";
import type { Queries } from "./options.ts";

export interface Happening {
  readonly app: string;
  /** Number of the chat. */
  readonly chat: number;
  readonly trigger: ChatTrigger;
  readonly data: Readonly<Record<string, unknown>>;
  readonly now: number;
}

/**
 * Notes what happened: in the chat's log, which histories and event streams are read from, and for every registered address
 * that asked for it. Within the transaction that makes it true: what is undone is never told, and what is done is told even
 * if the process ends in the next moment.
 */
export async function emit(queries: Queries, happening: Happening): Promise<void> {
  const { app, chat, trigger, now } = happening;
  const data = JSON.stringify(happening.data);
  await queries
    .insertInto("chat_log")
    .values({ app, chat, trigger_name: trigger, data, at: now })
    .execute();
  const body = {
    trigger,
    appId: app,
    data: happening.data,
    created_at: Math.floor(now / 1000),
  };
  await queries
    .insertInto("chat_webhook_events")
    .columns(["webhook", "event", "attempts", "due"])
    .expression((builder) =>
      builder
        .selectFrom("chat_webhooks")
        .select([
          "number",
          sql<string>`${JSON.stringify(body)}`.as("event"),
          sql<number>`${sql.lit(0)}`.as("attempts"),
          sql<number>`${sql.lit(now)}`.as("due"),
        ])
        .where("app", "=", app)
        .where("events", "like", `%,${trigger},%`),
    )
    .execute();
}
