import type { Finding, LineFinding, TextPlace } from "../../api/console.ts";

/** The owner's files of texts; a port, as parsing them is not for every runtime. */
export interface TextFiles {
  /** What stands in them now. Rejects when they cannot be looked at. */
  read(): Promise<Findings>;
}

export interface Findings {
  /** What `afterword check` says of everything. */
  readonly findings: readonly Finding[];
  /** By table set, as instances number them. */
  readonly sets: readonly {
    readonly lines: readonly LineFinding[];
    readonly places: readonly TextPlace[];
  }[];
}
