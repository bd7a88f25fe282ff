import type { TestProject } from "vitest/node";
import { compileInFrontOfUpstream } from "../compiled.ts";

/** Compiles the worker of most tests within workerd. */
export function setup(project: TestProject): Promise<() => Promise<void>> {
  return compileInFrontOfUpstream(project, "plain", "worker-under-test");
}
