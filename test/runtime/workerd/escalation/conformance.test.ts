import { describeConformance } from "../../../clients/conformance/suite.ts";
import { workerd } from "../workerd/workerd.ts";

describeConformance(workerd, ["handing over"]);
