/**
 * As much of Hono as the gateway's app uses, and no more: the bundle has a limit, and the gateway's
 * router only ever sees a dozen fixed names of its own (gateway/gateway.ts, getPath). wrangler.toml
 * puts this module in the place of "hono".
 */
export class Hono {
  readonly #getPath: GetPath;
  readonly #handlers = new Map<string, Handler>();
  #nothing: Handler | null = null;

  constructor(options: { readonly getPath: GetPath }) {
    this.#getPath = options.getPath;
  }

  /** `/name`, or `/part/:name` for all names of a part. */
  all(path: string, handler: Handler): void {
    this.#handlers.set(path, handler);
  }

  notFound(handler: Handler): void {
    this.#nothing = handler;
  }

  readonly fetch = async (request: Request, env?: unknown): Promise<Response> => {
    const path = this.#getPath(request, { env });
    const part = `${path.slice(0, path.lastIndexOf("/"))}/:`;
    const handler =
      this.#handlers.get(path) ??
      this.#handlers.get(`${part}name`) ??
      this.#handlers.get(`${part}reason`);
    const found = handler ?? this.#nothing;
    return found === null
      ? new Response(null, { status: 404 })
      : found({ req: { raw: request }, env });
  };
}

type GetPath = (request: Request, options: { readonly env: unknown }) => string;

/** What a handler of the gateway's looks at. */
interface Context {
  readonly req: { readonly raw: Request };
  readonly env: unknown;
}

type Handler = (c: Context) => Promise<Response>;
