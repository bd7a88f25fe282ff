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
  /** The event behind which to begin; null for what happens from now on. */
  readonly after: number | null;
  readonly limits: StreamLimits;
  /** False once app, secret or token are worthless. Each heartbeat notes that an agent is there. */
  readonly lives: () => Promise<boolean>;
  /** The same, looked up at most once a second: to be asked before each event. */
  readonly mayHear: () => Promise<boolean>;
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
  let asked = performance.now();
  return {
    feed,
    caller,
    after: last !== null && /^\d{1,15}$/.test(last) ? Number(last) : null,
    limits: limitsOf(options.streams),
    async lives() {
      const at = options.now();
      if (!(await checkStillAllowed())) return false;
      const { person } = caller;
      if (person?.kind === "agent") await noteStream(options.database.kysely, person.id, at);
      return true;
    },
    mayHear() {
      if (performance.now() - asked < remembered) return Promise.resolve(true);
      asked = performance.now();
      return checkStillAllowed();
    },
  };
}

// As long as a revoked key is taken for a good one.
const remembered = 1_000;

function operationOf(id: string): Operation {
  const found = CHAT_OPERATIONS.find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`unreachable: there is no ${id}`);
  return found;
}
