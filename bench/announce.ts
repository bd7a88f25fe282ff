/** Where the upstream of this run is, `http://127.0.0.1:PORT`. */
export function upstreamOrigin(): string {
  return fromEnvironment("BENCH_UPSTREAM");
}

export function fromEnvironment(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === "")
    throw new Error(`${name} is not set: run bench/compare/run.ts`);
  return value;
}

/**
 * Tells the bench that this process listens, and ends it with the bench, however that ends.
 *
 * @param pid whose CPU time counts, when a child does the work
 * @param end what ends this process
 */
export function announce(
  port: number,
  pid: number = process.pid,
  end: () => void = () => process.exit(0),
): void {
  process.stdout.write(`${JSON.stringify({ port, pid })}\n`);
  process.stdin.on("end", end).resume();
}
