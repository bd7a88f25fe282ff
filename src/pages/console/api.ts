import type { Conflict } from "../../api/console.ts";

/** What the API refused (its HTTP status), or 0 where it could not be reached. */
export class CallError extends Error {
  override readonly name = "CallError";
  readonly status: number;
  readonly conflicts: readonly Conflict[];

  constructor(status: number, message: string, conflicts: readonly Conflict[] = []) {
    super(message);
    this.status = status;
    this.conflicts = conflicts;
  }
}

/** Asks the API beside this page. Answers have the shape of this same release. */
export async function ask<T>(
  token: string,
  path: string,
  json?: unknown,
  method = json === undefined ? "GET" : "POST",
): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`${root()}/api/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(json !== undefined && { "content-type": "application/json" }),
      },
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
      signal: AbortSignal.timeout(30_000),
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
  } catch (error) {
    throw new CallError(0, String(error));
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const body = (await response.json().catch(() => null)) as T & Refusal;
  if (response.ok) return body;
  const message = body?.errors?.[0]?.message ?? String(response.status);
  throw new CallError(response.status, message, body?.conflicts);
}

/** The files that somebody else has changed; none where something else was wrong. */
export function conflictsOf(error: unknown): readonly Conflict[] {
  return error instanceof CallError ? error.conflicts : [];
}

interface Refusal {
  readonly errors?: readonly { readonly message: string }[];
  readonly conflicts?: readonly Conflict[];
}

/** The address that the console stands below. */
function root(): string {
  return location.pathname.replace(/\/console\/?$/, "");
}

/**
 * The token that the address brings along (it is taken out of it at once), or that of before a
 * reload. It is kept in this tab alone.
 */
export function takeToken(): string | null {
  const brought = location.hash.slice(1);
  if (brought === "" || brought.startsWith("/")) return sessionStorage.getItem("console-token");
  history.replaceState(null, "", location.pathname);
  keepToken(decodeURIComponent(brought));
  return decodeURIComponent(brought);
}

export function keepToken(token: string | null): void {
  if (token === null) sessionStorage.removeItem("console-token");
  else sessionStorage.setItem("console-token", token);
}
