import type { ExplainedReason } from "../../api/chat/reasons.ts";
import { Refusal, toPrintable } from "../http/refusal.ts";

/**
 * `{"error":{"code":N,"message":"…"}}`, the status as its code: chat clients read this alone. The
 * desk reads `reason` and `params` too.
 */
export function createChatError(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  why: ExplainedReason | null = null,
): Response {
  const body = { error: { code: status, message, ...why } };
  return Response.json(body, {
    status,
    headers: { "cache-control": "no-store", ...headers },
  });
}

/** Creates a 404. It is the same whether or not another app has such an id. */
export function refuseUnknown(what: string, id: string): Refusal {
  return new Refusal(404, `There is no ${what} ${toPrintable(id)}.`);
}
