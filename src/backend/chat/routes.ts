import { Hono, type MiddlewareHandler } from "hono";
import type { Context } from "hono";
import type { Operation } from "../../api/call/operation.ts";
import { isOutage } from "../../errors.ts";
import { CHAT_OPERATIONS } from "../../api/chat/operations.ts";
import { limitHeldBodies } from "../http/middleware.ts";
import { createOperationRoutes, type Handlers, toResponse } from "../http/operation-routes.ts";
import { Refusal, refusalAt } from "../http/refusal.ts";
import { AUTHENTICATION_BODY } from "../http/request-body.ts";
import { callerOf, requireAppLimit, credentialsOf } from "./access.ts";
import { chatRequestOf, readRequestBody } from "./request.ts";
import type { ChatHandler } from "./request.ts";
import { ensureDemo } from "./demo.ts";
import { createDerivations } from "./agents/passwords.ts";
import { createChatError } from "./errors.ts";
import { CHAT_HANDLERS } from "./handlers-chats.ts";
import { createRememberedDigests } from "./ids.ts";
import { MESSAGE_HANDLERS } from "./handlers-messages.ts";
import { PEOPLE_HANDLERS } from "./handlers-people.ts";
import { PROJECT_HANDLERS } from "./handlers-project.ts";
import { TICKET_HANDLERS } from "./handlers-tickets.ts";
import { FIGURE_HANDLERS } from "./figures/handlers.ts";
import { createFeed } from "./events/feed.ts";
import type { ChatFeed } from "./events/feed.ts";
import type { ChatOptions } from "./options.ts";
import { cors } from "hono/cors";

const handlers: Handlers<"chat", ChatHandler> = {
  ...PEOPLE_HANDLERS,
  ...CHAT_HANDLERS,
  ...MESSAGE_HANDLERS,
  ...PROJECT_HANDLERS,
  ...TICKET_HANDLERS,
  ...FIGURE_HANDLERS,
};

/**
 * The live chat (seed.md 7; chat.md) as a complete Hono app. Paths begin with `/v1`; media, settings
 * and surveys are also served without it. The credentials of every operation are checked here by
 * the table `CHAT_OPERATIONS`. Errors are `{"error":{"code":N,"message":"…"}}`.
 *
 * @example
 * const chat = createChatRoutes(options);
 * const headers = { "x-hyper-appId": "demo-app" };
 * await chat.request("/v1/agents/available?roomIds=1", { headers });
 */
export function createChatRoutes(given: ChatOptions): Hono {
  const options = {
    digestOf: createRememberedDigests(),
    derivations: createDerivations(),
    ...given,
    feed: given.feed ?? feedFor(given),
  };
  const routes = new Hono({ strict: false });
  let demo: Promise<void> | null = null;
  const prepareOnce = (): Promise<void> => {
    // A failure is not cached, so the next request tries again.
    demo ??= (options.demo ? ensureDemo(options) : Promise.resolve()).catch((error: unknown) => {
      demo = null;
      throw error;
    });
    return demo;
  };
  routes.use("*", createChatCors());
  routes.use("*", protectAnswers());
  if (options.bodies !== undefined) routes.use("*", limitHeldBodies(options.bodies, options.peer));
  const operations = createOperationRoutes(
    CHAT_OPERATIONS,
    handlers,
    (operation, handler) => async (c) => {
      await prepareOnce();
      return handle(c, operation, handler, options);
    },
  );
  routes.route("/", operations);
  routes.notFound((c) => {
    const { status, message, headers } = refusalAt(routes, c.req.path);
    return createChatError(status, message, headers);
  });
  routes.onError((error) => {
    options.report?.(error);
    return isOutage(error)
      ? createChatError(503, "The service is not available now.", { "retry-after": "1" })
      : createChatError(500, "Internal error");
  });
  return routes;
}

/** Creates a feed for the database of these options. The caller closes it before the database. */
export function feedFor({ database, now, streamEvery, report }: ChatOptions): ChatFeed {
  return createFeed({ database, now, every: streamEvery, report });
}

async function handle(
  c: Context,
  operation: Operation,
  handler: ChatHandler,
  options: ChatOptions,
): Promise<Response> {
  try {
    const caller = await callerOf(c, operation, options);
    await requireAppLimit(options, caller.app);
    const limit = operation.id === "chat.loginAgent" ? AUTHENTICATION_BODY : Number.MAX_VALUE;
    const sent = await readRequestBody(c.req.raw, Math.min(limit, options.bodyLimit));
    const answer = await handler(chatRequestOf(c, caller, sent, options));
    if (operation.method !== "GET" || operation.id === "chat.assign") options.feed?.wake();
    return toResponse(answer);
  } catch (error) {
    if (error instanceof Refusal)
      return createChatError(error.status, error.message, error.headers, error.why);
    throw error;
  }
}

/**
 * Lets pages on other sites sign users up and act with a user's or agent's own token. Secrets do not
 * belong in browsers (seed.md 7.1), so `x-hyper-secret` is not an allowed header, and answers to
 * requests with a secret have no CORS headers.
 */
function createChatCors(): MiddlewareHandler {
  return cors({
    origin: (origin, c) => (credentialsOf(c).secret === null ? origin : null),
    allowMethods: ["GET", "POST", "PUT", "DELETE", "OPTIONS"],
    allowHeaders: [
      "Accept",
      "Content-Type",
      "Idempotency-Key",
      "Last-Event-ID",
      "X-Requested-With",
      "x-hyper-appId",
      "x-hyper-key",
      "x-hyper-token",
      "X-Inbenta-Hyperchat-Client-Lib",
    ],
    maxAge: 600,
  });
}

/** Forbids browsers to guess types, and all caches to store messages or tokens. */
function protectAnswers(): MiddlewareHandler {
  return async function safeAnswersMiddleware(c, next) {
    await next();
    c.res.headers.set("x-content-type-options", "nosniff");
    if (!c.res.headers.has("cache-control")) c.res.headers.set("cache-control", "no-store");
  };
}
