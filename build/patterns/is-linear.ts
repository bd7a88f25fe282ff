import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkSync } from "recheck";

// Its own JavaScript, the same on every machine, and no process beside this one.
process.env["RECHECK_SYNC_BACKEND"] = "pure";

/**
 * Whether a pattern's time grows at most in proportion to the text: true, or a sentence about the
 * finding. Only the proof by automaton counts, because a search for slow texts that is too short
 * finds none.
 */
export function isLinear(pattern: string, flags: string): true | string {
  // Without repetition, the work at each position is limited by the pattern's own length.
  if (!/[*+{]/.test(pattern)) return true;
  const key = `${pattern}/${flags}`;
  if (proved.has(key)) return true;
  const found = checkSync(pattern, flags, { checker: "automaton", timeout: 60_000 });
  if (found.status === "vulnerable") {
    return `This pattern's time is not linear: ${found.complexity.summary}.`;
  }
  if (found.status === "unknown") {
    return `It could not be proved that this pattern's time is linear (${found.error.kind}).`;
  }
  proved.add(key);
  mkdirSync(cache, { recursive: true });
  writeFileSync(file, JSON.stringify([...proved]));
  return true;
}

/** Proofs are kept between runs, since each takes up to half a second. `npm ci` removes them. */
const cache = join(import.meta.dirname, "../../node_modules/.cache");
const file = join(cache, "linear-patterns.json");
const proved = new Set<unknown>(kept());

function kept(): readonly unknown[] {
  try {
    const read: unknown = JSON.parse(readFileSync(file, "utf8"));
    return Array.isArray(read) ? read : [];
  } catch {
    return [];
  }
}
