import { z } from "zod";
import { FLAGS } from "../../direct-answers/flags.ts";

/** Shapes of answers, as the engine gives them. */

export const startedConversation: z.ZodType = z.object({
  sessionToken: z.string().min(1),
  sessionId: z.string().min(1),
});

const texts = z.record(z.string(), z.string());

// Neither is ever empty: a client drops an answer without words.
const words = { message: z.string().min(1), messageList: z.array(z.string()).min(1) };

const option = z.object({
  label: z.string(),
  value: z.int(),
  attributes: texts.optional(),
  revisitableLink: z.string().optional(),
});

const actionField = z.object({
  fieldType: z.enum(["list", "datePicker", "default"]),
  disableInput: z.boolean(),
  actionFieldId: z.string(),
  variableName: z.string(),
  listValues: z
    .object({
      displayType: z.enum(["buttons", "dropdown"]),
      values: z.array(z.object({ label: z.array(z.string()).length(1), option: z.string() })),
    })
    .optional(),
});

const contents = z.object({
  title: z.string(),
  trackingCode: z.object({ clickCode: z.string(), rateCode: z.string() }),
  related: z
    .object({
      relatedTitle: z.string(),
      relatedContents: z.array(z.object({ id: z.int(), title: z.string() })),
    })
    .optional(),
});

const answer = z.object({
  type: z.enum(["answer", "polarQuestion", "multipleChoiceQuestion"]),
  ...words,
  options: z.array(option).nullable(),
  actionField: actionField.nullable(),
  flags: z.array(z.enum([...FLAGS, "escalate", "no-rating"])),
  attributes: texts,
  actions: z
    .array(z.object({ parameters: z.object({ callback: z.string(), data: texts.optional() }) }))
    .optional(),
  intent: z.object({ type: z.string(), score: z.number() }).optional(),
  parameters: z.object({ contents: contents.nullable() }),
});

export const answers: z.ZodType = z.object({ answers: z.array(answer).min(1) });

export const history: z.ZodType = z.array(
  z.object({ user: z.enum(["user", "bot"]), ...words, datetime: z.iso.datetime() }),
);

export const variables: z.ZodType = z.record(z.string(), z.object({ value: z.string() }));

/** `message` says why not. */
export const done: z.ZodType = z.object({ success: z.boolean(), message: z.string().optional() });

export const appData: z.ZodType = z.object({
  results: z.array(z.object({ name: z.string(), value: z.unknown() })),
});
