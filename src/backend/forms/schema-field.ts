import { z } from "zod";
import { dateBound } from "./date-bound.ts";
import { fold } from "./fold.ts";
import { patternProblem } from "./pattern.ts";
import { saysSomething } from "./slots.ts";
import type { FieldType, FieldValue, FormField } from "./types.ts";

const TYPES = ["text", "number", "email", "date", "list", "file"] as const satisfies FieldType[];

/** A name that is safe as a key everywhere: in JSON, in YAML, in a variable. */
export const fieldName: z.ZodString = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, "must be letters, digits and _, beginning with a letter");

/** A text for readers: never blank, even when none of its `{{slots}}` has a value. */
export const saying: z.ZodType<string> = z
  .string()
  .refine(saysSomething, { error: "must say something beside its {{variables}}" });

const label = z.string().max(500).regex(/\S/, "must not be empty");

/** A choice: its label and the value that is sent; a bare text is both. */
const choice: z.ZodType<FieldValue> = z.preprocess(
  (written) =>
    typeof written === "string" || typeof written === "number"
      ? { label: String(written), value: String(written) }
      : written,
  z.strictObject({ label, value: z.preprocess(numberAsText, label) }),
);

const bound = z.union([z.number(), z.string().regex(/\S/)]).nullable();

/** One field of a form. `type` is text and `required` true unless written otherwise. */
export const fieldSchema: z.ZodType<FormField> = z
  .strictObject({
    name: fieldName,
    type: z.enum(TYPES).default("text"),
    question: saying,
    required: z.boolean().default(true),
    errorMessage: saying.nullable().default(null),
    variable: z
      .string()
      .regex(
        /^(?!sys_)[a-z][\w.-]{0,99}$/i,
        "must be a variable's name; sys_ ones are the engine's",
      )
      .transform((name) => name.toLowerCase())
      .nullable()
      .default(null),
    prefill: z.boolean().default(false),
    pattern: z.string().min(1).max(500).nullable().default(null),
    min: bound.default(null),
    max: bound.default(null),
    values: z.array(choice).max(500).default([]),
    display: z.enum(["buttons", "dropdown"]).default("buttons"),
  })
  .superRefine((field, ctx) => {
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
    const problem = field.type === "text" ? patternProblem(field.pattern) : "is for text only";
    if (problem !== null) yield [["pattern"], problem];
  }
  yield* boundProblems(field);
  yield* choiceProblems(field);
}

function* boundProblems({ type, min, max }: FormField): Generator<Problem> {
  const rule = bounds[type];
  for (const [key, value] of [["min", min] as const, ["max", max] as const]) {
    if (value !== null && !rule.fits(value)) yield [[key], rule.message];
  }
  // `today` moves: what is relative to it is compared with nothing.
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
    fits: (bound) => typeof bound === "string" && dateBound(bound, 0) !== null,
    message: "must be a day such as 2026-12-31, today or today-18y",
  },
  email: none,
  list: none,
  file: none,
};

function* choiceProblems({ type, values }: FormField): Generator<Problem> {
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
