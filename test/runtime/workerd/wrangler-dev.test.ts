import { wranglerDev } from "../../clients/conformance/runtimes/wrangler-dev.ts";
import { describeConformance } from "../../clients/conformance/suite.ts";

describeConformance(wranglerDev);
