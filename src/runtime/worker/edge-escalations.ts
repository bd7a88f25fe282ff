import { waitUntil } from "cloudflare:workers";
import type { EscalationRows } from "../../escalation/stores/rows.ts";
import { unsealed } from "../../escalation/stores/sealing.ts";
import { createStoredEscalations } from "../../escalation/stores/stored.ts";
import type { Core, Escalations } from "../../gateway/core.ts";
import { createEscalations } from "../../gateway/escalation/escalations.ts";
import type { ObjectNamespace } from "./platform.ts";
import { createObjectRows, type EscalationStub, objectsIn } from "./object-rows.ts";

/**
 * Creates the hand-overs of a worker.
 *
 * @param damaged called for every stored record that cannot be read
 */
export type EdgeEscalations = (
  conversations: ObjectNamespace<EscalationStub>,
  damaged: () => void,
) => (core: Core) => Escalations;

/** For requests. */
export function createEdgeEscalations(
  conversations: ObjectNamespace<EscalationStub>,
  damaged: () => void,
): (core: Core) => Escalations {
  return escalationsOver(createObjectRows(objectsIn(conversations)), damaged, (work) => {
    waitUntil(work.catch(() => undefined));
  });
}

/** For an object's own alarm, which waits for all the work that it begins. */
export function escalationsWithin(rows: EscalationRows): EdgeEscalations {
  return (_, damaged) => escalationsOver(rows, damaged, () => undefined);
}

function escalationsOver(
  rows: EscalationRows,
  damaged: () => void,
  outlive: (work: Promise<unknown>) => void,
): (core: Core) => Escalations {
  const store = createStoredEscalations({ rows, sealing: unsealed, damaged });
  return createEscalations({ store, outlive });
}
