import type { Base } from "../base.ts";
import type { RawHeaders } from "../exchange.ts";
import type { Platform } from "../platform.ts";
import { plainBody } from "../plain-body.ts";
import type { UpstreamRequest } from "../transport.ts";
import { wholeAnswer } from "../whole-answer.ts";

/** A small call of Afterword's own. */
export interface WholeCall {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** Without Host and framing. */
  readonly headers: RawHeaders;
  readonly body: Uint8Array | null;
  readonly timeouts: UpstreamRequest["timeouts"];
}

export type PlainAnswer =
  | { readonly kind: "whole"; readonly status: number; readonly body: Uint8Array }
  | { readonly kind: "failed"; readonly status: 502 | 504 };

// Tokens, addresses and keys: a handful of texts.
const largest = 256 * 1024;

/**
 * Makes a call to an address that the configuration names, and waits for the whole answer. Never
 * rejects.
 */
export async function wholeCall(
  platform: Platform,
  base: Base,
  { method, path, headers, body, timeouts }: WholeCall,
): Promise<PlainAnswer> {
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
  const answer = await wholeAnswer(platform.transport, request, largest);
  if (answer.kind === "failed") return answer;
  const { head } = answer;
  const plain = await plainBody(platform, head.headers, answer.body, largest);
  return plain === null
    ? { kind: "failed", status: 502 }
    : { kind: "whole", status: head.status, body: plain };
}
