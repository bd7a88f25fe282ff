import { bun } from "./runtimes/bun.ts";
import { describeConformance } from "./suite.ts";

describeConformance(bun);
