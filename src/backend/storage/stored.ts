import type { Selectable } from "kysely";
import { z } from "zod";
import type { FormState } from "../forms/types.ts";
import type { SessionTable } from "./tables/conversations.ts";
import type { HistoryItem, OpenDialogue, Session } from "./types.ts";

const formState: z.ZodType<FormState> = z.looseObject({
  content: z.number(),
  field: z.string(),
  values: z.record(z.string(), z.string()),
  errors: z.number(),
  // Not known of forms under way when this was introduced: they end as they would have ended then.
  failed: z.boolean().default(true),
  step: z.enum(["asking", "continue", "retry"]),
  invalid: z.array(z.string()),
  submissions: z.number(),
  begun: z.number(),
});

const openChoice = z.looseObject({ value: z.number(), label: z.string(), content: z.number() });

const openDialogue: z.ZodType<OpenDialogue> = z.discriminatedUnion("kind", [
  z.looseObject({
    kind: z.literal("choice"),
    choices: z.array(openChoice),
    waiting: z.array(z.number()).default([]),
    misses: z.number(),
  }),
  z.looseObject({
    kind: z.literal("checks"),
    contents: z.array(z.number()),
    misses: z.number(),
  }),
  z.looseObject({ kind: z.literal("form"), form: formState }),
]);

/**
 * What a stored session must have. Members that are not named here stay as they are. One that
 * earlier releases did not write needs `.default(…)`, so that conversations survive the change of
 * releases.
 */
const session: z.ZodType<Session> = z.looseObject({
  key: z.string(),
  id: z.string(),
  project: z.string(),
  language: z.string(),
  settings: z.looseObject({
    environment: z.string(),
    userType: z.number(),
    source: z.string(),
    answerAttributes: z.array(z.string()),
    maxRelatedContents: z.number(),
    sideBubbleAttributes: z.array(z.string()).default(["SIDEBUBBLE_TEXT"]),
    maxOptions: z.number().default(3),
    skipLastCheckQuestion: z.boolean().default(false),
    forms: z
      .looseObject({ allowUserToAbandonForm: z.boolean(), errorRetries: z.number() })
      .default({ allowUserToAbandonForm: true, errorRetries: 3 }),
  }),
  turns: z.number(),
  welcomed: z.boolean(),
  offered: z.array(z.number()),
  // A question that another release asked otherwise is forgotten; the conversation goes on.
  open: openDialogue.nullable().catch(null),
  codes: z.array(z.string()).default([]),
  unanswered: z.number(),
  variables: z.array(z.tuple([z.string(), z.string()])),
  expires: z.number(),
  revision: z.string().default(""),
});

const historyItem: z.ZodType<HistoryItem> = z.looseObject({
  user: z.enum(["user", "bot"]),
  message: z.string(),
  messageList: z.array(z.string()),
  datetime: z.string(),
});

type SessionRow = Selectable<SessionTable>;

/** A session out of its row, or null when it is damaged or another version wrote it. */
export function parseSession({ document, expires, revision }: SessionRow): Session | null {
  const found = parse(session, document);
  return found === null ? null : { ...found, expires, revision };
}

/** A history item out of a database's text, or null when it is damaged. */
export function parseHistoryItem(text: string): HistoryItem | null {
  return parse(historyItem, text);
}

function parse<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
