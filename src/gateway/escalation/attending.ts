import type { EscalationRecord } from "../../escalation/record.ts";
import type { Scope } from "../../escalation/scope.ts";
import type { EscalationStore } from "../../escalation/store.ts";
import type { HandoffParts } from "./hands.ts";

/** Looks after conversations when no reader is asking, under the configuration that holds now. */
export interface Attending {
  /**
   * Does what is to be done outside, and tells who listens. Of an instance that is gone nobody
   * knows the credentials.
   */
  readonly attend: (record: EscalationRecord) => Promise<EscalationRecord>;
  /** Somebody says that something happened to this conversation. */
  readonly lookAfter: (key: string) => Promise<void>;
  /** Under which name of ours a chat was opened, or null. */
  readonly nameOf: (instance: string, chat: string) => Promise<string | null>;
  /** Null: the instance is gone. */
  readonly scopeOf: (record: Pick<EscalationRecord, "instance">) => Scope | null;
}

export function createAttending(
  hands: Pick<HandoffParts, "core" | "records" | "climbing" | "scopeOf">,
  store: Pick<EscalationStore, "get">,
): Attending {
  const { core, records, climbing } = hands;
  return {
    attend,
    async lookAfter(key) {
      const record = await store.get(key);
      if (record !== null) await attend(record);
    },
    async nameOf(instance, chat) {
      const scope = scopeOf({ instance });
      const state = await scope?.chat?.chat(chat);
      return state?.kind === "ok" ? (state.value?.externalId ?? null) : null;
    },
    scopeOf,
  };

  async function attend(record: EscalationRecord): Promise<EscalationRecord> {
    const scope = scopeOf(record);
    if (scope === null) return record;
    const attended = await climbing.attend(scope, record);
    records.tell(attended);
    return attended;
  }

  function scopeOf({ instance: name }: Pick<EscalationRecord, "instance">): Scope | null {
    const snapshot = core.snapshot();
    const instance = snapshot.config.instances.find((one) => one.name === name);
    return instance === undefined ? null : hands.scopeOf(snapshot, instance);
  }
}
