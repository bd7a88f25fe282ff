import { z } from "zod";
import { FLAGS } from "../../direct-answers/flags.ts";
import type { ContentItem, EngineTexts } from "./types.ts";

/** One content file: contents of one language, data for the front end, or both. */
export interface ContentFile {
  readonly language?: string | undefined;
  readonly contents: readonly ContentItem[];
  readonly appData: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const nonBlank = z.string().regex(/\S/, "must not be empty");
const id = z.int().min(1);

const item: z.ZodType<ContentItem> = z.strictObject({
  id,
  title: nonBlank,
  alternatives: z.array(nonBlank).default([]),
  answer: nonBlank,
  sideBubble: z.string().default(""),
  attributes: z.record(z.string(), z.string()).default({}),
  related: z.array(id).default([]),
  directCall: nonBlank
    .refine((name) => name !== "sys-welcome", "is the engine's own name for the welcome")
    .nullable()
    .default(null),
});

export const contentFile: z.ZodType<ContentFile> = z.strictObject({
  language: z
    .string()
    .regex(/^[a-z]{2,3}(-[a-z0-9]+)*$/i, "must be a language tag, such as en or pt-BR")
    .transform((tag) => tag.toLowerCase())
    .optional(),
  contents: z.array(item).default([]),
  appData: z.record(z.string(), z.record(z.string(), z.string())).default({}),
});

/** One file of engine texts: every direct answer and the related title, none left out. */
export const textsFile: z.ZodType<EngineTexts> = z.record(
  z.enum([...FLAGS, "related-title"]),
  nonBlank,
);
