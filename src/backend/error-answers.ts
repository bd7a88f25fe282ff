/**
 * An error of this backend: `{"errors":[{"code":N,"message":"…"}]}` with the status as its code. Clients tell a failed call
 * by the key `errors` alone, so no error has another shape. `extra` adds members beside it.
 */
export function errorAnswer(
  status: number,
  message: string,
  extra: Readonly<Record<string, string>> = {},
): Response {
  return Response.json(
    { ...extra, errors: [{ code: status, message }] },
    { status, headers: { "cache-control": "no-store" } },
  );
}

/** Missing, wrong or expired credentials. Clients of the authentication service read the top-level `message`. */
export function unauthorized(): Response {
  return errorAnswer(401, "Unauthorized", { message: "Unauthorized" });
}

/** A valid token and a valid key that do not belong together, or do not allow this. */
export function forbidden(message = "Forbidden"): Response {
  return errorAnswer(403, message, { message });
}

/**
 * The pair of code and message on which clients start a new conversation and send their message again. Nothing else may
 * answer 400 on the message route: some clients drop their session on any 400.
 */
export function sessionExpired(): Response {
  return errorAnswer(400, "Session expired");
}

/** A body that can't be read. 422 and not 400, which clients take for an expired session. */
export function unprocessable(message: string): Response {
  return errorAnswer(422, message);
}

/** Over the payload limit of 10 MB. */
export function tooLarge(limit: number): Response {
  return errorAnswer(413, `The body is larger than ${limit} bytes.`);
}
