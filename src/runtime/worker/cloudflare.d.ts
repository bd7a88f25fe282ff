// oxlint-disable typescript/consistent-type-imports -- an ambient module can import in no other way
declare module "cloudflare:workers" {
  /**
   * As {@link import("./platform.ts").ExecutionContext.waitUntil}, for the request or event that is
   * under way.
   */
  export function waitUntil(work: Promise<unknown>): void;
  /**
   * A class whose objects have a storage of their own, and whose methods can be called from other
   * isolates.
   */
  export class DurableObject {
    constructor(state: import("./platform.ts").ObjectState, bindings: unknown);
    protected readonly ctx: import("./platform.ts").ObjectState;
  }
}
