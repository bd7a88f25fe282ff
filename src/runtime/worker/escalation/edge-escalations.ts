import { waitUntil } from "cloudflare:workers";
import type { EscalationRows } from "../../../escalation/stores/rows.ts";
import { unsealed } from "../../../escalation/stores/sealing.ts";
import { createStoredEscalations } from "../../../escalation/stores/stored.ts";
import type { Core, Escalations } from "../../../gateway/core.ts";
import { createEscalations } from "../../../gateway/escalation/escalations.ts";
import type { Fetcher, ObjectNamespace } from "../platform.ts";
import type { FetchesLines } from "./fetched-lines.ts";
import { createObjectRows, type EscalationStub, objectsIn } from "./object-rows.ts";

/**
 * Makes what hands over in a worker. A bundle whose configuration hands nobody over does not carry
 * it.
 */
export type EdgeEscalations = (
  bindings: EscalationBindings,
  /** Told of every stored record that cannot be read. */
  damaged: () => void,
) => (core: Core) => Escalations;

export interface EscalationBindings {
  readonly AFTERWORD_CONVERSATIONS: ObjectNamespace<EscalationStub>;
  readonly AFTERWORD_LINES?: Fetcher | undefined;
}

/** For requests. */
export function edgeEscalations(lines: FetchesLines): EdgeEscalations {
  return (bindings, damaged) => {
    const rows = createObjectRows(objectsIn(bindings.AFTERWORD_CONVERSATIONS));
    return escalationsOver(rows, lines, bindings, damaged, (work) => {
      waitUntil(work.catch(() => undefined));
    });
  };
}

/** For an object's own alarm, which waits for all that it begins. */
export function escalationsWithin(rows: EscalationRows, lines: FetchesLines): EdgeEscalations {
  return (bindings, damaged) => escalationsOver(rows, lines, bindings, damaged, () => undefined);
}

function escalationsOver(
  rows: EscalationRows,
  lines: FetchesLines,
  { AFTERWORD_LINES: assets }: EscalationBindings,
  damaged: () => void,
  outlive: (work: Promise<unknown>) => void,
): (core: Core) => Escalations {
  const store = createStoredEscalations({ rows, sealing: unsealed, damaged });
  return (core) => {
    const lateLines = lines(assets, core.platform);
    return createEscalations({ store, apart: { outlive }, lateLines })(core);
  };
}
