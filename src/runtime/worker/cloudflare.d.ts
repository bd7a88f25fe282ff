// oxlint-disable typescript/consistent-type-imports -- an ambient module can import in no other way
/** The output of compile.ts: `[alias]` in wrangler.toml says where. */
declare module "afterword-compiled" {
  const compiled: import("./compiled.ts").Compiled;
  // oxlint-disable-next-line import/no-default-export -- JSON has no other
  export default compiled;
}

declare module "cloudflare:workers" {
  /** As {@link import("./platform.ts").ExecutionContext.waitUntil}, for the current request. */
  export function waitUntil(work: Promise<unknown>): void;
  /** A class whose objects have storage, and methods callable from other isolates. */
  export class DurableObject {
    constructor(state: import("./platform.ts").ObjectState, bindings: unknown);
    protected readonly ctx: import("./platform.ts").ObjectState;
  }
}
