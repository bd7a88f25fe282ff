// A project that uses the package's types under the strictest options. It is compiled, never run.
import {
  type AccessGrant,
  type ChatbotClient,
  type Clients,
  type ClientsOptions,
  type Config,
  type ConversationAnswer,
  type ConversationSettings,
  type ConversationStore,
  type ConversationTurn,
  createClients,
  createGateway,
  createMemoryStore,
  createRewriter,
  directAnswers,
  type ErrorCode,
  type Flag,
  type FLAGS,
  isCallError,
  LOCALES,
  type Logger,
  type Trace,
} from "afterword";
import {
  type BackendOptions,
  credentialsFrom,
  DEMO_PROJECTS,
  type Project,
} from "afterword/backend";
import { openBackend, type OpenBackendOptions } from "afterword/backend/node";
import { checkConfig, type Diagnostic, loadConfig, type Running, serve } from "afterword/node";
import { rawRequest, type ScriptedAnswer, startScriptedUpstream } from "afterword/testing";

type Ticket = Awaited<ReturnType<Clients["ticketing"]["ticket"]>>;
type NewTicket = Parameters<Clients["ticketing"]["createTicket"]>[0];
type TicketChange = Parameters<Clients["ticketing"]["changeTicket"]>[1];
type NewWebhook = Parameters<Clients["ticketing"]["createWebhook"]>[0];
type Chat = Awaited<ReturnType<Clients["chat"]["chat"]>>;
type NewChat = Parameters<Clients["chat"]["createChat"]>[0];
type NewChatUser = Parameters<Clients["chat"]["createUser"]>[0];
type ChatSettings = Awaited<ReturnType<Clients["chat"]["changeSettings"]>>;
type Content = Awaited<ReturnType<Clients["knowledge"]["content"]>>;
type SearchOutcome = Awaited<ReturnType<Clients["knowledge"]["search"]>>;

/** True when two types are the same to the letter: optional, readonly and undefined included. */
// oxlint-disable typescript/no-unnecessary-type-parameters
type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
// oxlint-enable typescript/no-unnecessary-type-parameters
const same = <A, B>(equal: Same<A, B>): unknown => equal;

same<Pick<Ticket, "status">, { readonly status: 1 | 2 | 3 | 4 | 5 }>(true);
same<Pick<Ticket, "solver">, { readonly solver: number | null }>(true);
same<keyof Ticket, "status">(false);
same<Pick<NewTicket, "title">, { readonly title?: string | undefined }>(true);
same<Pick<NewTicket, "solver">, { readonly solver?: number | string | undefined }>(true);
same<Pick<TicketChange, "queue">, { readonly queue?: number | undefined }>(true);
same<Pick<NewWebhook, "secret">, { readonly secret: string }>(true);
same<Pick<Chat, "inQueue">, { readonly inQueue: 0 | 1 }>(true);
same<Pick<Chat, "room">, { readonly room: number | string }>(true);
same<Pick<NewChat, "lang">, { readonly lang?: string | undefined }>(true);
same<Pick<ChatSettings, "languages">, { readonly languages: readonly string[] }>(true);
same<Pick<Content, "categories">, { readonly categories: readonly number[] }>(true);
same<Pick<SearchOutcome, "searchCode">, { readonly searchCode: string | null }>(true);
same<ConversationAnswer["flags"], readonly string[]>(true);
same<ConversationSettings["lang"], string | undefined>(true);
same<Flag, (typeof FLAGS)[number]>(true);

export async function calls(options: ClientsOptions): Promise<void> {
  const clients = createClients({ ...options, wire: undefined, retries: 0 });
  const chatbot: ChatbotClient = clients.chatbot;
  const turn: ConversationTurn = { message: "Hello" };
  const conversation = await chatbot.start({ lang: "en" });
  const [answer] = await conversation.send(turn);
  // @ts-expect-error: a settings member is left out, not undefined
  await chatbot.start({ lang: undefined });
  // @ts-expect-error: an answer is read, not changed
  if (answer !== undefined) answer.message = "";
  const ticket = await clients.ticketing.createTicket({
    creator: 7,
    message: "Hello",
    title: undefined,
    history: { messages: [{ user: "assistant", message: "Hi" }] },
  });
  // @ts-expect-error: an older service answers less
  const title: string = ticket.ticket.title;
  const user: NewChatUser = { name: "Ada", externalId: undefined };
  const started = await clients.chat.start({ room: 1, user, lang: "en" });
  if (started.started) await clients.chat.send(started.chat.id, { message: title });
  for await (const content of clients.knowledge.contents({ sortBy: "creationDate" })) {
    // @ts-expect-error: lists are readonly
    content.categories.push(1);
  }
  const grant: AccessGrant = await clients.auth.current();
  await clients.ticketing.ticket(grant.accessToken).catch((error: unknown) => {
    const code: ErrorCode | null = isCallError(error) ? error.code : null;
    return code;
  });
}

export async function gateway(file: string, log: Logger): Promise<Running> {
  const config: Config = await loadConfig(file);
  const store: ConversationStore = createMemoryStore(() => Date.now());
  const rewriter = createRewriter({ config });
  const trace: Trace = rewriter.rewrite(new Uint8Array(), { locale: LOCALES[0] }).trace;
  const middleware = directAnswers({ config, locale: () => trace.instance ?? undefined });
  const routeKeys = ["sixteen characters or more"];
  createGateway({ config: { ...config, insights: null }, routeKeys, store, platform: { log } }).use(
    middleware,
  );
  const diagnostics: readonly Diagnostic[] = (await checkConfig(file)).diagnostics;
  return serve({ config, port: diagnostics.length });
}

export async function backend(options: OpenBackendOptions): Promise<void> {
  const projects: readonly Project[] = DEMO_PROJECTS;
  const { app, close } = await openBackend({ ...options, projects });
  const own: BackendOptions["credentials"] = credentialsFrom([]);
  await app.request("/");
  await close();
  if (own === undefined) return;
  const answer: ScriptedAnswer = { status: 200, headers: [], body: "{}" };
  const upstream = await startScriptedUpstream({ handler: () => answer });
  await rawRequest(upstream.port, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
}
