import type { Hono, MiddlewareHandler } from "hono";

/**
 * Leads chat requests on plain paths to the chat, as a gateway does: its paths are those of other
 * products, and its credentials tell it apart (an `x-hyper-*` header, the query `appId`, or a
 * preflight that asks for such a header).
 */
export function chatDoor(chat: Hono): MiddlewareHandler {
  return async function chatDoorMiddleware(c, next) {
    return paths.test(c.req.path) && speaksChat(c.req.raw) ? chat.fetch(c.req.raw, c.env) : next();
  };
}

function speaksChat({ method, url, headers }: Request): boolean {
  if ([...headers.keys()].some((name) => name.startsWith("x-hyper-"))) return true;
  if (/[?&]appId=/.test(url)) return true;
  const asked = headers.get("access-control-request-headers") ?? "";
  return method === "OPTIONS" && /(?:^|[,\s])x-hyper-/i.test(asked);
}

const paths = /^\/(?:v1|media|settings|surveys)(?:\/|$)/;
