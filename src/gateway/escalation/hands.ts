import type { InstanceConfig } from "../../config/config.ts";
import { reportFault } from "../accounting.ts";
import type { Core } from "../core.ts";
import type { Apart } from "./apart.ts";
import type { Advancer } from "./climbing.ts";
import type { ClaimsOf } from "./escalations.ts";
import type { InTurn } from "./in-turn.ts";
import type { Records } from "./records.ts";
import type { ScopeOf } from "./scopes.ts";

interface Parts {
  readonly core: Core;
  readonly records: Records;
  readonly climbing: Advancer;
  readonly scopeOf: ScopeOf;
  readonly claimsOf: ClaimsOf | undefined;
  readonly apart: Apart | undefined;
  /**
   * One turn of a conversation after the other: a client that sends twice at once does not get in
   * its own way.
   */
  readonly inTurn: InTurn;
}

/** What requests that hand over work with. */
export interface HandoffParts extends Parts {
  /** Under which name a conversation is kept. */
  keyOf(instance: InstanceConfig, session: string): Promise<string>;
  /** Lets the request outlive its answer until this settles, where it would not. */
  outliving<Value>(work: Promise<Value>): Promise<Value>;
  /** Counts and logs what failed and is survived. */
  readonly fault: (error: unknown) => void;
}

export function createHandoffParts(parts: Parts): HandoffParts {
  const { core, apart } = parts;
  return {
    ...parts,
    keyOf: async ({ name }, session) => core.platform.digest(`${name}\n${session}`),
    outliving(work) {
      apart?.outlive(work);
      return work;
    },
    fault(error) {
      core.metrics.count("afterword_escalation_failures_total");
      reportFault(core, "escalation", error);
    },
  };
}
