import type { EscalationRecord, Intent } from "../../escalation/record.ts";
import type { EscalationStore } from "../../escalation/store.ts";

/** What /_afterword/escalations tells of one conversation: no text, no name, no session. */
export interface OpenEscalation {
  /** Digest that names the conversation in tickets and logs. */
  readonly conversation: string;
  readonly instance: string;
  readonly phase: string;
  readonly holder: "bot" | "person";
  readonly epoch: number;
  /** ISO 8601, UTC. */
  readonly updated: string;
  readonly chat: string | null;
  readonly calls: readonly {
    readonly kind: Intent["kind"];
    readonly epoch: number;
    readonly state: Intent["state"];
    readonly result: string | null;
    readonly attempts: number;
    readonly first: string;
    readonly next: string | null;
    readonly problem: string | null;
  }[];
}

/** Escalations that are under way, waiting or undecided, the latest first. */
export async function listOpen(
  store: EscalationStore,
  limit: number,
): Promise<{ readonly escalations: readonly OpenEscalation[] }> {
  const open = await store.open(limit);
  return { escalations: open.map(listed) };
}

/** One conversation as it is listed. */
export function listed(record: EscalationRecord): OpenEscalation {
  const { key, instance, phase, epoch, updated, intents } = record;
  const chat = phase.name === "waiting" || phase.name === "talking" ? phase.chat.id : null;
  return {
    conversation: key,
    instance,
    phase: phase.name,
    holder: chat === null ? "bot" : "person",
    epoch,
    updated: iso(updated),
    chat,
    calls: intents.map((intent) => ({
      kind: intent.kind,
      epoch: intent.epoch,
      state: intent.state,
      result: intent.result || null,
      attempts: intent.attempts,
      first: iso(intent.first),
      next: intent.next === null ? null : iso(intent.next),
      problem: intent.problem || null,
    })),
  };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
