import type { TestProject } from "vitest/node";
import { compileInFrontOfUpstream } from "../compiled.ts";

/** Compiles a worker that hands over, for tests that need one within workerd. */
export function setup(project: TestProject): Promise<() => Promise<void>> {
  return compileInFrontOfUpstream(project, "handing over", "worker-handing-over");
}
