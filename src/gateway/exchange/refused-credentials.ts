import { networkOf } from "../../http/client-address.ts";
import { pauseIdle } from "../../wait.ts";
import type { Logger } from "./platform.ts";

/** The mistake: the name of the log's event without `-refused`. */
export type RefusedKind =
  | "admin-token"
  | "agent-login"
  | "api-secret"
  | "app-secret"
  | "console-token";

/** Reports attempts with wrong credentials to the operator, without these credentials. */
export interface RefusedCredentials {
  /** @param address of the client; empty where it is not known */
  note(kind: RefusedKind, address: string): void;
}

export interface RefusedCredentialsParts {
  readonly log: Logger;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** Called for each refusal. */
  readonly count: (kind: RefusedKind) => void;
  /** Called with each logged event. */
  readonly audit: (action: string, details: string) => void;
  readonly wait?: (milliseconds: number) => Promise<void>;
}

/**
 * Logs the first refusal of a kind and address at once, and then how many there were, once a minute
 * for as long as they go on. An IPv6 address counts by its /64. Addresses beyond the limit share one
 * line, so that they cannot fill the log.
 */
export function createRefusedCredentials(parts: RefusedCredentialsParts): RefusedCredentials {
  const { log, clock, count, audit, wait = pauseIdle } = parts;
  const open = new Map<string, Refusals>();

  return {
    note(kind, address) {
      count(kind);
      const own = `${kind} ${networkOf(address)}`;
      const isOwn = open.has(own) || open.size < maxAddresses;
      const key = isOwn ? own : `${kind} others`;
      const refusals = open.get(key);
      // A runtime that runs nothing between requests may not have closed this entry.
      if (refusals !== undefined && clock() - refusals.since < 2 * minute) {
        refusals.count++;
        return;
      }
      const { count: before } = refusals ?? { count: 0 };
      const begun: Refusals = { kind, address: isOwn ? address : "others", count: 0, since: 0 };
      open.set(key, begun);
      report(begun, before + 1);
      void closeLater(key, begun);
    },
  };

  async function closeLater(key: string, refusals: Refusals): Promise<void> {
    for (;;) {
      await wait(minute);
      if (open.get(key) !== refusals) return;
      if (refusals.count === 0) {
        open.delete(key);
        return;
      }
      report(refusals, refusals.count);
    }
  }

  function report(refusals: Refusals, times: number): void {
    refusals.count = 0;
    refusals.since = clock();
    const address = refusals.address === "" ? "unknown" : refusals.address;
    const event = `${refusals.kind}-refused`;
    log("warn", event, { address, count: times });
    audit(event, `${address}: ${times}`);
  }
}

interface Refusals {
  readonly kind: RefusedKind;
  readonly address: string;
  /** Since they were last reported. */
  count: number;
  since: number;
}

const minute = 60_000;
const maxAddresses = 100;
