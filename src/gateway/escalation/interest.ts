import { countGate } from "../accounting.ts";
import type { GatewayRequest, Core } from "../core.ts";
import { reportFault } from "../accounting.ts";
import type { RawHeaders } from "../exchange.ts";
import { headGate, plainBody } from "../gates.ts";
import type { Transform } from "../relay.ts";
import type { AnswerHead } from "../transport.ts";

/**
 * Looks at an answer after its texts were replaced. Whatever fails in here leaves the answer as it
 * would be without it.
 *
 * @param inner what replaces the texts, or null
 * @param followed gets the engine's bytes and those with the replaced texts, decoded; gives back
 *   other bytes or null
 */
export function following(
  core: Core,
  arrival: GatewayRequest,
  inner: Transform | null,
  followed: (said: Uint8Array, shown: Uint8Array) => Promise<Uint8Array | null>,
): Transform {
  const limit = arrival.snapshot.config.limits.transformBytes;
  return {
    limit,
    gate: (head) => inner?.gate(head) ?? headGate(head.status, head.headers, limit),
    async edit(head: AnswerHead, body: Uint8Array): Promise<Uint8Array | null> {
      const rewritten = inner === null ? null : await inner.edit(head, body);
      try {
        const said = await plainBody(core.platform, head.headers, body, limit);
        if (said === null) return rewritten;
        return (await followed(said, rewritten ?? said)) ?? rewritten;
      } catch (error) {
        reportFault(core, "escalation", error);
        countGate(core, "message", "error");
        return rewritten;
      }
    },
    extraHeaders: (): RawHeaders => inner?.extraHeaders?.() ?? [],
  };
}
