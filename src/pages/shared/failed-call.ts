import type { ContentFields } from "../../api/console-contents.ts";
import type { Conflict } from "../../api/console.ts";

/** A refusal of a service (its HTTP status), or 0 where it could not be reached. */
export class FailedCall extends Error {
  override readonly name = "FailedCall";
  readonly status: number;
  /** Files that others have changed, where the console's service refused for them. */
  readonly conflicts: readonly Conflict[];
  /** The content as others have changed it, where the console's service refused for that. */
  readonly theirs: ContentFields | null;

  constructor(
    status: number,
    message: string,
    conflicts: readonly Conflict[] = [],
    theirs: ContentFields | null = null,
  ) {
    super(message);
    this.status = status;
    this.conflicts = conflicts;
    this.theirs = theirs;
  }
}
