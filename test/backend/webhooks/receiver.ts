import { createServer } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo, LookupFunction } from "node:net";
import { onTestFinished } from "vitest";
import type { Submission, SubmissionOutcome } from "../../../src/backend/forms/types.ts";
import { createWebhookCaller } from "../../../src/backend/webhooks/caller.ts";
import { createWebhookTransport } from "../../../src/backend/webhooks/transport.ts";
import type { WebhookTransportOptions } from "../../../src/backend/webhooks/transport.ts";
import { testCertificates } from "../../runtime/node/certificates.ts";

/** A received call. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly port: number;
  readonly url: string;
  readonly received: readonly Received[];
  /** The opened connections. */
  connections: number;
}

/** A real server on a free port of this machine, ended with the test. */
export async function receiver(
  answer: RequestListener,
  options: { readonly secure?: boolean } = {},
): Promise<Receiver> {
  const received: Received[] = [];
  const take = async (...[request, response]: Parameters<RequestListener>): Promise<void> => {
    const body = await read(request);
    const { method = "", url = "", headers } = request;
    received.push({ method, url, headers, body });
    answer(request, response);
  };
  const listener: RequestListener = (request, response) => void take(request, response);
  const secure = options.secure === true;
  const server: Server = secure
    ? createSecureServer(testCertificates(), listener)
    : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const url = `${secure ? "https" : "http"}://127.0.0.1:${port}/hook`;
  const made: Receiver = { port, url, received, connections: 0 };
  server.on("connection", () => {
    made.connections += 1;
  });
  return made;
}

/** Starts a receiver that answers every call with this JSON. */
export function answering(
  body: unknown,
  options: { readonly secure?: boolean } = {},
): Promise<Receiver> {
  return receiver((_, response) => {
    response.setHeader("content-type", "application/json; charset=utf-8");
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  }, options);
}

export interface Call {
  readonly webhook?: Partial<Submission["webhook"]>;
  readonly submission?: Partial<Submission>;
  readonly allow?: readonly string[];
  readonly transport?: WebhookTransportOptions;
  readonly now?: () => number;
}

/**
 * Submits a form with a separate caller, which may call this machine unless the test says
 * otherwise.
 */
export async function call(url: string, options: Call = {}): Promise<SubmissionOutcome> {
  const caller = createWebhookCaller({
    allow: options.allow ?? ["127.0.0.1"],
    transport: createWebhookTransport(options.transport),
    now: options.now ?? (() => Date.UTC(2026, 10, 21, 12)),
  });
  const submission: Submission = {
    webhook: { url, timeout: 5000, secret: null, headers: {}, ...options.webhook },
    form: "contact",
    content: 7,
    title: "Contact",
    answers: [],
    language: "de",
    values: { email: "anna@müller.example" },
    fields: ["email"],
    attempt: 1,
    begun: 1_800_000_000_000,
    ...options.submission,
  };
  try {
    return await caller.submit(submission, "session-1");
  } finally {
    caller.close();
  }
}

/** A name server that the test controls, and the queries to it. */
export function resolving(...addresses: readonly string[]): LookupFunction & { asked: string[] } {
  const asked: string[] = [];
  const lookup: LookupFunction = (hostname, _, callback) => {
    asked.push(hostname);
    const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    callback(null, found);
  };
  return Object.assign(lookup, { asked });
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
