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

/** Paths are relative to the configuration's folder. */
export interface Finding {
  readonly severity: "error" | "warning" | "note";
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface LineFinding extends Finding {
  readonly key: string;
  readonly locale: string;
}

/** Where a text of the owner's stands. */
export interface TextPlace {
  readonly key: string;
  readonly locale: string;
  /** As translators' files name it: `no-results.channels.voice`. */
  readonly id: string;
  readonly text: string;
  readonly file: string;
  readonly line: number;
}
