/** What reading and editing an answer costs: `npm run bench:cpu -- --help`. */
import { oneOf, readOptions } from "../options.ts";
import { measureOnNode } from "./node.ts";
import { measureInWorkerd } from "./workerd.ts";

const { where } = readOptions({
  name: "npm run bench:cpu",
  about:
    "What reading and editing an answer costs, beside what others cost: median ns of one call, and on Node the bytes it allocates, in rounds that alternate between the contenders.",
  options: { where: oneOf("where it runs", "both", "node", "workerd") },
  fails: "something broke",
});
if (where !== "workerd") await measureOnNode();
if (where !== "node") await measureInWorkerd();
