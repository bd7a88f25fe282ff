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
  /** Further columns. Those that must be empty in the new phase are emptied anyway. */
  readonly set?: Updateable<ChatTable>;
  /** The data of each event of the cell beside `chatId`. */
  readonly data?: Partial<Readonly<Record<ChatTrigger, EventData>>>;
}

export type MoveContext = Pick<AppLock, "queries" | "app" | "now" | "settings">;

/**
 * Moves a chat by the table of the state machine, sends the events, and returns the changed row.
 * `chat` must have been locked in this transaction.
 *
 * @throws Refusal 409 with the reason, where the machine allows no such thing
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
    .set({ ...toRuledOut(cell.to), idle: idleAt(cell.to, context), ...set, phase: cell.to })
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

/** Columns that must be empty in a phase. */
function toRuledOut(to: Phase): Updateable<ChatTable> {
  const noPlace = { queued: null, queue_position: null };
  if (to === "closed") return { ...nobodyInvited, ...noPlace, holder: null };
  if (to === "held") return noPlace;
  if (to === "created" || to === "alone") return { ...nobodyInvited, ...noPlace, holder: null };
  if (to === "queued") return { ...nobodyInvited, holder: null };
  return to === "searching" ? { holder: null, invited: null, invitation: null } : { holder: null };
}

/** The time at which silence ends a chat; null for searches and invitations, which expire first. */
function idleAt(
  to: Phase,
  { now, settings }: Pick<MoveContext, "now" | "settings">,
): number | null {
  const ends = to === "closed" || to === "searching" || to === "invited";
  return ends || settings.inactivity === 0 ? null : now + settings.inactivity * 1000;
}
