import type { z } from "zod";
import { type OperationName, type ServiceName, type ApiRoute, routeOf } from "./routes.ts";

/** The credentials that a call needs. */
export type CredentialKind =
  /** The API key alone. */
  | "key"
  /** The API key and an access token issued to it. */
  | "token"
  /** Those of `token`, and the token of a conversation in `x-inbenta-session`. */
  | "session"
  /** A chat app's id. */
  | "app"
  /** A chat app's id and secret. */
  | "app-secret"
  /** A chat agent's own token, beside the app's id. The app's secret is not enough. */
  | "app-token";

/** The description of an operation, without its route. */
export interface OperationRow {
  readonly summary: string;
  /** The shape of a successful answer; null if it is not JSON. */
  readonly answer: z.ZodType | null;
  /** Default: those of the product's table. */
  readonly credentials?: CredentialKind;
  /** True if chat users and agents may call it with their own token instead of the secret. */
  readonly persons?: boolean;
  /** True if the operation accepts a token that was issued for a domain key, which is public. */
  readonly domainKey?: boolean;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** True if the body may be left out. */
  readonly bodyOptional?: boolean;
  /** The operation's own error answers, and their causes. */
  readonly errors?: readonly { readonly status: number; readonly when: string }[];
  /** Errors that other operations of the product can answer too. Default: the table's. */
  readonly commonErrors?: readonly { readonly status: number; readonly when: string }[];
}

/** One operation as data, for the service, the contract tests and the OpenAPI document. */
export type Operation = Pick<ApiRoute, "id" | "method" | "path" | "aliases"> &
  Omit<OperationRow, "commonErrors"> &
  Required<Pick<OperationRow, "credentials" | "errors">>;

export function createRow(
  summary: string,
  answer: OperationRow["answer"],
  more: Omit<OperationRow, "summary" | "answer"> = {},
): OperationRow {
  return { summary, answer, ...more };
}

/**
 * Joins the rows of a product with their routes.
 *
 * @param common values for every row; its errors come before the row's own, unless the row has
 *   `commonErrors`
 */
export function operationsOf<P extends ServiceName>(
  product: P,
  common: Pick<Operation, "credentials" | "errors">,
  rows: Readonly<Record<OperationName<P>, OperationRow>>,
): readonly Operation[] {
  return Object.entries<OperationRow>(rows).map(([name, one]) => {
    const { id, method, path, aliases } = routeOf(product, name);
    const { commonErrors = common.errors, errors = [], ...more } = one;
    return { ...common, ...more, id, method, path, aliases, errors: [...commonErrors, ...errors] };
  });
}

/** The error of a request whose fields cannot be used. */
export const wrongField: Operation["errors"][number] = {
  status: 422,
  when: "A field is missing or has a value that cannot be used. The message names the field.",
};

/** The error of a request whose body is larger than most may be. */
export const bodyTooLarge: Operation["errors"][number] = {
  status: 413,
  when: "The body is larger than 10 MB.",
};

/** The error of a login, whose body is read before its sender is known. */
export const loginTooLarge: Operation["errors"][number] = {
  status: 413,
  when: "The body is larger than 16 KiB.",
};

/** The error of a second request with the same key, but other content. */
export const keyUsed: Operation["errors"][number] = {
  status: 409,
  when: "The Idempotency-Key was used for another request.",
};

/** Errors that every operation with credentials can answer. */
export const COMMON_ERRORS: Operation["errors"] = [
  { status: 401, when: "A credential is missing, wrong or expired." },
  { status: 403, when: "The credentials do not belong together, or do not allow this operation." },
  bodyTooLarge,
  wrongField,
  {
    status: 429,
    when: "The key has made too many calls. `Retry-After` says after how many seconds to call again.",
  },
];
