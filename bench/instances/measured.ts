/** What one gateway measures of itself. Times of single calls are nanoseconds. */
export interface Measured {
  /** From the process's start until it listens, in milliseconds. */
  readonly startMs: number;
  /** Processor time of the main thread in it: what the start takes where nothing else runs. */
  readonly startCpuMs: number;
  /** Alive after a collection, once it listens. */
  readonly idleBytes: number;
  /** The same after every instance has answered once. */
  readonly warmBytes: number;
  readonly residentBytes: number;
  /** Finding a request's instance and its rewriter. */
  readonly lookUpP50: number;
  readonly lookUpP99: number;
  /** The same, and rewriting an answer of 1.7 KB. */
  readonly turnP50: number;
  readonly turnP99: number;
  /** Messages for ten of the instances only, of which each soon is in the processor's caches. */
  readonly busyP50: number;
}

/** @throws Error when the line is not one that gateway.ts prints */
export function parseMeasured(line: string): Measured {
  const value: unknown = JSON.parse(line);
  const field = (name: keyof Measured): number => {
    const found = typeof value === "object" && value !== null ? Reflect.get(value, name) : null;
    if (typeof found !== "number") throw new Error(`no ${name} in: ${line}`);
    return found;
  };
  return {
    startMs: field("startMs"),
    startCpuMs: field("startCpuMs"),
    idleBytes: field("idleBytes"),
    warmBytes: field("warmBytes"),
    residentBytes: field("residentBytes"),
    lookUpP50: field("lookUpP50"),
    lookUpP99: field("lookUpP99"),
    turnP50: field("turnP50"),
    turnP99: field("turnP99"),
    busyP50: field("busyP50"),
  };
}
