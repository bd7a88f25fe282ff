import type { AnswerHead } from "./forward.ts";
import { joined } from "./joined.ts";
import type { Transport, UpstreamRequest } from "./transport.ts";

/** An answer with all of its body, as it came; or the status that stands for what went wrong. */
export type WholeAnswer =
  | { readonly kind: "whole"; readonly head: AnswerHead; readonly body: Uint8Array }
  | { readonly kind: "failed"; readonly status: 502 | 504 };

/** Sends a request and waits for the whole answer, of at most `limit` bytes. Never rejects. */
export function wholeAnswer(
  transport: Transport,
  request: UpstreamRequest,
  limit: number,
): Promise<WholeAnswer> {
  return new Promise((resolve) => {
    let answered: AnswerHead | null = null;
    const chunks: Uint8Array[] = [];
    let size = 0;
    const cancel = transport.send(request, {
      head(status, reason, headers) {
        answered = { status, reason, headers };
      },
      data(chunk) {
        size += chunk.length;
        if (size <= limit) chunks.push(chunk);
        else {
          cancel();
          resolve({ kind: "failed", status: 502 });
        }
      },
      end() {
        if (answered === null) return;
        resolve({ kind: "whole", head: answered, body: joined(chunks, size) });
      },
      fail(error) {
        resolve({ kind: "failed", status: error.kind === "timeout" ? 504 : 502 });
      },
    });
  });
}
