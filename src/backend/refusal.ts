/**
 * A reason for which an operation was not done. Thrown inside a transaction, which it undoes, and answered with its status:
 * clients of case management and knowledge read `errors`, `error` or the top-level `message`, so the answer has all three.
 */
export class Refusal extends Error {
  readonly status: number;
  readonly extra: Readonly<Record<string, unknown>>;

  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    message: string,
    extra: Readonly<Record<string, unknown>> = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = status;
    this.extra = extra;
    this.headers = headers;
  }
}

/** `{"error":…,"errors":[…],"message":…}` with the status as its code. */
export function refusalAnswer({ status, message, extra, headers }: Refusal): Response {
  const error = { code: status, message };
  return Response.json(
    { ...extra, message, error, errors: [error] },
    { status, headers: { "cache-control": "no-store", ...headers } },
  );
}

export function notFound(what: string): Refusal {
  return new Refusal(404, `There is no ${what}.`);
}
