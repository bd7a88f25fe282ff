import type { InstanceConfig } from "../../config/config.ts";
import type { Scope } from "../../escalation/scope.ts";
import { reportFault } from "../accounting.ts";
import type { Core, Snapshot } from "../core.ts";
import type { Apart } from "./apart.ts";
import type { Climbing } from "./climbing.ts";
import type { EscalationOptions } from "./escalations.ts";
import type { Records } from "./records.ts";

interface Parts {
  readonly core: Core;
  readonly records: Records;
  readonly climbing: Climbing;
  readonly scopeOf: (snapshot: Snapshot, instance: InstanceConfig) => Scope;
  readonly claimsOf: EscalationOptions["claimsOf"];
  readonly apart: Apart | undefined;
}

/** What requests that hand over work with. */
export interface Hands extends Parts {
  /** Under which name a conversation is kept. */
  keyOf(instance: InstanceConfig, session: string): Promise<string>;
  /** One turn of a conversation after the other: a client that sends twice at once does not get in its own way. */
  inTurn<Value>(key: string, work: () => Promise<Value>): Promise<Value>;
  /** Lets the request outlive its answer until this settles, where it would not. */
  outliving<Value>(work: Promise<Value>): Promise<Value>;
  /** Counts and logs what failed and is survived. */
  readonly fault: (error: unknown) => void;
}

export function createHands(parts: Parts): Hands {
  const { core, apart } = parts;
  const turns = new Map<string, Promise<void>>();
  return {
    ...parts,
    keyOf: async ({ name }, session) => core.platform.digest(`${name}\n${session}`),
    async inTurn(key, work) {
      if (apart !== undefined) return work();
      const before = turns.get(key) ?? Promise.resolve();
      const mine = before.then(work, work);
      const ended = mine.then(
        () => undefined,
        () => undefined,
      );
      turns.set(key, ended);
      try {
        return await mine;
      } finally {
        if (turns.get(key) === ended) turns.delete(key);
      }
    },
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
