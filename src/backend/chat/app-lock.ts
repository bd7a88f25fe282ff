import type { ChatSettings } from "../../api/chat/answers.ts";
import type { Queries } from "../storage/tables/database.ts";
import type { ChatOptions } from "./options.ts";

/** A lock on the holders and queues of an app's chats, in one transaction. */
export interface AppLock {
  readonly queries: Queries;
  readonly app: string;
  readonly now: number;
  readonly settings: ChatSettings;
  readonly options: ChatOptions;
}
