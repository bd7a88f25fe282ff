import { wranglerDev } from "../conformance/runtimes/wrangler-dev.ts";
import { describeConformance } from "../conformance/suite.ts";

describeConformance(wranglerDev);
