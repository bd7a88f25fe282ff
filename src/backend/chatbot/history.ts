import type { HistoryItem } from "../storage/types.ts";
import type { Turn } from "./scene.ts";

// An over-long message is answered with a flag; a history need not repeat all of it.
const longest = 1000;

/**
 * What a turn adds to the history: the reader's words, unless the call had none, then the engine's.
 */
export function toHistory(turn: Turn, now: number): readonly HistoryItem[] {
  const datetime = new Date(now).toISOString();
  const said = turn.said.slice(0, longest).toWellFormed();
  const reader: readonly HistoryItem[] =
    said.trim() === "" ? [] : [{ user: "user", message: said, messageList: [said], datetime }];
  const bot = turn.answers.map(({ message, messageList }): HistoryItem => ({
    user: "bot",
    message,
    messageList,
    datetime,
  }));
  return [...reader, ...bot];
}
