import { AUTH_OPERATIONS } from "../../../src/api/auth/schema.ts";
import { KNOWLEDGE_OPERATIONS } from "../../../src/api/knowledge/operations.ts";
import type { Operation } from "../../../src/api/call/operation.ts";
import { TICKETING_OPERATIONS } from "../../../src/api/ticketing/operations.ts";

/** One spelling of one operation, with a request that succeeds. */
export interface Call {
  readonly operation: Operation;
  readonly product: "auth" | "knowledge" | "ticketing";
  /** After the product's base address, with `{names}`. */
  readonly path: string;
  readonly query: string;
  readonly body: object | undefined;
}

const png = "iVBORw0KGgphIHBpY3R1cmU=";
const bodies: Readonly<Record<string, object>> = {
  "auth.authorize": { secret: "secret" },
  "ticketing.createUser": { name: "Ana", address: "ana@example.test" },
  "ticketing.changeUser": { name: "Ana" },
  "ticketing.createTicket": { message: "x", creator: 1 },
  "ticketing.changeTicket": { title: "x" },
  "ticketing.createReply": { message: "x", creator: 1 },
  "ticketing.createSubticket": { message: "x", creator: 1 },
  "ticketing.upload": { name: "a.png", content: png },
  "ticketing.createQueue": { name: "x" },
  "ticketing.setWorkTimetable": { weeks: [] },
  "ticketing.createSurvey": { name: "x", pages: [] },
  "ticketing.startSurvey": { sourceType: "ticket", sourceId: "1" },
  "ticketing.submitSurvey": { token: "x" },
  "ticketing.createWebhook": { item: "ticket", url: "https://hook.example/in", secret: "s" },
  "ticketing.changeWebhook": { item: "ticket", url: "https://hook.example/in", secret: "s" },
  "knowledge.setSessionUser": { data: {} },
  "knowledge.track": { type: "custom" },
  "knowledge.search": { query: "order" },
  "knowledge.generateAnswer": { query: "order" },
  "knowledge.detectLanguage": { query: "where is it" },
};
const queries: Readonly<Record<string, string>> = {
  "ticketing.publicUser": "?address=a@example.test",
  "knowledge.contentsByIds": "?ids=1",
  "knowledge.detectLanguageOf": "?query=where",
};

/** Every spelling of every operation that needs a key, and of those that need a token too. */
export const CALLS: readonly Call[] = (
  [
    ["auth", AUTH_OPERATIONS],
    ["knowledge", KNOWLEDGE_OPERATIONS],
    ["ticketing", TICKETING_OPERATIONS],
  ] as const
).flatMap(([product, operations]) =>
  operations.flatMap((operation) =>
    [operation.path, ...(operation.aliases ?? [])].map((path) => ({
      operation,
      product,
      path,
      query: queries[operation.id] ?? "",
      body: operation.method === "GET" ? undefined : (bodies[operation.id] ?? {}),
    })),
  ),
);
