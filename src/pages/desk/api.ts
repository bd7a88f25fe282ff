import { isRecord } from "./state/events.ts";
import { FailedCall, type RefusalFacts } from "../shared/failed-call.ts";

/** The session of the agent who is logged in. */
export interface DeskSession {
  readonly appId: string;
  readonly agent: string;
  readonly token: string;
}

export interface AskOptions {
  readonly body?: unknown;
  readonly form?: FormData;
  /** Calls with the same key take effect once. */
  readonly key?: string;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds until the call fails; 0 for never. Default 20 seconds. */
  readonly timeout?: number;
  /** Called with the part of the body that has been sent, from 0 to 1. */
  readonly progress?: (part: number) => void;
}

/** Calls the chat interface, which is served beside this page. Credentials travel in headers. */
export async function call(
  session: Pick<DeskSession, "appId"> & Partial<DeskSession>,
  method: string,
  path: string,
  options: AskOptions = {},
): Promise<Response> {
  const { body, form, key, timeout = 20_000 } = options;
  const headers = new Headers(options.headers);
  headers.set("x-hyper-appId", session.appId);
  if (session.token !== undefined) headers.set("x-hyper-token", session.token);
  if (key !== undefined) headers.set("idempotency-key", key);
  if (body !== undefined) headers.set("content-type", "application/json");
  const timeouts = timeout === 0 ? [] : [AbortSignal.timeout(timeout)];
  const signals = options.signal === undefined ? timeouts : [...timeouts, options.signal];
  let response: Response;
  try {
    const send = options.progress === undefined ? fetch : createReportingFetch(options.progress);
    response = await send(`${findRoot()}/v1/${path}`, {
      method,
      headers,
      signal: AbortSignal.any(signals),
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(form !== undefined && { body: form }),
    });
  } catch (error) {
    if (options.signal?.aborted === true) throw error;
    throw new FailedCall(0, String(error));
  }
  if (response.ok) return response;
  const { message, ...why } = await readError(response);
  throw new FailedCall(response.status, message, why);
}

/** Creates a `fetch` for forms that reports how much of the body has been sent. */
function createReportingFetch(progress: (part: number) => void) {
  return (address: string, { method = "POST", headers, body, signal }: RequestInit) =>
    new Promise<Response>((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, address);
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
      const once = { once: true };
      request.upload.addEventListener("progress", ({ loaded, total }) =>
        progress(total > 0 ? loaded / total : 0),
      );
      request.addEventListener(
        "load",
        () => resolve(new Response(request.responseText, { status: request.status })),
        once,
      );
      for (const event of ["error", "abort"]) {
        request.addEventListener(event, () => reject(new TypeError(event)), once);
      }
      signal?.addEventListener("abort", () => request.abort());
      request.send(body instanceof FormData ? body : null);
    });
}

/** Returns the JSON of a {@link call}. Page and service come from one release, so they agree on its shape. */
export async function ask<T>(
  session: Pick<DeskSession, "appId"> & Partial<DeskSession>,
  method: string,
  path: string,
  options: AskOptions = {},
): Promise<T> {
  const response = await call(session, method, path, options);
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return (await response.json()) as T;
  } catch (error) {
    throw new FailedCall(0, String(error));
  }
}

/** Returns the path that the desk and the chat interface share: this page's without `/desk`. */
function findRoot(): string {
  return location.pathname.replace(/\/desk\/?$/, "");
}

interface ServiceError extends Pick<RefusalFacts, "reason" | "params"> {
  readonly message: string;
}

/** Reads the service's error. A body that is not an error gives an empty message. */
async function readError(response: Response): Promise<ServiceError> {
  try {
    const body: unknown = await response.json();
    const error = isRecord(body) ? body["error"] : null;
    const [first] = isRecord(body) && Array.isArray(body["errors"]) ? body["errors"] : [error];
    if (!isRecord(first)) return { message: "" };
    const { message, reason, params } = first;
    return {
      message: String(message),
      ...(typeof reason === "string" && { reason }),
      ...(isRecord(params) && { params: paramsOf(params) }),
    };
  } catch {
    return { message: "" };
  }
}

function paramsOf(params: Readonly<Record<string, unknown>>): NonNullable<RefusalFacts["params"]> {
  const known = Object.entries(params).flatMap(([name, value]) =>
    typeof value === "string" || typeof value === "number" ? [[name, value] as const] : [],
  );
  return Object.fromEntries(known);
}
