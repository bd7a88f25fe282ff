/** Measures the cost of reading and editing an answer: `npm run bench -- cpu --help`. */
import { readOptions } from "../options.ts";
import { measureOnNode } from "./node.ts";

readOptions({
  name: "npm run bench -- cpu",
  about:
    "What reading and editing an answer costs, beside what others cost: median ns of one call, and the bytes it allocates, in rounds that alternate between the contenders.",
  options: {},
  fails: "something broke",
});
await measureOnNode();
