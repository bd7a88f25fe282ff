import { expect } from "vitest";
import { createAccess } from "../../../src/backend/auth/access.ts";
import { credentialsFrom } from "../../../src/backend/auth/credentials.ts";
import { createAuthRoutes } from "../../../src/backend/auth/routes.ts";
import { createTokens } from "../../../src/backend/auth/tokens.ts";
import { openForTest } from "../../fixtures/sqlite-files.ts";
import type { BackendDatabase } from "../../../src/backend/storage/tables/database.ts";
import { ticketOutbox } from "../../../src/backend/ticketing/outbox.ts";
import { deliverEvents } from "../../../src/backend/webhooks/deliveries.ts";
import type { HookAnswer, HookRequest } from "../../../src/backend/webhooks/hook-transport.ts";
import type { MailConfig } from "../../../src/config/config.ts";
import { takeMail, type MailOutcome } from "../../../src/backend/mail/take-mail.ts";
import { createMailRoutes } from "../../../src/backend/mail/routes.ts";
import type { WritingOptions } from "../../../src/backend/ticketing/context.ts";
import { sweepMedia } from "../../../src/backend/ticketing/media.ts";
import { createTicketingRoutes } from "../../../src/backend/ticketing/routes.ts";
import { createClients } from "../../../src/api/clients.ts";
import type { Clients } from "../../../src/api/clients.ts";
import { TICKETING_OPERATIONS } from "../../../src/api/ticketing/operations.ts";
import { Hono } from "hono";
import { randomBytes } from "node:crypto";
import { asking } from "../asking.ts";
import type { Answered } from "../asking.ts";
import { clock, signingKey } from "../client.ts";
import type { GatewayInFront } from "../through-gateway.ts";
import type { Clock, Json } from "../client.ts";

/** Case management over a database, as a caller sees it. */
export interface Service {
  readonly database: BackendDatabase;
  /** Writes to its tickets from elsewhere, such as by e-mail. */
  readonly writing: WritingOptions;
  readonly app: Hono;
  readonly clients: Clients;
  readonly time: Clock;
  /** Calls to registered addresses, and the answers to them. */
  readonly hooks: { readonly calls: HookRequest[]; answer: (call: HookRequest) => HookAnswer };
  /**
   * One request of the project's own caller. Successful answers are checked against the published
   * shapes.
   */
  ask(method: string, path: string, body?: unknown, headers?: object): Promise<Answered>;
  /** As `ask`, of another project. */
  askOther(method: string, path: string, body?: unknown): Promise<Answered>;
  sweep(): Promise<void>;
  deliver(): Promise<void>;
  /** A new user's number. */
  user(name?: string): Promise<number>;
  /** A new ticket. */
  ticket(more?: object): Promise<Json>;
}

export interface ServiceOptions {
  readonly wire?: "deployed" | "seed";
  readonly mediaTypes?: readonly string[];
  readonly mail?: MailConfig;
  /**
   * A gateway in front of it, over real sockets; without one requests are answered in this process.
   */
  readonly getGateway?: () => GatewayInFront;
}

export async function service(
  address: string | null,
  { wire = "deployed", mediaTypes, mail, getGateway }: ServiceOptions = {},
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
  const hooks: Service["hooks"] = {
    calls: [],
    answer: ({ headers }) => ({
      ok: true,
      status: 200,
      text: headers["x-inbenta-challenge"] ?? "",
    }),
  };
  const { now } = time;
  const bodyLimit = 10_485_760;
  const app = new Hono({ strict: false });
  const apis = (url: string): Record<string, string> => ({ ticketing: `${url}/ticketing` });
  app.route("/v1", createAuthRoutes({ access, tokens, apis, bodyLimit }));
  const call = (request: HookRequest): Promise<HookAnswer> => {
    hooks.calls.push(request);
    return Promise.resolve(hooks.answer(request));
  };
  const options = { access, database, now, random, bodyLimit, wire, hooks: call };
  const given = { ...(mediaTypes && { mediaTypes }), ...(mail && { mail }) };
  const writing = { ...options, ...given };
  if (mail?.inbound?.kind === "webhook") {
    const { secret } = mail.inbound;
    const take = (source: Uint8Array): Promise<MailOutcome> => takeMail(writing, source);
    app.route("/ticketing/v1", createMailRoutes({ secret, take }, bodyLimit));
  }
  app.route("/ticketing", createTicketingRoutes(writing));

  const operations = TICKETING_OPERATIONS;
  const { origin, request, askAs } = asking({ app, product: "ticketing", operations, getGateway });
  const ask: Service["ask"] = (...asked) => askAs("key", ...asked);
  const user: Service["user"] = async (name = "Ana") => {
    const address = `${name.toLowerCase()}-${randomBytes(6).toString("hex")}@example.test`;
    const { body } = await ask("POST", "/users", { name, address });
    return body.uuid;
  };
  return {
    database,
    writing,
    app,
    time,
    hooks,
    ask,
    askOther: (...asked) => askAs("other-key", ...asked),
    sweep: () => sweepMedia(database, time.now()),
    deliver: () => deliverEvents(ticketOutbox, { database, hooks: call, now }),
    user,
    async ticket(more = {}) {
      const { body, status } = await ask("POST", "/tickets", {
        message: "Where is my order?",
        creator: await user(),
        ...more,
      });
      expect([status, body.message]).toEqual([200, body.message]);
      return body;
    },
    clients: createClients({
      auth: { url: origin, apiKey: "key", secret: "secret" },
      wire,
      now,
      retries: 0,
      fetch: request,
    }),
  };
}

export const png: string = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  Buffer.from("a picture"),
]).toString("base64");

export const hour = 3600;
