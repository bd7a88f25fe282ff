import type { ReloadOutcome } from "../reload/reload.ts";

/** The processes at one port, as one of them sees the others. */
export interface WorkerGroup {
  /** Its number, from 1, in log lines. */
  readonly worker: number;
  /** The admin token of this start, if none was set: the same for all of them. */
  readonly adminToken: string;
  /** How many of them listen, as far as this one knows. */
  status(): GroupStatus;
  /** The sum over all processes; this one's own when the others cannot be asked. */
  metricsOfAll(own: () => string): Promise<string>;
  /** Tells the others the result, as the process that follows the files for all. */
  decided(outcome: ReloadOutcome): void;
}

export interface GroupStatus {
  /** The process that returned this status. */
  readonly answering: number;
  readonly listening: number;
  readonly of: number;
}
