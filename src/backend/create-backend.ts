import {
  createRecognition,
  type Recognition,
  type WordsByLanguage,
} from "../locales/recognition.ts";
import { type Context, Hono } from "hono";
import { createAccess } from "./auth/access.ts";
import { DEFAULT_HELD_BYTES } from "../config/schema/values.ts";
import { createByteBudget } from "../http/shares.ts";
import { createAuthRoutes } from "./auth/routes.ts";
import { createTokens } from "./auth/tokens.ts";
import { createChatRoutes } from "./chat/routes.ts";
import type { ChatOptions } from "./chat/options.ts";
import { createConversationHandlers } from "./chatbot/handlers-conversation.ts";
import { type AskedQuestions, createAskedQuestions } from "./chatbot/asked-questions.ts";
import { createLiveBase } from "./chatbot/live-base.ts";
import { openSessions } from "./chatbot/open-sessions.ts";
import type { ChatbotOptions } from "./chatbot/options.ts";
import { createFormFiling } from "./chatbot/file-forms.ts";
import { createReportingSubmit } from "./chatbot/reporting-submit.ts";
import { createTrackingHandlers } from "./chatbot/handlers-tracking.ts";
import { createVariableHandlers } from "./chatbot/handlers-variables.ts";
import { CHATBOT_OPERATIONS } from "../api/chatbot/operations.ts";
import { createApiRoutes } from "./auth/handling.ts";
import type { Product } from "../api/call/routes.ts";
import type { BackendOptions } from "./options.ts";
import { createRateLimits, createMemoryCounters } from "./auth/rate-limits.ts";
import { createDeskRoutes } from "./pages/desk-page.ts";
import {
  limitHeldBodies,
  routeToChat,
  limitLength,
  allowWidgetOrigins,
} from "./http/middleware.ts";
import { DEMO_DOMAIN_KEY } from "./auth/credentials.ts";
import { createDocsRoutes } from "./docs/routes.ts";
import { createKnowledgeRoutes } from "./knowledge/routes.ts";
import { findPageIgnoringCase, type PageName } from "../pages/header.ts";
import { createPageRoutes } from "./pages/chat-page.ts";
import { createMailRoutes } from "./mail/routes.ts";
import { isOutage } from "../errors.ts";
import { Refusal, createErrorAnswer, createRefusalAnswer, refusalAt } from "./http/refusal.ts";
import { createChatbotSurveyHandlers, createTicketingRoutes } from "./ticketing/routes.ts";

// The chat has an address of its own, and for gateways also `/chat`, which discovery names.
const products: readonly Product[] = ["chatbot", "knowledge", "ticketing", "chat"];
// The paths that pages of other origins may call. They must not read the chat page's configuration.
const apiPaths = [
  "v1",
  "auth",
  "chatbot",
  "knowledge",
  "ticketing",
  "conversation",
  "tracking",
  "app",
].map((path) => `/${path}/*`);
const tenMegabytes = 10_485_760;
/** The words on buttons, and those that leave a form, for backends without files. */
const PLAIN_WORDS: WordsByLanguage = {
  en: {
    yes: "yes\n",
    no: "no\n",
    cancel: "cancel\n",
    person: { person: "", ask: "", alone: "", before: "", after: "" },
  },
};

/**
 * Creates a conversation engine with its authentication service, as one Hono app for any platform.
 * Every path answers with and without a trailing slash, in two places:
 *
 * - at the root, for clients: `/v1/auth`, `/v1/refreshToken`, `/v1/apis`, `/v1/conversation…`,
 *   `/conversation…`, `/chatbot/v1/…`, the chat page at `/`, and the agents' desk at `/desk`;
 * - under the name of its product, for a gateway in the same process, which requests
 *   `http://embedded/<product><path>`: `/auth/v1/auth`, `/chatbot/v1/conversation/message`, `/page/`.
 *
 * Throws `argument-invalid` for unusable signing keys. A failed request is answered in the shape of
 * its product (`errorBodyOf`).
 *
 * @example
 * const app = createBackend(options);
 * const body = '{"secret":"…"}';
 * const answer = await app.request("/v1/auth", { method: "POST", headers, body });
 */
export function createBackend(options: BackendOptions): Hono {
  return createBackendAndChat(options).app;
}

/** Creates the app of {@link createBackend}, and a second one with only the live chat. */
export function createBackendAndChat(options: BackendOptions): {
  readonly app: Hono;
  readonly chat: Hono;
  readonly questions: AskedQuestions;
} {
  const {
    content,
    credentials,
    projects,
    storage,
    now,
    random,
    bodyLimit = tenMegabytes,
  } = options;
  const tokens = createTokens({ signingKeys: options.signingKeys, now, random });
  const limits =
    options.limits === undefined
      ? createRateLimits({ counters: createMemoryCounters(), now })
      : options.limits;
  const access = createAccess({ credentials, tokens, limits });
  const plain = createRecognition(PLAIN_WORDS);
  const { recognition = () => plain, words = () => null } = options;
  const base = createLiveBase(content, words, options.report ?? (() => undefined));
  const sessions = openSessions(storage.sessions, now);
  const { database } = storage;
  const { wire = "deployed", hooks = null, peer, refusedCredential } = options;
  const shared = { access, database, now, random, bodyLimit };
  const ticketing = { ...shared, ...options.ticketing, wire, hooks };
  const chatbot: ChatbotOptions = {
    base,
    recognition,
    projects,
    storage,
    sessions,
    now,
    random,
    submit: createReportingSubmit(options.submit, options.webhookFailed),
    fileForm: createFormFiling(ticketing, storage, options.report),
  };
  const bases = options.bases ?? ((product, url) => `${new URL(url).origin}/${product}`);
  const apis = (url: string): Readonly<Record<string, string>> =>
    Object.fromEntries(products.map((product) => [product, bases(product, url)]));

  const app = new Hono({ strict: false });
  const chatAlone = new Hono({ strict: false });
  const { inFlight } = options;
  if (inFlight !== undefined) for (const one of [app, chatAlone]) one.use(inFlight.middleware);
  const bodies = options.bodies ?? createByteBudget(() => DEFAULT_HELD_BYTES);
  app.use(limitHeldBodies(bodies, options.peer));
  const chat = createChat(options, { limits, bodies, bodyLimit });
  app.use(routeToChat(chat));
  app.mount("/chat", chat.fetch);
  chatAlone.all("*", (c) => chat.fetch(c.req.raw, c.env));
  const forWidgets = allowWidgetOrigins();
  for (const path of apiPaths) app.use(path, forWidgets);
  app.use(limitLength(bodyLimit));

  const refusedSecret = (c: Context): void =>
    refusedCredential?.({ kind: "api-secret", address: peer?.(c) ?? "" });
  const auth = createAuthRoutes({ access, tokens, apis, bodyLimit, refusedSecret });
  for (const prefix of ["/v1", "/auth/v1"]) app.route(prefix, auth);
  const conversations = createApiRoutes<"chatbot">(shared, CHATBOT_OPERATIONS, {
    ...createConversationHandlers(chatbot),
    ...createVariableHandlers(chatbot),
    ...createTrackingHandlers(chatbot),
    ...createChatbotSurveyHandlers(ticketing),
  });
  for (const prefix of ["/", "/chatbot"]) app.route(prefix, conversations);
  const { hook } = options.mailing ?? {};
  if (hook !== undefined) app.route("/ticketing/v1", createMailRoutes(hook, bodyLimit));
  app.route("/ticketing", createTicketingRoutes(ticketing));
  const searched = { ...options, ...options.knowledge, ...shared, base, words };
  app.route("/knowledge", createKnowledgeRoutes(searched));
  mountPages(app, options, base().languages, recognition().polarLabels);
  answerFaults(app, options.report);
  const questions = createAskedQuestions({ base, projects, sessions: storage.sessions, now });
  return { app, chat: chatAlone, questions };
}

/** The live chat, for an address of its own or below `/chat`. */
function createChat(
  options: BackendOptions,
  shared: Pick<ChatOptions, "limits" | "bodies" | "bodyLimit">,
): Hono {
  const { wire = "deployed", hooks = null, demo = false, chatFeed, chatSecret } = options;
  const { database } = options.storage;
  const own = { database, wire, hooks, demo, feed: chatFeed, processSecret: chatSecret };
  // `options` may have a member `mail` too, which is not the chat's.
  const mail = options.ticketing?.mail;
  return createChatRoutes({ ...options, ...options.ticketing, ...shared, ...own, mail });
}

/** The pages that browsers open, and the interfaces' reference. */
function mountPages(
  app: Hono,
  options: BackendOptions,
  languages: readonly string[],
  polarLabels: Recognition["polarLabels"],
): void {
  const { demo = false } = options;
  const hasChatPage = options.page !== undefined && options.pageWords !== undefined;
  const pages = (): readonly PageName[] => [
    ...(hasChatPage ? (["chat"] as const) : []),
    ...(options.console?.() === true ? (["console"] as const) : []),
    ...(options.desk === undefined ? [] : (["desk"] as const)),
    "docs",
  ];
  const docs = createDocsRoutes({
    version: options.version ?? "",
    products,
    pages,
    demo: demo ? DEMO_DOMAIN_KEY : "",
    parts: options.docs,
    base: options.address,
  });
  for (const prefix of ["/", "/page"]) app.route(prefix, docs);
  if (options.page !== undefined && options.pageWords !== undefined) {
    const page = createPageRoutes({
      files: options.page,
      demo,
      languages,
      polarLabels: polarLabels(),
      words: options.pageWords,
      pages,
    });
    for (const prefix of ["/", "/page"]) app.route(prefix, page);
  }

  if (options.desk !== undefined) {
    const desk = createDeskRoutes({ files: options.desk, demo, pages });
    for (const prefix of ["/", "/page"]) app.route(prefix, desk);
  }
}

/** Answers requests that no route matches, and failures in routes. */
function answerFaults(app: Hono, report: BackendOptions["report"]): void {
  app.notFound((c) => {
    const page = findPageIgnoringCase(c.req.path, c.req.header("accept") ?? null);
    if (page !== null && c.req.method === "GET") return c.redirect(page);
    return createRefusalAnswer(c.req.path, refusalAt(app, c.req.path));
  });
  app.onError((error, { req }) => {
    if (error instanceof Refusal) return createRefusalAnswer(req.path, error);
    const given = req.header("x-request-id") ?? "";
    const requestId = /^[\w.:-]{1,128}$/.test(given) ? given : null;
    report?.(error, { method: req.method, path: req.path, requestId });
    // The database cannot be reached now, so the same request may succeed in a moment.
    if (isOutage(error)) {
      const answer = createErrorAnswer(req.path, 503, "The service is not available now.");
      answer.headers.set("retry-after", "1");
      return answer;
    }
    return createErrorAnswer(req.path, 500, "Internal error");
  });
}
