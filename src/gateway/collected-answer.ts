import { editedHeaders, measuredHeaders } from "./edited-headers.ts";
import type { RawHeaders } from "./exchange.ts";
import type { AnswerHead, Forwarding, Transform } from "./forward.ts";
import { clientHeaders } from "./hop-by-hop.ts";

/**
 * Sends an answer that was collected whole, edited or as it came, in one write unless it has
 * trailers.
 */
export function sendCollected(
  f: Pick<Forwarding, "exchange" | "fields">,
  answer: AnswerHead,
  interest: Transform,
  body: Uint8Array,
  edited: Uint8Array | null,
  trailers: RawHeaders,
): void {
  const { reply } = f.exchange;
  const bytes = edited ?? body;
  const kept = clientHeaders(answer.status, answer.headers);
  const extra = interest.extraHeaders?.() ?? [];
  if (extra.length > 0) kept.push(...extra);
  const fields = f.fields(kept);
  if (trailers.length > 0) {
    const last = edited === null ? trailers : withoutDigests(trailers);
    reply.head(
      answer.status,
      answer.reason,
      edited === null ? fields : unmeasured(editedHeaders(fields, 0)),
    );
    reply.write(bytes);
    reply.end(last);
    return;
  }
  const headers =
    edited === null ? measuredHeaders(fields, body.length) : editedHeaders(fields, bytes.length);
  reply.send(answer.status, answer.reason, headers, bytes);
}

function withoutDigests(trailers: RawHeaders): RawHeaders {
  const named = [...trailers, "Content-Length", ""];
  return unmeasured(editedHeaders(named, 0));
}

function unmeasured(headers: readonly string[]): RawHeaders {
  const out: string[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) {
    if (headers[i]?.toLowerCase() !== "content-length")
      out.push(headers[i] ?? "", headers[i + 1] ?? "");
  }
  return out;
}
