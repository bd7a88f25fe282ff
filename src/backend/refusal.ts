/**
 * A reason for which an operation was not done. Thrown inside a transaction, which it undoes, and
 * answered with its status.
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

export function notFound(what: string): Refusal {
  return new Refusal(404, `There is no ${what}.`);
}
