import type { Recognition } from "../locales/recognition.ts";
import type { EscalationConfig } from "../config/escalation-config.ts";
import type { ChatService } from "./services/chat-service.ts";
import type { TicketService } from "./services/ticket-service.ts";
import type { EscalationRecord } from "./record.ts";

/**
 * What the steps of an escalation work with: one instance's settings and doors, the words, and
 * somewhere to write.
 */
export interface Scope {
  readonly settings: EscalationConfig;
  readonly recognition: Recognition;
  /** Null: this instance has no chat. */
  readonly chat: ChatService | null;
  readonly ticket: TicketService | null;
  /** The room for a language. */
  readonly room: (language: string) => string | number;
  /** A line in the record's language and channel, or null when no table has it. */
  readonly say: (record: EscalationRecord, key: EscalationLine, about?: About) => string | null;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /**
   * Writes the record down. Rejects with {@link Superseded} when somebody else wrote meanwhile:
   * whoever holds on to an old record must not go on.
   */
  readonly save: (record: EscalationRecord) => Promise<EscalationRecord>;
  /** The record as it is stored now. */
  readonly load: (record: EscalationRecord) => Promise<EscalationRecord>;
}

export interface About {
  readonly count?: number;
  readonly ticket?: string;
}

/** Somebody else has changed the record: what was decided on the old one does not hold. */
export class Superseded extends Error {
  override readonly name = "Superseded";
}

/** Keys of the lines the steps say; the tables have more. */
export type EscalationLine = `escalation.${string}`;
