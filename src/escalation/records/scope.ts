import type { Recognition } from "../../locales/recognition.ts";
import type { EscalationConfig } from "../../config/escalation-config.ts";
import type { EscalationRecord, HandoffPhase } from "../stores/record.ts";
import type { ChatService } from "../services/chat-service.ts";
import type { TicketService } from "../services/ticket-service.ts";

/**
 * The parts that an escalation works with: an instance's settings, services and lines, and the
 * store.
 */
export interface Scope {
  readonly settings: EscalationConfig;
  /** Null if this instance has no chat. */
  readonly chat: ChatService | null;
  readonly ticket: TicketService | null;
  /** The room for a language. */
  readonly room: (language: string) => string | number;
  /** Renders a line in the record's language and channel; null when no table has it. */
  readonly say: (record: EscalationRecord, key: EscalationLine, about?: About) => string | null;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Writes the record. Rejects with {@link Superseded} when another revision is stored. */
  readonly save: (record: EscalationRecord) => Promise<EscalationRecord>;
  /** Reads the record as it is stored now. */
  readonly load: (record: EscalationRecord) => Promise<EscalationRecord>;
}

/** The scope of a reader's turn, which also has to understand what was typed. */
export interface ReaderScope extends Scope {
  readonly recognition: Recognition;
}

/** The values that a line may name. */
export interface About {
  readonly count?: number;
  readonly ticket?: string;
  /** True if only one of the owner's own lines may be used. */
  readonly own?: boolean;
}

export type EscalationLine = `escalation.${string}`;

/** The result of a step of the ladder. */
export interface StepResult {
  readonly record: EscalationRecord;
  /** Whether the next step is tried. */
  readonly next: boolean;
}

export type Reaching = Extract<HandoffPhase, { name: "reaching" }>;

/** Thrown when another revision is stored, so that a decision made on this one is void. */
export class Superseded extends Error {
  override readonly name = "Superseded";
}

/** Repeats work for as long as another writer saves first. The work loads the stored record. */
export async function untilSaved<Value>(work: (attempt: number) => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (!(error instanceof Superseded) || attempt >= MAX_ATTEMPTS) throw error;
    }
  }
}

const MAX_ATTEMPTS = 8;

/** Gives the conversation back to the bot: counts restart, and nothing is offered for a while. */
export function backToBot(
  scope: Pick<Scope, "now" | "settings">,
  record: EscalationRecord,
): EscalationRecord {
  const counts = { ...record.counts, noResults: 0, errors: 0, negativeRatings: 0 };
  const quietUntil = scope.now() + scope.settings.coolDown;
  return { ...record, counts, phase: { name: "bot", quietUntil } };
}
