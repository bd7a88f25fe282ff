import type { EscalationRecord, Intent } from "../record.ts";

/**
 * Whether the operator wants to see it: something is going on, or a call's outcome is not settled.
 */
export function isOpen({ phase, intents }: EscalationRecord): boolean {
  return phase.name !== "bot" || intents.some(({ state }) => unsettled.has(state));
}

/**
 * Whether somebody waits for something, so that it is kept however old it is. What nobody answered
 * (an offer, a form) is not; nor is a doubt that an operator had the whole retention to look at.
 */
export function isPending({ phase, intents }: EscalationRecord): boolean {
  return busy.has(phase.name) || intents.some(({ state }) => underWay.has(state));
}

const busy: ReadonlySet<string> = new Set(["reaching", "waiting", "talking"]);
const underWay: ReadonlySet<Intent["state"]> = new Set(["planned", "sent"]);
const unsettled: ReadonlySet<Intent["state"]> = new Set(["planned", "sent", "unknown"]);
