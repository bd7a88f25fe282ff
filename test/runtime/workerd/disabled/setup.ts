import type { TestProject } from "vitest/node";
import { compileInFrontOfUpstream } from "../compiled.ts";

/** Compiles a worker that would hand over, for the kill switch. */
export function setup(project: TestProject): Promise<() => Promise<void>> {
  return compileInFrontOfUpstream(project, "disabled", "worker-disabled");
}
