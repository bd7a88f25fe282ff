import { describeConformance } from "../../conformance/suite.ts";
import { workerd } from "./workerd.ts";

describeConformance(workerd, ["plain"]);
