import type { HttpRequest, RawHeaders } from "../../http/types.ts";
import { joinChunks } from "../../json/bytes.ts";
import type { Transport } from "../exchange/transport.ts";

/** An answer with its whole body, or the status for a failure. */
export type WholeAnswer =
  | {
      readonly kind: "whole";
      readonly status: number;
      readonly reason: string;
      readonly headers: RawHeaders;
      readonly body: Uint8Array;
    }
  | {
      readonly kind: "failed";
      readonly status: 502 | 504;
      /** True when bytes of the request may have reached the other side. */
      readonly sent: boolean;
      /** A few words: no address, text or secret. */
      readonly problem: string;
    };

/** Sends a request and waits for the whole answer, up to `limit` bytes. Rejects only if nothing was sent. */
export function readWholeAnswer(
  transport: Transport,
  request: HttpRequest,
  limit: number,
): Promise<WholeAnswer> {
  return new Promise((resolve) => {
    let answered: { status: number; reason: string; headers: RawHeaders } | null = null;
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
          resolve({ kind: "failed", status: 502, sent: true, problem: "the answer is too large" });
          // The transport may still be inside `send`, so `cancel` may not be set yet.
          queueMicrotask(() => cancel());
        }
      },
      end() {
        if (answered === null) return;
        resolve({ kind: "whole", ...answered, body: joinChunks(chunks, size) });
      },
      fail({ kind, sent }) {
        const status = kind === "timeout" ? 504 : 502;
        // If an answer began, the request arrived. Details are left out, as they may name an address.
        resolve({ kind: "failed", status, sent: sent || answered !== null, problem: kind });
      },
    });
  });
}
