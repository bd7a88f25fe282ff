import { callerBy } from "../access.ts";
import type { Caller, ShownCredentials } from "../caller.ts";
import type { ChatFeed } from "./feed.ts";
import type { ChatOptions } from "../options.ts";
import { Refusal } from "../../http/refusal.ts";
import type { Operation } from "../../../api/call/operation.ts";
import { CHAT_OPERATIONS } from "../../../api/chat/operations.ts";
import { noteStream } from "../agents/presence.ts";
import { limitsOf } from "./stream-limits.ts";
import type { StreamLimits } from "./stream-limits.ts";

/** Options of a service that has streams. */
export type StreamOptions = ChatOptions & { readonly feed: ChatFeed };

/** A request for a stream. */
export interface StreamRequest {
  readonly feed: ChatFeed;
  readonly caller: Caller;
  /** The event after which the stream begins; null if it begins with future events. */
  readonly after: number | null;
  readonly limits: StreamLimits;
  /** For heartbeats: false if app, secret or token are revoked. Records the agent's presence. */
  readonly checkCaller: () => Promise<boolean>;
  /** For events: false if they are revoked, which is looked up at most once a second. */
  readonly mayListen: () => Promise<boolean>;
}

export const EVENTS: Operation = operationOf("chat.events");

/** @param last an event's id, as it was received */
export function toStreamRequest(
  options: StreamOptions,
  caller: Caller,
  shown: ShownCredentials,
  headers: Headers,
  last: string | null,
): StreamRequest {
  const { feed } = options;
  const checkStillAllowed = (): Promise<boolean> =>
    callerBy(shown, headers, EVENTS, options).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Refusal) return false;
        throw error;
      },
    );
  let checked = performance.now();
  return {
    feed,
    caller,
    after: last !== null && /^\d{1,15}$/.test(last) ? Number(last) : null,
    limits: limitsOf(options.streams),
    async checkCaller() {
      const at = options.now();
      if (!(await checkStillAllowed())) return false;
      const { person } = caller;
      if (person?.kind === "agent") await noteStream(options.database.kysely, person.id, at);
      return true;
    },
    mayListen() {
      if (performance.now() - checked < CACHED) return Promise.resolve(true);
      checked = performance.now();
      return checkStillAllowed();
    },
  };
}

/** Milliseconds for which a revoked key may still be accepted. */
const CACHED = 1_000;

function operationOf(id: string): Operation {
  const found = CHAT_OPERATIONS.find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`unreachable: there is no ${id}`);
  return found;
}
