import { readFileSync } from "node:fs";

// What Linux tells of a process that runs (proc(5)).

/** Of USER_HZ, which is 100 on every processor that Node runs on. */
const ticksPerSecond = 100;

/** Seconds of user and system time of all its threads so far (stat, fields 14 and 15). */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
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
