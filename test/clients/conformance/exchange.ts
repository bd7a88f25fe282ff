/** A request, with the parts that every kind of client can send. */
export interface Asked {
  readonly method?: string;
  /** As written on the wire, in origin-form. */
  readonly target: string;
  /** name, value, name, value, … without Host and framing. */
  readonly headers?: readonly string[];
  /** Pieces are sent in chunks. */
  readonly body?: string | Uint8Array | readonly string[] | AsyncIterable<string>;
}

export interface ClientAnswer {
  readonly status: number;
  readonly reason: string;
  /** name, value, … as the client received them. */
  readonly headers: readonly string[];
  readonly body: Uint8Array;
  /** False when the connection broke within the body. */
  readonly complete: boolean;
}

/** An answer that is read while it arrives. */
export interface Reading {
  /** Resolves once this text has arrived; rejects when the answer ends before. */
  until(text: string): Promise<void>;
  /** The client goes away. */
  leave(): void;
}

/** A client of the gateway under test. */
export interface Client {
  ask(asked: Asked): Promise<ClientAnswer>;
  open(asked: Asked): Promise<Reading>;
}

/** The upstream's scripted answer. Plain data, so that it can be sent to another process. */
export interface Script {
  /** Default 200. */
  readonly status?: number;
  readonly reason?: string;
  readonly headers?: readonly string[];
  /**
   * Pieces are written one by one. `{ hold }` waits until the test releases that name, `{ cut }`
   * breaks off.
   */
  readonly body?: string | readonly ScriptPiece[];
  /** The content coding of these bytes, instead of a text. */
  readonly coding?: "gzip" | "deflate" | "br" | "x-gzip";
  /** Waits for this name before the head. */
  readonly hold?: string;
  /** Behind a body of pieces. */
  readonly trailers?: readonly string[];
  /** Bytes instead of an answer. */
  readonly raw?: string;
  /** Closes the connection instead of answering. */
  readonly hangUp?: boolean;
}

export type ScriptPiece = string | { readonly hold: string } | { readonly cut: true };

/** A request as the upstream received it. */
export interface ReceivedRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly string[];
  readonly body: string;
}

/** The upstream behind the gateway under test. */
export interface Upstream {
  readonly port: number;
  /**
   * Answers by `METHOD /path` without the query; everything else is 404. Forgets earlier requests
   * and scripts.
   */
  script(answers: Readonly<Record<string, Script>>): Promise<void>;
  release(hold: string): Promise<void>;
  received(): Promise<readonly ReceivedRequest[]>;
}

/** The values of a field, whatever its case. */
export function valuesOf(headers: readonly string[], name: string): string[] {
  return headers.filter((_, i) => i % 2 === 1 && headers[i - 1]?.toLowerCase() === name);
}

export function valueOf({ headers }: Pick<ClientAnswer, "headers">, name: string): string | null {
  const values = valuesOf(headers, name);
  return values.length === 0 ? null : values.join(", ");
}

export function textOf({ body }: ClientAnswer): string {
  return new TextDecoder().decode(body);
}

export function jsonOf(answer: ClientAnswer): unknown {
  return JSON.parse(textOf(answer));
}

/** The text, decoded by the answer's content coding. */
export async function decodedText(answer: ClientAnswer): Promise<string> {
  const coding = valueOf(answer, "content-encoding");
  const text = textOf(answer);
  // Clients that decode by themselves leave the field standing.
  if (coding === null || coding === "identity" || text.startsWith("{")) return text;
  const { brotliDecompressSync, unzipSync } = await import("node:zlib");
  const bytes = coding === "br" ? brotliDecompressSync(answer.body) : unzipSync(answer.body);
  return bytes.toString("utf8");
}
