import type { Finding } from "./console.ts";

// The API's answers about the gateway itself: exchanges, health, hand-overs and the audit log.

/** One exchange. `at` is ISO 8601; `milliseconds` and `upstream` are durations in milliseconds. */
export interface ListedExchange {
  readonly at: string;
  readonly method: string;
  /** The pattern of the address, without the client's values. */
  readonly route: string;
  readonly status: number;
  readonly instance: string | null;
  readonly locale: string | null;
  readonly flag: string | null;
  /** `rewritten`, or why the answer was left alone; null for routes that are never rewritten. */
  readonly outcome: string | null;
  readonly milliseconds: number;
  /** The upstream's part of the time; null if the answer was forwarded before it was complete. */
  readonly upstream: number | null;
  readonly trace: unknown;
}

export interface Health {
  readonly version: string;
  readonly snapshot: string;
  readonly draining: boolean;
  readonly disabled: boolean;
  readonly upstream: {
    readonly state: "unused" | "answering" | "failing";
    readonly since: string | null;
    readonly failure: string | null;
  };
  readonly reload?: {
    readonly state: "ok" | "failed";
    readonly at: string;
    readonly diagnostics: readonly (Pick<Finding, "severity" | "code" | "file" | "line"> & {
      readonly message?: string;
    })[];
  };
  readonly findings: readonly Finding[];
  /** Flags of the latest exchanges that default content should hide, the most frequent first. */
  readonly unexpected: readonly { readonly flag: string; readonly count: number }[];
  /** False if the configuration did not come from files. */
  readonly readable: boolean;
}

/** A hand-over, without texts and names. `updated` is ISO 8601. */
export interface HandOver {
  /** The digest of the conversation, which tickets and logs contain too. */
  readonly conversation: string;
  readonly instance: string;
  readonly phase: string;
  readonly epoch: number;
  readonly updated: string;
  /** Id of the open chat; null if there is none. */
  readonly chat: string | null;
  readonly calls: readonly {
    readonly kind: "chat" | "ticket";
    readonly epoch: number;
    readonly state: string;
    readonly problem: string | null;
  }[];
}

/** The result of one of the doctor's steps. */
export interface DoctorFinding {
  readonly step: "token" | "discovery" | "conversation" | "message";
  readonly ok: boolean;
  readonly detail: string;
  /** The remedy; null when all is well. */
  readonly cure: string | null;
  /** Identifies the remedy for translations; null if there is only `cure`. */
  readonly code: string | null;
  /** The values of the step's sentence, and of the remedy's. */
  readonly params: Readonly<Record<string, string>>;
}

/** An entry of the audit log: a change that was made in the console or by its API. */
export interface AuditEntry {
  /** ISO 8601. */
  readonly at: string;
  readonly label: string;
  readonly action: string;
  readonly details: string;
}
