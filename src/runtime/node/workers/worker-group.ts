import type { ReloadOutcome } from "../reload/reload.ts";

/** The processes that answer at one port, as one of them sees the others. */
export interface WorkerGroup {
  /** Its number, from 1, in log lines. */
  readonly worker: number;
  /** The admin token of this start, if none was set: the same for all of them. */
  readonly adminToken: string;
  /** How many of them listen, as far as this one knows. */
  status(): GroupStatus;
  /** The sum over all processes; this one's own when the others cannot be asked. */
  metricsOfAll(own: () => string): Promise<string>;
  /** This process keeps to the files for all of them: tells the others what came of it. */
  decided(outcome: ReloadOutcome): void;
}

export interface GroupStatus {
  /** The process that tells this. */
  readonly answering: number;
  readonly listening: number;
  readonly of: number;
}
