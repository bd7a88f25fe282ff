import type { HttpCall } from "./http-call.ts";

const redirects = new Set([301, 302, 303, 307, 308]);
const most = 3;

/**
 * Fetches, and follows redirects of a GET within its own origin only: anywhere else the credentials
 * in the headers would go to somebody who was never meant to have them. A knowledge service
 * redirects from a former slug. Any other redirect is handed back as it is.
 */
export async function followed(
  call: HttpCall,
  signal: AbortSignal,
  fetch: (url: string, init: RequestInit) => Promise<Response>,
): Promise<Response> {
  let { url } = call;
  for (let hop = 0; ; hop += 1) {
    const { method, headers } = call;
    const body = typeof call.body === "function" ? call.body() : call.body;
    const streamed = body instanceof ReadableStream ? { duplex: "half" } : {};
    const response = await fetch(url, {
      method,
      headers,
      signal,
      redirect: "manual",
      ...(body !== undefined && { body }),
      ...streamed,
    });
    const next = method === "GET" && hop < most ? target(response, url) : null;
    if (next === null) return response;
    await response.body?.cancel();
    url = next;
  }
}

function target(response: Response, from: string): string | null {
  const location = response.headers.get("location");
  if (!redirects.has(response.status) || location === null) return null;
  const to = URL.parse(location, from);
  return to !== null && to.origin === new URL(from).origin ? to.href : null;
}
