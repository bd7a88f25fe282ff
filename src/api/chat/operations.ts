import { CHAT_CHAT_OPERATIONS } from "./operations-chats.ts";
import { CHAT_PEOPLE_OPERATIONS } from "./operations-people.ts";
import { CHAT_PROJECT_OPERATIONS } from "./operations-project.ts";
import type { ChatOperation } from "./operation.ts";

/**
 * The live chat (seed.md 7; chat.md), below its own address. Every path answers with and without a
 * trailing slash; media, settings and surveys without `/v1` too, as the specification writes them.
 */
export const CHAT_OPERATIONS: readonly ChatOperation[] = [
  ...CHAT_PEOPLE_OPERATIONS,
  ...CHAT_CHAT_OPERATIONS,
  ...CHAT_PROJECT_OPERATIONS,
];
