import type { Updateable } from "kysely";
import type { ChatTrigger } from "../../../api/chat/states.ts";
import type { ChatTable } from "../../storage/tables/chat.ts";
import { Refusal, refuseFor } from "../../http/refusal.ts";
import type { ChatRow } from "./chat-rows.ts";
import { emit } from "../emit.ts";
import { MACHINE, phaseOf } from "./machine.ts";
import type { Act, Phase } from "./machine.ts";
import type { AppLock } from "../app-lock.ts";

export type EventData = Readonly<Record<string, unknown>>;

export interface Move {
  /** Further columns to set, besides those that are emptied in the new phase. */
  readonly set?: Updateable<ChatTable>;
  /** The data of the events that the act sends, apart from `chatId`. */
  readonly data?: Partial<Readonly<Record<ChatTrigger, EventData>>>;
}

export type MoveContext = Pick<AppLock, "queries" | "app" | "now" | "settings">;

/**
 * Moves a chat to its next phase by the state machine, emits the events, and returns the changed row.
 * The transaction must have locked `chat`.
 *
 * @throws Refusal 409 with the reason, if the machine does not allow the act in this phase
 */
export async function move(
  context: MoveContext,
  chat: ChatRow,
  act: Act,
  { set = {}, data = {} }: Move = {},
): Promise<ChatRow> {
  const { queries, app, now } = context;
  const cell = cellOf(chat, act);
  const row = await queries
    .updateTable("chat_chats")
    .set({ ...emptyColumnsOf(cell.to), idle: idleAt(cell.to, context), ...set, phase: cell.to })
    .where("number", "=", chat.number)
    .returningAll()
    .executeTakeFirstOrThrow();
  for (const trigger of cell.sends) {
    const details = { chatId: chat.id, ...data[trigger] };
    await emit(queries, { app, chat: chat.number, trigger, data: details, now });
  }
  return row;
}

/** Finds the effect of an act on the chat as it is. Throws 409. */
export function cellOf(
  chat: Pick<ChatRow, "phase">,
  act: Act,
): { readonly to: Phase; readonly sends: readonly ChatTrigger[] } {
  const cell = MACHINE[act].cells[phaseOf(chat.phase)];
  if ("refused" in cell) throw toRefusal(chat, cell.refused);
  return cell;
}

function toRefusal({ phase }: Pick<ChatRow, "phase">, message: string): Refusal {
  return phase === "closed" ? refuseFor(409, "chat-closed", message) : new Refusal(409, message);
}

const nobodyInvited = { invited: null, invitation: null, due: null };

/** Returns the columns that must be empty in a phase, as null. */
function emptyColumnsOf(to: Phase): Updateable<ChatTable> {
  const notQueued = { queued: null, queue_position: null };
  if (to === "closed") return { ...nobodyInvited, ...notQueued, holder: null };
  if (to === "held") return notQueued;
  if (to === "created" || to === "alone") return { ...nobodyInvited, ...notQueued, holder: null };
  if (to === "queued") return { ...nobodyInvited, holder: null };
  return to === "searching" ? { holder: null, invited: null, invitation: null } : { holder: null };
}

/**
 * Returns when silence closes a chat, in milliseconds since the epoch. Null if the chat is closed, if
 * a search or invitation ends first, or if the app closes no silent chats.
 */
function idleAt(
  to: Phase,
  { now, settings }: Pick<MoveContext, "now" | "settings">,
): number | null {
  const hasOwnEnd = to === "closed" || to === "searching" || to === "invited";
  return hasOwnEnd || settings.inactivity === 0 ? null : now + settings.inactivity * 1000;
}
