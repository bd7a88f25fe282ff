import type { Conflict } from "../../api/console.ts";

/** A refusal of a service (its HTTP status), or 0 where it could not be reached. */
export class FailedCall extends Error {
  override readonly name = "FailedCall";
  readonly status: number;
  /** Files that others have changed, where the console's service refused for them. */
  readonly conflicts: readonly Conflict[];

  constructor(status: number, message: string, conflicts: readonly Conflict[] = []) {
    super(message);
    this.status = status;
    this.conflicts = conflicts;
  }
}
