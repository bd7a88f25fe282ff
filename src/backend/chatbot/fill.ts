import { fillData } from "../forms/slots.ts";
import type { Session } from "../storage/types.ts";
import { variablesOf } from "./system-variables.ts";

/**
 * Puts a conversation's variables into texts that programs read. A variable without a value leaves
 * nothing behind.
 */
export function filler(session: Session): (template: string) => string {
  const variables = variablesOf(session);
  return (template) => fillData(template, (name) => variables.get(name.toLowerCase()) ?? null);
}
