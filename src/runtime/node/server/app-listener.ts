import { getRequestListener } from "@hono/node-server";
import type { IncomingMessage, ServerResponse } from "node:http";
import { EXPIRATION } from "../../../http/field-case.ts";
import { createListener, type Listener, type ListenerOptions } from "./listener.ts";

/** The values of `c.env` in a handler. */
export interface NodeBindings {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** A Hono app, or anything shaped like it. */
export interface NodeApp {
  fetch(request: Request, env: NodeBindings): Response | Promise<Response>;
}

/**
 * A listener for a Hono app, by @hono/node-server. An error that the app throws becomes an empty
 * 500.
 */
export function createAppListener(app: NodeApp, options: ListenerOptions = {}): Listener {
  const { onError } = options;
  const fetchApp = async (request: Request, env: object): Promise<Response> => {
    if (!isBindings(env)) throw new Error("not called by a Node server");
    const answer = await app.fetch(request, env);
    // The rest of a body that is too large would have to be read before the next request.
    if (answer.status === 413) answer.headers.set("Connection", "close");
    return keepCase(answer, env);
  };
  const serve = getRequestListener(fetchApp, {
    overrideGlobalObjects: false,
    // The listener reads the rest of a body, and can close a connection before its end.
    autoCleanupIncoming: false,
    errorHandler(error) {
      onError?.(error);
      return new Response(null, { status: 500 });
    },
  });
  return createListener((incoming, outgoing) => {
    prepareTarget(incoming);
    serve(incoming, outgoing).catch((error: unknown) => {
      onError?.(error);
      outgoing.destroy();
    });
  }, options);
}

/** Hands a field that clients look up by its letter case to Node, which keeps the case. */
function keepCase(response: Response, { outgoing }: NodeBindings): Response {
  const value = response.headers.get(EXPIRATION);
  if (value !== null) {
    response.headers.delete(EXPIRATION);
    outgoing.setHeader(EXPIRATION, value);
  }
  return response;
}

function isBindings(env: object): env is NodeBindings {
  return "incoming" in env && "outgoing" in env;
}

/**
 * @hono/node-server answers a bare 400 to a target or a Host that it cannot make a URL of, before
 * any of our code runs. But HTTP permits `OPTIONS *`, absolute-form, a Host that is no name of the
 * DNS, and much in a path. So it gets a harmless URL to build its Request from.
 */
function prepareTarget(incoming: IncomingMessage): void {
  incoming.url = toHarmlessTarget(incoming.url ?? "");
  const { host } = incoming.headers;
  // Only the parsed view is replaced: rawHeaders keeps what was sent.
  if (host === undefined || !isHarmlessHost(host)) incoming.headers.host = "localhost";
}

function toHarmlessTarget(raw: string): string {
  if (raw.startsWith("/") && !raw.includes("\\")) return raw;
  const path = raw.startsWith("/") ? raw : pathOfAbsoluteForm(raw);
  return path.replaceAll("\\", "%5C");
}

function pathOfAbsoluteForm(raw: string): string {
  const authority = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(raw);
  if (authority === null) return "/";
  const path = raw.slice(authority[0].length);
  return path.startsWith("/") ? path : `/${path}`;
}

// A server has few names, so the verdict on the last one is nearly always right for the next.
let lastHost = "localhost";
let lastVerdict = true;

function isHarmlessHost(host: string): boolean {
  if (host !== lastHost) {
    lastVerdict = judgeHost(host);
    lastHost = host;
  }
  return lastVerdict;
}

function judgeHost(host: string): boolean {
  if (!URL.canParse(`http://${host}/`)) return false;
  const { hostname, username, password, pathname, search, hash } = new URL(`http://${host}/`);
  const bare = host.replace(/:\d+$/, "").toLowerCase();
  return hostname === bare && `${username}${password}${search}${hash}` === "" && pathname === "/";
}
