import { loadMatchingWords } from "../../../src/config/load/matching-words.ts";
import { randomBytes } from "node:crypto";
import { Hono } from "hono";
import { createAccess } from "../../../src/backend/auth/access.ts";
import { credentialsFrom } from "../../../src/backend/auth/credentials.ts";
import { createAuthRoutes } from "../../../src/backend/auth/routes.ts";
import { createTokens } from "../../../src/backend/auth/tokens.ts";
import {
  createKnowledgeBase,
  createMatchers,
} from "../../../src/backend/chatbot/knowledge-base.ts";
import type { KnowledgeBase } from "../../../src/backend/chatbot/knowledge-base.ts";
import type { Content } from "../../../src/backend/content/types.ts";
import type { KnowledgeOptions } from "../../../src/backend/knowledge/call.ts";
import { createKnowledgeRoutes } from "../../../src/backend/knowledge/routes.ts";
import { openForTest } from "../../fixtures/sqlite-files.ts";
import type { BackendDatabase } from "../../../src/backend/storage/tables/database.ts";
import { checkOptions } from "../../../src/api/client-options.ts";
import { createConnection } from "../../../src/api/clients.ts";
import { createKnowledgeClient } from "../../../src/api/knowledge/client.ts";
import type { KnowledgeClient } from "../../../src/api/knowledge/client.ts";
import { KNOWLEDGE_OPERATIONS } from "../../../src/api/knowledge/operations.ts";
import { asking } from "../asking.ts";
import type { Answered } from "../asking.ts";
import { clock, signingKey } from "../client.ts";
import type { Clock, Json } from "../client.ts";
import type { GatewayInFront } from "../through-gateway.ts";
import { contentFrom, english, japanese } from "./shop.ts";

/** Knowledge over a database, as a caller sees it. */
export interface Service {
  readonly database: BackendDatabase;
  readonly client: KnowledgeClient;
  readonly time: Clock;
  /** The number of the engine's searches. */
  readonly searches: () => number;
  /** Puts other contents in force. */
  edit(...files: readonly string[]): void;
  /**
   * One request of the project's own caller. Successful answers are checked against the published
   * shapes.
   */
  ask(method: string, path: string, body?: unknown, headers?: object): Promise<Answered>;
  /** As `ask`, of another project. */
  askOther(method: string, path: string, body?: unknown, headers?: object): Promise<Answered>;
  /** All recorded events, oldest first. */
  events(project?: string): Promise<readonly Json[]>;
}

export interface ServiceOptions extends Partial<KnowledgeOptions> {
  readonly files?: readonly string[];
  readonly wire?: "deployed" | "seed";
  /**
   * A gateway in front of it, over real sockets; without one requests are answered in this process.
   */
  readonly getGateway?: () => GatewayInFront;
}

export async function service(
  address: string | null,
  { files = [english, japanese], wire = "deployed", getGateway, ...more }: ServiceOptions = {},
): Promise<Service> {
  const time = clock();
  const database = await openForTest(address);
  const random = (length: number): Uint8Array => Uint8Array.from(randomBytes(length));
  const tokens = createTokens({ signingKeys: [signingKey], now: time.now, random });
  const credentials = credentialsFrom([
    { apiKey: "key", secret: "secret", project: "shop" },
    { apiKey: "other-key", secret: "secret", project: "bank" },
  ]);
  const access = createAccess({ credentials, tokens, limits: null });
  const content = changing(contentFrom(...files));
  const { base, searches } = counting(basesOf(content));
  const app = new Hono({ strict: false });
  const { now } = time;
  const bodyLimit = 10_485_760;
  const apis = (url: string): Record<string, string> => ({ knowledge: `${url}/knowledge` });
  app.route("/v1", createAuthRoutes({ access, tokens, apis, bodyLimit }));
  app.route(
    "/knowledge",
    createKnowledgeRoutes({
      access,
      database,
      content,
      base,
      words: loadMatchingWords,
      projects: ["shop", "bank"].map((name) => ({
        name,
        language: "en",
        activeDefaultContent: [],
      })),
      now,
      random,
      bodyLimit,
      report: fail,
      ...more,
    }),
  );

  const operations = KNOWLEDGE_OPERATIONS;
  const { origin, request, askAs } = asking({ app, product: "knowledge", operations, getGateway });
  const options = {
    auth: { url: origin, apiKey: "key", secret: "secret" },
    now,
    retries: 0,
    fetch: request,
  };
  checkOptions(options);
  return {
    database,
    client: createKnowledgeClient(createConnection(options).caller, wire),
    time,
    searches,
    edit: (...changed) => content.put(contentFrom(...changed)),
    ask: (...asked) => askAs("key", ...asked),
    askOther: (...asked) => askAs("other-key", ...asked),
    async events(project = "shop") {
      const rows = database.kysely
        .selectFrom("knowledge_events")
        .selectAll()
        .where("project", "=", project)
        .orderBy("id");
      return (await rows.execute()).map((row) => ({ ...row, data: JSON.parse(row.data) }));
    },
  };
}

// Building a matcher is most of a test's time, and most tests have the same contents.
const matchers = createMatchers(loadMatchingWords);

function basesOf(content: ReturnType<typeof changing>): () => KnowledgeBase {
  let base = createKnowledgeBase(content.current(), matchers);
  content.onChange((next) => {
    base = createKnowledgeBase(next, matchers);
  });
  return () => base;
}

function changing(first: Content) {
  let content = first;
  const listeners: ((content: Content) => void)[] = [];
  return {
    current: () => content,
    onChange: (listener: (content: Content) => void) => listeners.push(listener),
    put(next: Content): void {
      content = next;
      for (const listener of listeners) listener(next);
    },
  };
}

/** The engine with a count of its searches. One base stays one object, as for conversations. */
function counting(live: () => KnowledgeBase) {
  const wrapped = new WeakMap<KnowledgeBase, KnowledgeBase>();
  let count = 0;
  const wrap = (base: KnowledgeBase): KnowledgeBase => ({
    ...base,
    index(language, project) {
      const index = base.index(language, project);
      return {
        ...index,
        search(question, audience) {
          count += 1;
          return index.search(question, audience);
        },
        answers(question, audience, least) {
          count += 1;
          return index.answers(question, audience, least);
        },
      };
    },
  });
  return {
    searches: () => count,
    base() {
      const base = live();
      const known = wrapped.get(base) ?? wrap(base);
      wrapped.set(base, known);
      return known;
    },
  };
}

function fail(error: unknown): never {
  throw error;
}
