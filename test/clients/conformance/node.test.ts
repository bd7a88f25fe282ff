// Suite: slow
import { node } from "./runtimes/node.ts";
import { describeConformance } from "./suite.ts";

describeConformance(node);
