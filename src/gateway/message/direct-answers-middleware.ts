import type { Context, MiddlewareHandler } from "hono";
import type { Config } from "../../config/config.ts";
import { AfterwordError } from "../../errors.ts";
import { createEditedHeaders } from "../upstream/forwarded-headers.ts";
import { codingOf, editGate } from "../upstream/gates.ts";
import type { RewriteContext } from "../rewriter/line-context.ts";
import { createRewriter, instanceByName } from "../rewriter/rewriter.ts";
import { joinChunks } from "../../json/bytes.ts";

/** Reads a value from a request's context; null and undefined leave it to the configuration. */
export type FromContext = (
  c: Context,
) => string | null | undefined | Promise<string | null | undefined>;

/** The optional values are functions of the request's context, or one text for all requests. */
export interface DirectAnswersOptions {
  readonly config: Config;
  /** The reader's language tag. */
  readonly locale?: FromContext | string;
  readonly channel?: FromContext | string;
  /** Name of one of the configuration's instances. */
  readonly instance?: FromContext | string;
}

/**
 * Rewrites the direct answers in the responses of the routes after it, in any Hono app. It changes
 * only JSON with status 200 whose headers allow a change, up to `limits.transformBytes`. All other
 * responses, and doubtful ones, pass unchanged. `{{query}}` has a value if the route read the
 * request's body through `c.req`.
 *
 * @throws AfterwordError `unknown-instance` if `instance` is a text that names no instance of the
 *   configuration. If a function returns an unknown name, the answer stays unchanged.
 *
 * @example
 * app.use("/conversation/message", directAnswers({ config, locale: (c) => c.req.query("lang") }));
 */
// oxlint-disable-next-line names/verb -- a Hono app reads `app.use(directAnswers())`.
export function directAnswers(options: DirectAnswersOptions): MiddlewareHandler {
  const { config, instance } = options;
  if (typeof instance === "string" && instanceByName(config, instance) === null) {
    const names = config.instances.map(({ name }) => name).join(", ");
    const message = `directAnswers: the configuration has no instance "${instance}" (it has: ${names})`;
    throw new AfterwordError("unknown-instance", message);
  }
  const rewriter = createRewriter({ config });
  const limit = config.limits.transformBytes;

  return async function directAnswersMiddleware(c, next) {
    await next();
    const answer = c.res;
    const headers = [...answer.headers].flat();
    if (c.req.method === "HEAD" || answer.body === null || answer.bodyUsed) return;
    if (editGate(answer.status, headers, limit) !== null || codingOf(headers) !== "") return;
    const context = await contextOf(c, options);
    if (context === null) return;

    const { bytes, stream } = await readUpTo(answer.body, limit);
    if (bytes === null) return replace(c, new Response(stream, answer));
    const { body, changed } = rewriter.rewrite(bytes, context);
    const kept = { status: answer.status, statusText: answer.statusText };
    const fields = changed ? toPairs(createEditedHeaders(headers, body.length)) : answer.headers;
    // A copy, because a Uint8Array over shared memory cannot be a body.
    replace(c, new Response(new Uint8Array(body), { ...kept, headers: new Headers(fields) }));
  };
}

// Hono copies the old answer's headers to a new one, content-length too, unless it is unset.
function replace(c: Context, answer: Response): void {
  c.res = undefined;
  c.res = answer;
}

/** Null if a function of the app fails; the answer then stays unchanged. */
async function contextOf(
  c: Context,
  options: DirectAnswersOptions,
): Promise<RewriteContext | null> {
  try {
    return {
      locale: await readOption(options.locale, c),
      channel: await readOption(options.channel, c),
      instance: await readOption(options.instance, c),
      session: c.req.header("x-inbenta-session"),
      env: c.req.header("x-inbenta-env"),
      userType: c.req.header("x-inbenta-user-type"),
      source: c.req.header("x-inbenta-source"),
      acceptLanguage: c.req.header("accept-language"),
      request: await requestOf(c),
    };
  } catch {
    return null;
  }
}

function readOption(option: FromContext | string | undefined, c: Context): ReturnType<FromContext> {
  return typeof option === "function" ? option(c) : option;
}

// Uses only a body that the route has read, because reading now could wait for a slow client.
async function requestOf(c: Context): Promise<Uint8Array | null> {
  if (Object.keys(c.req.bodyCache).length === 0) return null;
  try {
    return new Uint8Array(await c.req.arrayBuffer());
  } catch {
    return null;
  }
}

function toPairs(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, i) => [raw[2 * i] ?? "", raw[2 * i + 1] ?? ""]);
}

/** Reads at most `limit` bytes. Of a longer or broken body it returns a stream of everything. */
async function readUpTo(body: ReadableStream<Uint8Array>, limit: number): Promise<ReadBody> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { bytes: joinChunks(chunks, length), stream: null };
      chunks.push(value);
      length += value.length;
      if (length > limit) return { bytes: null, stream: resume(chunks, reader) };
    }
  } catch (failure) {
    return { bytes: null, stream: resume(chunks, createFailedReader(failure)) };
  }
}

type ReadBody =
  | { readonly bytes: Uint8Array; readonly stream: null }
  | { readonly bytes: null; readonly stream: ReadableStream<Uint8Array> };

type Reader = Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel">;

function resume(chunks: readonly Uint8Array[], reader: Reader): ReadableStream<Uint8Array> {
  const waiting = [...chunks];
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = waiting.shift();
      if (chunk !== undefined) return controller.enqueue(chunk);
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function createFailedReader(failure: unknown): Reader {
  return { read: () => Promise.reject(failure), cancel: () => Promise.resolve() };
}
