import { describeConformance } from "../../conformance/suite.ts";
import { workerd } from "../workerd/workerd.ts";

describeConformance(workerd, ["handing over"]);
