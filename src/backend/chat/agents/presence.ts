import type { Queries } from "../../storage/tables/database.ts";

/**
 * Milliseconds for which an agent counts as present after the last event stream, and for which the
 * chats of an agent wait after a logout.
 */
const PRESENT_FOR = 45_000;

/** The end of a presence that the app's server has set. It is later than any real time. */
export const SET_BY_APP = 8_640_000_000_000_000;

/**
 * Records that an agent has an event stream, or had one until now. The process with the stream
 * calls it when the stream begins, at each heartbeat and when it ends. All processes see the
 * presence, which expires if one is killed. An agent whose connection was lost is online again; one
 * who is offline on purpose stays offline.
 */
export async function noteStream(queries: Queries, agent: string, now: number): Promise<void> {
  const until = now + PRESENT_FOR;
  await queries
    .updateTable("chat_agents")
    .set({ online: 1, present_until: until })
    .where("id", "=", agent)
    .where((row) =>
      row.or([
        row.and([
          row("present_until", "<", until),
          row.or([row("online", "=", 1), row("present_until", "<=", now)]),
        ]),
        row.and([row("present_until", "is", null), row("online", "=", 1)]),
      ]),
    )
    .execute();
}

/** Makes the stored columns of an agent who was set online or offline by a call. */
export function toPresence(
  online: boolean,
  by: "app" | "agent",
): { readonly online: number; readonly present_until: number | null } {
  return { online: Number(online), present_until: online && by === "app" ? SET_BY_APP : null };
}

/**
 * Makes the stored columns of an agent who has logged out: offline now, gone in {@link
 * PRESENT_FOR}.
 */
export function toLoggedOut(now: number): {
  readonly online: number;
  readonly present_until: number;
} {
  return { online: 0, present_until: now + PRESENT_FOR };
}

/**
 * Makes the stored columns of an agent who is gone. A new stream brings the agent back, except
 * after a logout.
 */
export function toGone(agent: { readonly online: number }): {
  readonly online: number;
  readonly present_until: number | null;
} {
  return { online: 0, present_until: agent.online === 1 ? 0 : null };
}
