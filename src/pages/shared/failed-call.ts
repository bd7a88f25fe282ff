import type { ContentFields } from "../../api/console-contents.ts";
import type { Conflict, Finding } from "../../api/console.ts";

/** A refusal of a service (its HTTP status), or 0 where it could not be reached. */
export class FailedCall extends Error {
  override readonly name = "FailedCall";
  readonly status: number;
  /** Files that others have changed, where the console's service refused for them. */
  readonly conflicts: readonly Conflict[];
  /** The content as others have changed it, where the console's service refused for that. */
  readonly theirs: ContentFields | null;

  /** The sentence that the console's page says instead of the message; null if it has none. */
  readonly reason: string | null;
  readonly params: Readonly<Record<string, string | number>>;
  readonly findings: readonly Finding[];

  constructor(status: number, message: string, more: RefusalFacts = {}) {
    super(message);
    this.status = status;
    this.conflicts = more.conflicts ?? [];
    this.theirs = more.fields ?? null;
    this.reason = more.reason ?? null;
    this.params = more.params ?? {};
    this.findings = more.findings ?? [];
  }
}

/** True for a refusal that the console's service explains by this reason. */
export function isRefusedBy(reason: string, error: unknown): boolean {
  return error instanceof FailedCall && error.reason === reason;
}

/** The facts that the console's service adds to a refusal. */
export interface RefusalFacts {
  readonly conflicts?: readonly Conflict[] | undefined;
  /** A content's, which others have changed. */
  readonly fields?: ContentFields | undefined;
  readonly findings?: readonly Finding[] | undefined;
  readonly reason?: string | undefined;
  readonly params?: Readonly<Record<string, string | number>> | undefined;
}
