import { z } from "zod";
import type { FieldType, FormField } from "./types.ts";
import { readDateBound } from "./read-date.ts";
import { fold } from "./fold.ts";
import { findPatternProblem } from "./pattern.ts";
import { saysSomething } from "./slots.ts";
import { duration } from "../../config/schema/values.ts";
import { toPrintable } from "../http/refusal.ts";
import { DEMO_WEBHOOKS } from "./demo-webhooks.ts";

/** Milliseconds for a call when the content doesn't say. */
const DEFAULT_TIMEOUT = 5000;

// Clients wait 30 s for an answer (docs/http.md), and the engine itself takes some of that time.
const maxTimeout = 20_000;

const url = z.string().superRefine((written, ctx) => {
  // `DEMO_WEBHOOKS` answers addresses of this scheme within the process.
  const complain = (message: string): void => ctx.addIssue({ code: "custom", message });
  if (written.startsWith("embedded:")) {
    if (DEMO_WEBHOOKS.has(written.slice("embedded:".length))) return;
    const known = [...DEMO_WEBHOOKS.keys()].map((name) => `embedded:${name}`).join(", ");
    complain(
      `nothing answers ${toPrintable(written)}: write an https address, or the demo's ${known}`,
    );
    return;
  }
  if (!/^https?:\/\//i.test(written) || !URL.canParse(written)) {
    complain("an address such as https://hooks.example.com/contact is needed here");
    return;
  }
  const { username, password } = new URL(written);
  if (username !== "" || password !== "") {
    complain("an address must not carry a user or password: use headers or secret");
  }
  if (written.includes("#")) complain("an address must not have a fragment");
});

const reserved =
  /^(?:content-|proxy-|x-afterword-|(?:accept-encoding|connection|cookie|expect|host|idempotency-key|keep-alive|te|trailer|transfer-encoding|upgrade|user-agent)$)/;

const headers = z
  .record(
    z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, "is no header name"),
    z.string().regex(/^[\x20-\x7e]{0,4096}$/, "may hold printable ASCII only"),
  )
  .superRefine((given, ctx) => {
    for (const name of Object.keys(given)) {
      if (reserved.test(name.toLowerCase())) {
        ctx.addIssue({ code: "custom", path: [name], message: `${name} is set by the engine` });
      }
    }
  });

/** `https://…`, or a mapping with `url`, `timeout` (`5s`), `secret` and `headers`. */
export const webhookSchema = z.preprocess(
  (written) => (typeof written === "string" ? { url: written } : written),
  z.strictObject({
    url,
    // Milliseconds for the whole call.
    timeout: duration
      .refine((value) => value >= 100 && value <= maxTimeout, {
        error: "must be from 100ms to 20s: a reader is waiting",
      })
      .default(DEFAULT_TIMEOUT),
    // Signs the body (HMAC-SHA256) when given.
    secret: z
      .string()
      .regex(/^\S{16,}$/, "must have at least 16 characters and no spaces")
      .nullable()
      .default(null),
    headers: headers.default({}),
  }),
);

const TYPES = ["text", "number", "email", "date", "list", "file"] as const;

/** A name that is safe as a key everywhere: in JSON, in YAML, in a variable. */
const fieldName: z.ZodString = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, "must be letters, digits and _, beginning with a letter");

/** A text for readers. It is not blank even if none of its `{{slots}}` has a value. */
const saying: z.ZodType<string> = z
  .string()
  .refine(saysSomething, { error: "must say something beside its {{variables}}" });

const label = z.string().max(500).regex(/\S/, "must not be empty");

/** A choice: its label and the value that is sent; a bare text is both. */
const choice = z.preprocess(
  (written) =>
    typeof written === "string" || typeof written === "number"
      ? { label: String(written), value: String(written) }
      : written,
  z.strictObject({ label, value: z.preprocess(numberAsText, label) }),
);

const bound = z.union([z.number(), z.string().regex(/\S/)]).nullable();

/** One field of a form. `type` is text and `required` true unless written otherwise. */
export const fieldSchema = z.strictObject({
  /** Name in the values sent to the webhook: letters, digits, `_`. */
  name: fieldName,
  type: z.enum(TYPES).default("text"),
  /** The question; may hold `{{variable}}`. */
  question: saying,
  required: z.boolean().default(true),
  /** Said after an invalid value. Null for the engine's text with flag `generic-error-message`. */
  errorMessage: saying.nullable().default(null),
  /** The variable (lower case) that gets the value. With `prefill`, its valid value is used unasked. */
  variable: z
    .string()
    .regex(/^(?!sys_)[a-z][\w.-]{0,99}$/i, "must be a variable's name; sys_ ones are the engine's")
    .transform((name) => name.toLowerCase())
    .nullable()
    .default(null),
  prefill: z.boolean().default(false),
  /** RE2 pattern (linear time) that must match a text as a whole, or null. */
  pattern: z.string().min(1).max(500).nullable().default(null),
  /**
   * Bounds of a number, of a date (ISO 8601, or `today` in UTC with an offset such as `today-18y`),
   * or of a text's length in code points. Null for the other types.
   */
  min: bound.default(null),
  max: bound.default(null),
  /** For a list: what can be chosen. */
  values: z.array(choice).max(500).default([]),
  display: z.enum(["buttons", "dropdown"]).default("buttons"),
});

const checkedField = fieldSchema.superRefine((field, ctx) => {
  for (const [key, message] of problemsOf(field)) {
    ctx.addIssue({ code: "custom", path: [...key], message });
  }
});

type Problem = readonly [path: readonly (string | number)[], message: string];

function* problemsOf(field: FormField): Generator<Problem> {
  if (field.prefill && field.variable === null) {
    yield [["prefill"], "needs a variable: that is where the value comes from"];
  }
  if (field.pattern !== null) {
    const problem = field.type === "text" ? findPatternProblem(field.pattern) : "is for text only";
    if (problem !== null) yield [["pattern"], problem];
  }
  yield* boundProblems(field);
  yield* findChoiceProblems(field);
}

function* boundProblems({ type, min, max }: FormField): Generator<Problem> {
  const rule = bounds[type];
  for (const [key, value] of [["min", min] as const, ["max", max] as const]) {
    if (value !== null && !rule.fits(value)) yield [[key], rule.message];
  }
  // A bound relative to `today` changes every day, so the two are not compared.
  const fixed = typeof min === typeof max && !`${min} ${max}`.includes("today");
  if (fixed && min !== null && max !== null && min > max) {
    yield [["max"], "must not be less than min"];
  }
}

interface BoundRule {
  readonly fits: (bound: number | string) => boolean;
  readonly message: string;
}

const none: BoundRule = {
  fits: () => false,
  message: "is for text (its length), numbers and dates only",
};

const bounds: Readonly<Record<FieldType, BoundRule>> = {
  text: {
    fits: (bound) => typeof bound === "number" && Number.isInteger(bound) && bound >= 0,
    message: "must be a length: a whole number",
  },
  number: { fits: (bound) => typeof bound === "number", message: "must be a number" },
  date: {
    fits: (bound) => typeof bound === "string" && readDateBound(bound, 0) !== null,
    message: "must be a day such as 2026-12-31, today or today-18y",
  },
  email: none,
  list: none,
  file: none,
};

function* findChoiceProblems({ type, values }: FormField): Generator<Problem> {
  if (type !== "list") {
    if (values.length > 0) yield [["values"], "are for a list only"];
    return;
  }
  if (values.length === 0) yield [["values"], "a list needs values to choose from"];
  const labels = new Set<string>();
  const sent = new Set<string>();
  for (const [index, { label, value }] of values.entries()) {
    if (labels.has(fold(label))) {
      yield [["values", index], `"${label}" reads like another choice of this list`];
    }
    if (sent.has(value)) yield [["values", index], `the value "${value}" is there twice`];
    labels.add(fold(label));
    sent.add(value);
  }
}

function numberAsText(written: unknown): unknown {
  return typeof written === "number" ? String(written) : written;
}

/** The front end's action: `callback`, and `data` with texts that may hold `{{variable}}`. */
export const actionSchema = z.strictObject({
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
export const formSchema = z
  .strictObject({
    name: z.string().regex(/^[\w.-]{1,100}$/, "must be letters, digits, _, . and -"),
    fields: z.array(checkedField).min(1, "a form needs a field").max(50),
    // If null, the form ends with the flag `end-form`.
    webhook: webhookSchema.nullable().default(null),
    // True if the values become a ticket. Never beside a webhook.
    ticket: z.boolean().nullable().default(null),
    // The closing text in HTML, which may contain `{{field}}`. Without a webhook the engine's line
    // for `end-form` follows it. With one, it is used when the webhook accepts without a message.
    finished: saying.nullable().default(null),
    // For the front end when the form has ended, such as `escalateToAgent`.
    actions: z.array(actionSchema).max(10).default([]),
  })
  .superRefine(({ fields, webhook, ticket, finished }, ctx) => {
    const seen = new Set<string>();
    for (const [index, { name }] of fields.entries()) {
      const key = name.toLowerCase();
      if (seen.has(key)) {
        const message = `there are two fields called ${name}`;
        ctx.addIssue({ code: "custom", path: ["fields", index, "name"], message });
      }
      seen.add(key);
    }
    if (webhook !== null && ticket === true) {
      const message = "a form goes to its webhook or becomes a ticket: leave one away";
      ctx.addIssue({ code: "custom", path: ["ticket"], message });
    }
    if (webhook !== null && finished === null) {
      const message =
        "a form with a webhook needs finished: what is said when the webhook sends no message";
      ctx.addIssue({ code: "custom", path: ["webhook"], message });
    }
  })
  // A form that nobody else receives becomes a ticket, so that it arrives somewhere.
  .transform(({ ticket, ...form }) => ({
    ...form,
    ticket: ticket ?? (form.webhook === null && form.actions.length === 0),
  }));
