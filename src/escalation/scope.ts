import type { Recognition } from "../locales/recognition.ts";
import type { EscalationConfig } from "../config/escalation-config.ts";
import type { EscalationRecord, HandoffPhase } from "./stores/record.ts";
import type { ChatService } from "./services/chat-service.ts";
import type { TicketService } from "./services/ticket-service.ts";

/**
 * The parts that an escalation works with: an instance's settings, services and lines, and the
 * store.
 */
export interface Scope {
  readonly settings: EscalationConfig;
  /** Null: this instance has no chat. */
  readonly chat: ChatService | null;
  readonly ticket: TicketService | null;
  /** The room for a language. */
  readonly room: (language: string) => string | number;
  /** A line in the record's language and channel, or null when no table has it. */
  readonly say: (record: EscalationRecord, key: EscalationLine, about?: About) => string | null;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Writes the record. Rejects with {@link Superseded} when another revision is stored. */
  readonly save: (record: EscalationRecord) => Promise<EscalationRecord>;
  /** The record as it is stored now. */
  readonly load: (record: EscalationRecord) => Promise<EscalationRecord>;
}

/** A reader's turn in it: what was typed has to be understood. */
export interface ReaderScope extends Scope {
  readonly recognition: Recognition;
}

/** The values that a line may name. */
export interface About {
  readonly count?: number;
  readonly ticket?: string;
  /** True: only a line that the owner wrote; null without one. */
  readonly own?: boolean;
}

export type EscalationLine = `escalation.${string}`;

/** The result of a step of the ladder. */
export interface StepResult {
  readonly record: EscalationRecord;
  /** The next step is to be tried. */
  readonly next: boolean;
}

export type Reaching = Extract<HandoffPhase, { name: "reaching" }>;

/** Another revision is stored: what was decided on this one does not hold any more. */
export class Superseded extends Error {
  override readonly name = "Superseded";
}

/** Does the work again, on what is stored then, as long as another writer comes first. */
export async function untilSaved<Value>(work: (attempt: number) => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (!(error instanceof Superseded) || attempt >= mostAttempts) throw error;
    }
  }
}

const mostAttempts = 8;

/** Back to the bot, who offers nothing for a while. Counting begins anew. */
export function backToBot(
  scope: Pick<Scope, "now" | "settings">,
  record: EscalationRecord,
): EscalationRecord {
  const counts = { ...record.counts, noResults: 0, errors: 0, negativeRatings: 0 };
  const quietUntil = scope.now() + scope.settings.coolDown;
  return { ...record, counts, phase: { name: "bot", quietUntil } };
}
