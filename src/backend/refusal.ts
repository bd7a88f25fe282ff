/**
 * A reason for which an operation was not done. Thrown inside a transaction, which it undoes, and answered with its status:
 * clients of case management and knowledge read `errors`, `error` or the top-level `message`, so the answer has all three.
 */
export class Refusal extends Error {
  readonly status: number;
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(status: number, message: string, extra: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.status = status;
    this.extra = extra;
  }
}

/** `{"error":…,"errors":[…],"message":…}` with the status as its code. */
export function refusalAnswer({ status, message, extra }: Refusal): Response {
  const error = { code: status, message };
  return Response.json(
    { ...extra, message, error, errors: [error] },
    { status, headers: { "cache-control": "no-store" } },
  );
}

export function notFound(what: string): Refusal {
  return new Refusal(404, `There is no ${what}.`);
}
