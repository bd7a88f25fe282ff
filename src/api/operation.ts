import type { z } from "zod";

/** The systems of the interface, by their keys in `apis`; `auth` stands before them. */
export type WireProduct = "auth" | "chatbot" | "knowledge" | "ticketing" | "chat";

/** What a caller must show. */
export type WireCredentials =
  /** The API key alone. */
  | "key"
  /** The API key and an access token issued to it. */
  | "token"
  /** As `token`, and the token of a conversation in `x-inbenta-session`. */
  | "session"
  /** A chat app's id. */
  | "app"
  /** A chat app's id and secret. */
  | "app-secret"
  /** A chat user's or agent's own token, beside the app's id. */
  | "app-token";

/**
 * One operation on the wire, as data: the service answers by it, the typed client calls by it, the
 * contract tests and the published OpenAPI document are made from it.
 */
export interface Operation {
  /**
   * `product.name`, such as `ticketing.createTicket`: the name of the client's function, and of
   * errors.
   */
  readonly id: `${WireProduct}.${string}`;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /**
   * After the product's base address, with `{names}`; further spellings that the service accepts
   * stand in `aliases`.
   */
  readonly path: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  readonly credentials: WireCredentials;
  /**
   * True: a chat user or an agent may do it too, with a token of their own in place of the secret,
   * for themselves.
   */
  readonly persons?: boolean;
  /** True: a token issued for a domain key, which is public, is enough. */
  readonly domainKey?: boolean;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** True where a body may be left out. */
  readonly bodyOptional?: boolean;
  /** Status and shape of the answer that means success; null for an answer that is not JSON. */
  readonly status: number;
  readonly answer: z.ZodType | null;
  /** What else may come, and when. */
  readonly errors: readonly { readonly status: number; readonly when: string }[];
}

/** Every operation with credentials may be refused in these ways. */
export const COMMON_ERRORS: Operation["errors"] = [
  { status: 401, when: "A credential is missing, wrong or expired." },
  { status: 403, when: "The credentials do not belong together, or do not allow this." },
  { status: 413, when: "The body is larger than 10 MB." },
  { status: 422, when: "A field is missing or cannot be read; the message names it." },
  { status: 429, when: "Too many calls; Retry-After says when to come back." },
];
