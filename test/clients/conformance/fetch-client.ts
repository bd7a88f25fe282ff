import type { Asked, Client, ClientAnswer } from "./exchange.ts";

/** A client over `fetch`, where there are no sockets. */
export function createFetchClient(
  origin: string,
  fetch: (request: Request) => Promise<Response>,
): Client {
  return {
    async ask(asked) {
      const response = await fetch(requestOf(origin, asked));
      const { body, complete } = await read(response);
      return {
        status: response.status,
        reason: response.statusText,
        headers: fieldsOf(response.headers),
        body,
        complete,
      };
    },
    async open(asked) {
      const leaving = new AbortController();
      const response = await fetch(requestOf(origin, asked, leaving.signal));
      const reader = response.body?.getReader();
      const decoder = new TextDecoder();
      let seen = "";
      return {
        async until(text) {
          while (!seen.includes(text)) {
            const next = await reader?.read();
            if (next === undefined || next.done) throw new Error(`never received: ${text}`);
            seen += decoder.decode(next.value, { stream: true });
          }
        },
        leave() {
          void reader?.cancel();
          leaving.abort();
        },
      };
    },
  };
}

function requestOf(origin: string, asked: Asked, signal?: AbortSignal): Request {
  const headers = new Headers();
  const given = asked.headers ?? [];
  for (let i = 0; i < given.length; i += 2) headers.append(given[i] ?? "", given[i + 1] ?? "");
  const { body } = asked;
  const whole = typeof body === "string" || body instanceof Uint8Array;
  return new Request(origin + asked.target, {
    method: asked.method ?? "GET",
    headers,
    redirect: "manual",
    ...(body === undefined
      ? {}
      : { body: whole ? new Uint8Array(Buffer.from(body)) : streamOf(body), duplex: "half" }),
    ...(signal && { signal }),
  });
}

function streamOf(pieces: readonly string[] | AsyncIterable<string>): ReadableStream<Uint8Array> {
  const left = all(pieces);
  return new ReadableStream({
    async pull(controller) {
      const next = await left.next();
      if (next.done === true) controller.close();
      else controller.enqueue(new TextEncoder().encode(next.value));
    },
  });
}

async function* all(pieces: readonly string[] | AsyncIterable<string>): AsyncGenerator<string> {
  yield* pieces;
}

async function read(response: Response): Promise<Pick<ClientAnswer, "body" | "complete">> {
  const chunks: Uint8Array[] = [];
  const reader = response.body?.getReader();
  try {
    for (;;) {
      const next = await reader?.read();
      if (next === undefined || next.done) return { body: Buffer.concat(chunks), complete: true };
      chunks.push(next.value);
    }
  } catch {
    return { body: Buffer.concat(chunks), complete: false };
  }
}

function fieldsOf(headers: Headers): string[] {
  const cookies = headers.getSetCookie().flatMap((cookie) => ["set-cookie", cookie]);
  return [...[...headers].filter(([name]) => name !== "set-cookie").flat(), ...cookies];
}
