import { describeConformance } from "../../../clients/conformance/suite.ts";
import { workerd } from "./workerd.ts";

describeConformance(workerd, ["plain"]);
