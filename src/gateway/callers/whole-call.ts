import type { Base } from "../base.ts";
import type { RawHeaders } from "../exchange.ts";
import type { Platform } from "../platform.ts";
import { plainBody } from "../plain-body.ts";
import type { UpstreamRequest } from "../transport.ts";

/** A small call of Afterword's own. */
export interface WholeCall {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** Without Host and framing. */
  readonly headers: RawHeaders;
  readonly body: Uint8Array | null;
  readonly timeouts: UpstreamRequest["timeouts"];
}

export type WholeAnswer =
  | { readonly kind: "whole"; readonly status: number; readonly body: Uint8Array }
  | { readonly kind: "failed"; readonly status: 502 | 504 };

// Tokens, addresses and keys: a handful of texts.
const largest = 256 * 1024;

/** Makes a call to an address that the configuration names, and waits for the whole answer. Never rejects. */
export async function wholeCall(
  platform: Platform,
  base: Base,
  { method, path, headers, body, timeouts }: WholeCall,
): Promise<WholeAnswer> {
  const framing = method === "GET" ? [] : ["Content-Length", String(body?.length ?? 0)];
  const request: UpstreamRequest = {
    origin: base.origin,
    method,
    path,
    headers: ["Host", base.host, ...headers, ...framing],
    body,
    timeouts,
    trusted: true,
  };
  const answer = await send(platform, request);
  if (answer.kind === "failed") return answer;
  const plain = await plainBody(platform, answer.headers, answer.body, largest);
  return plain === null
    ? { kind: "failed", status: 502 }
    : { kind: "whole", status: answer.status, body: plain };
}

type Raw =
  | Extract<WholeAnswer, { kind: "failed" }>
  | (Extract<WholeAnswer, { kind: "whole" }> & {
      readonly headers: RawHeaders;
    });

function send(platform: Platform, request: UpstreamRequest): Promise<Raw> {
  return new Promise((resolve) => {
    let head: { readonly status: number; readonly headers: RawHeaders } | null = null;
    const chunks: Uint8Array[] = [];
    let size = 0;
    const cancel = platform.transport.send(request, {
      head(status, _reason, headers) {
        head = { status, headers };
      },
      data(chunk) {
        size += chunk.length;
        if (size <= largest) chunks.push(chunk);
        else {
          cancel();
          resolve({ kind: "failed", status: 502 });
        }
      },
      end() {
        if (head === null) return;
        const body = new Uint8Array(size);
        let at = 0;
        for (const chunk of chunks) {
          body.set(chunk, at);
          at += chunk.length;
        }
        resolve({ kind: "whole", ...head, body });
      },
      fail(error) {
        resolve({ kind: "failed", status: error.kind === "timeout" ? 504 : 502 });
      },
    });
  });
}
