import type { InstanceConfig } from "../../config/config.ts";
import { sessionTokenOf } from "../../conversation/memory.ts";
import { judgeRating } from "../../escalation/triggers.ts";
import type { GatewayRequest } from "../core.ts";
import { fieldOf } from "../headers.ts";
import type { HandoffParts } from "./hands.ts";

/** Counts a reader's rating, which the engine took. Never rejects. */
export async function takeRating(
  hands: HandoffParts,
  arrival: GatewayRequest,
  instance: InstanceConfig,
  request: Uint8Array,
): Promise<void> {
  const session = sessionTokenOf(fieldOf(arrival.exchange.headers, "x-inbenta-session"));
  if (session === null || hands.core.disabled) return;
  try {
    const key = await hands.keyOf(instance, session);
    const { triggers } = instance.escalation;
    await hands.inTurn(key, () =>
      hands.records.change(key, instance.name, (record) => {
        const { counts, rated } = judgeRating(triggers, record.counts, request);
        return rated ? { ...record, counts } : null;
      }),
    );
  } catch (error) {
    hands.fault(error);
  }
}
