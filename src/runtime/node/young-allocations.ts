import { flushCompileCache } from "node:module";
import { setFlagsFromString } from "node:v8";

/**
 * For a process that answers requests, between loading its code and loading its data. V8 counts
 * where in the code objects come from that survive; once they are many, as while contents are
 * loaded, it puts whatever is made there among the old ones, and code that requests share makes a
 * part of each there. Nothing looks at old objects until they are many: so long they keep what they
 * point to, and most of a request becomes old with them. Flags are the process's own, so a library
 * must leave them alone.
 */
export function keepAllocationsYoung(): void {
  // V8 takes compiled code, Node's own too, only under the flags it was written with: what is
  // loaded after this is compiled anew, and would be of no use to the next start.
  flushCompileCache();
  setFlagsFromString("--no-allocation-site-pretenuring");
}
