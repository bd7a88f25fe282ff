import { readdirSync, readFileSync } from "node:fs";

// Data that Linux has about a running process (proc(5)).

/** Seconds of user and system time of all its threads so far, to the nanosecond (schedstat). */
export function cpuSeconds(pid: number): number {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]),
  );
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e9;
}

/**
 * Bytes of memory, from a field of status.
 *
 * @param field `VmRSS` for what is resident now, `VmHWM` for the most that was
 */
export function memoryOf(pid: number, field: "VmRSS" | "VmHWM" = "VmRSS"): number {
  const line = readFileSync(`/proc/${pid}/status`, "utf8")
    .split("\n")
    .find((candidate) => candidate.startsWith(`${field}:`));
  return Number.parseInt(line?.split(/\s+/)[1] ?? "", 10) * 1024;
}
