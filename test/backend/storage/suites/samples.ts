import type {
  ContentRow,
  HistoryItem,
  Session,
  TrackedEvent,
} from "../../../../src/backend/storage/types.ts";

export function session(key: string, expires = 1000): Session {
  return {
    key,
    id: `id of ${key}`,
    project: "shop",
    language: "en",
    settings: {
      environment: "production",
      userType: 0,
      source: "",
      answerAttributes: ["ANSWER_TEXT"],
      sideBubbleAttributes: [],
      maxOptions: 3,
      maxRelatedContents: 3,
      skipLastCheckQuestion: false,
      forms: { allowUserToAbandonForm: true, errorRetries: 3 },
    },
    turns: 0,
    welcomed: false,
    offered: [1, 2],
    open: null,
    codes: [],
    unanswered: 0,
    variables: [["__proto__", "\u{1f600} 'x"]],
    typed: [],
    expires,
    revision: "",
  };
}

export function toItem(message: string): HistoryItem {
  return { user: "bot", message, messageList: [message], datetime: "2026-01-01T00:00:00.000Z" };
}

export function event(at: number): TrackedEvent {
  return { at, project: "shop", session: "s", type: "rate", data: '{"value":1}' };
}

export function content(id: number, title = `content ${id}`): ContentRow {
  return { id, document: { title }, modified: null };
}

/** Input that nobody types on purpose, but that everybody's input contains some day. */
export const hostile: readonly string[] = [
  "",
  "'; DROP TABLE sessions; --",
  '"\\\u0000\u0001',
  "\u0000",
  "\\u0000",
  "\ud800",
  "\udc00 turned \ud800",
  "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}",
  "\ufeff\u202e\uffff",
  "$1 ?1 :name @name %s",
  "__proto__",
];
