import { z } from "zod";
import type { ContentAction } from "../content/types.ts";
import { fieldSchema, saying } from "./schema-field.ts";
import { webhookSchema } from "./schema-webhook.ts";
import type { FormDefinition } from "./types.ts";

/**
 * What the front end is told to do: `callback`, and `data` with texts that may hold `{{variable}}`.
 */
export const actionSchema: z.ZodType<ContentAction> = z.strictObject({
  callback: z.string().regex(/\S/, "must not be empty"),
  data: z.record(z.string(), z.string()).default({}),
});

/**
 * A form as content files write it.
 *
 * @example
 * name: contact
 * fields:
 *   - { name: email, type: email, question: What is your e-mail address? }
 *   - { name: topic, type: list, question: What is it about?, values: [Order, Returns] }
 * webhook: { url: https://hooks.example.com/contact, timeout: 5s }
 * finished: Thank you, we will write to {{email}}.
 */
export const formSchema: z.ZodType<FormDefinition> = z
  .strictObject({
    name: z.string().regex(/^[\w.-]{1,100}$/, "must be letters, digits, _, . and -"),
    fields: z.array(fieldSchema).min(1, "a form needs a field").max(50),
    webhook: webhookSchema.nullable().default(null),
    finished: saying.nullable().default(null),
    actions: z.array(actionSchema).max(10).default([]),
  })
  .superRefine(({ fields, webhook, finished }, ctx) => {
    const seen = new Set<string>();
    for (const [index, { name }] of fields.entries()) {
      const key = name.toLowerCase();
      if (seen.has(key)) {
        const message = `there are two fields called ${name}`;
        ctx.addIssue({ code: "custom", path: ["fields", index, "name"], message });
      }
      seen.add(key);
    }
    if (webhook !== null && finished === null) {
      const message =
        "a form with a webhook needs finished: what is said when the webhook sends no message";
      ctx.addIssue({ code: "custom", path: ["webhook"], message });
    }
  });
