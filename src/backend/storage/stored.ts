import { z } from "zod";
import type { HistoryItem, Session } from "./types.ts";

const session: z.ZodType<Session> = z.object({
  key: z.string(),
  id: z.string(),
  project: z.string(),
  language: z.string(),
  settings: z.object({
    environment: z.string(),
    userType: z.number(),
    source: z.string(),
    answerAttributes: z.array(z.string()),
    maxRelatedContents: z.number(),
  }),
  turns: z.number(),
  welcomed: z.boolean(),
  offered: z.array(z.number()),
  unanswered: z.number(),
  variables: z.array(z.tuple([z.string(), z.string()])),
  expires: z.number(),
});

const historyItem: z.ZodType<HistoryItem> = z.object({
  user: z.enum(["user", "bot"]),
  message: z.string(),
  messageList: z.array(z.string()),
  datetime: z.string(),
});

/** A session out of a database's text, or null when it is damaged or another version wrote it. */
export function parseSession(text: unknown): Session | null {
  return parse(session, text);
}

/** A history item out of a database's text, or null when it is damaged. */
export function parseHistoryItem(text: unknown): HistoryItem | null {
  return parse(historyItem, text);
}

function parse<T>(schema: z.ZodType<T>, text: unknown): T | null {
  try {
    return schema.safeParse(JSON.parse(String(text))).data ?? null;
  } catch {
    return null;
  }
}
