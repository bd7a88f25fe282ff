import { z } from "zod";
import { actionSchema } from "../forms/schema.ts";
import type { SubmissionOutcome } from "../forms/step.ts";

/**
 * What a webhook's body says, or null for anything but the two documented forms:
 * `{"ok": true, "message"?, "variables"?, "actions"?}` and
 * `{"ok": false, "invalidFields": ["email"], "message"?}`.
 */
export function readResponse(bytes: Uint8Array): SubmissionOutcome | null {
  const result = response.safeParse(parse(bytes));
  if (!result.success) return null;
  const said = result.data;
  const message = said.message ?? null;
  if (!said.ok) return { kind: "invalid-fields", fields: said.invalidFields, message };
  const variables = Object.fromEntries(
    Object.entries(said.variables).map(([name, value]) => [name, String(value)] as const),
  );
  return { kind: "accepted", message, variables, actions: said.actions };
}

const message = z.string().max(10_000).nullable().optional();

// Beginning with a letter, so `__proto__` is none; what begins with sys_ is the engine's own.
const variableName = z.string().regex(/^(?!sys_)[a-z][\w.-]{0,99}$/i);
const variableValue = z.union([z.string().max(10_000), z.number(), z.boolean()]);

/** As `z.record`, which leaves the key `__proto__` out where this refuses it. */
const variables = z
  .custom<object>((value) => typeof value === "object" && value !== null && !Array.isArray(value))
  .transform((value) => Object.entries(value))
  .pipe(z.array(z.tuple([variableName, variableValue])).max(50))
  .transform((entries) => Object.fromEntries(entries));

const response = z.discriminatedUnion("ok", [
  z.strictObject({
    ok: z.literal(true),
    message,
    variables: variables.default({}),
    actions: z.array(actionSchema).max(10).default([]),
  }),
  z.strictObject({
    ok: z.literal(false),
    invalidFields: z.array(z.string().min(1).max(100)).min(1).max(50),
    message,
  }),
]);

function parse(bytes: Uint8Array): unknown {
  try {
    const data: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return data;
  } catch {
    return undefined; // neither UTF-8 nor JSON: no form of a response
  }
}
