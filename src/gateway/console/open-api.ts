import type { Operation } from "./operation.ts";

/** The OpenAPI 3.1 document of the gateway's own routes: the console's API, and the others. */
export function openApiOf(operations: readonly Operation[], version: string): unknown {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    paths[`/_afterword/api/${operation.path}`] ??= {};
    Object.assign(paths[`/_afterword/api/${operation.path}`] ?? {}, {
      [operation.method]: entryOf(operation),
    });
  }
  for (const route of OWN_ROUTES) {
    paths[route.path] ??= {};
    Object.assign(paths[route.path] ?? {}, { [route.method]: ownEntry(route) });
  }
  return {
    openapi: "3.1.0",
    info: { title: "Afterword's own routes", version },
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      responses: {
        refused: {
          description: "`{errors: [{code, message}]}` says why, and what to do.",
          content: { "application/json": { schema: { type: "object" } } },
        },
      },
    },
  };
}

/** What is no text in a body. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ["variables", "object"],
  ["files", "object"],
  ["draft", "boolean"],
  ["epoch", "integer"],
  ["warnings", "boolean"],
]);

function entryOf({ method, path, needs, summary, query = {}, body = {} }: Operation): unknown {
  const segments = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const text = { type: "string" };
  const properties = Object.entries(body).map(([name, description]) => [
    name,
    { type: TYPES.get(name) ?? "string", description },
  ]);
  return {
    operationId: `${method}-${path.replaceAll(/[{}]/g, "").replaceAll("/", "-")}`,
    summary,
    description: `Needs the role \`${needs}\`.`,
    parameters: [
      ...segments.map((name) => ({ name, in: "path", required: true, schema: text })),
      ...Object.entries(query).map(([name, description]) => ({
        name,
        in: "query",
        description,
        schema: text,
      })),
    ],
    ...(properties.length > 0 && {
      requestBody: {
        content: {
          "application/json": {
            schema: { type: "object", properties: Object.fromEntries(properties) },
          },
        },
      },
    }),
    responses: {
      200: {
        description: "JSON.",
        content: { "application/json": { schema: { type: "object" } } },
      },
      default: { $ref: "#/components/responses/refused" },
    },
  };
}

interface OwnRoute {
  readonly method: "get" | "post";
  readonly path: string;
  readonly summary: string;
  readonly answers: string;
  /** `admin`: the admin token. `reader`: programs on this machine need none. Absent: everybody. */
  readonly asks?: "admin" | "reader" | "session" | "signature";
  readonly sends?: string;
}

const JSON_TYPE = "application/json";

/** What the gateway itself answers beside the console's API. */
const OWN_ROUTES: readonly OwnRoute[] = [
  { method: "get", path: "/", summary: "A start page, or the chat page.", answers: "text/html" },
  { method: "get", path: "/docs", summary: "The interfaces' reference.", answers: "text/html" },
  {
    method: "get",
    path: "/docs/openapi.json",
    summary: "The interfaces' reference, for programs.",
    answers: JSON_TYPE,
  },
  {
    method: "get",
    path: "/_afterword/console",
    summary: "The owner's page. It asks for a token.",
    answers: "text/html",
  },
  { method: "get", path: "/_afterword/health", summary: "Whether it answers.", answers: JSON_TYPE },
  {
    method: "get",
    path: "/_afterword/ready",
    summary: "Whether it takes requests; 503 while it stops.",
    answers: JSON_TYPE,
  },
  { method: "get", path: "/_afterword/version", summary: "What runs.", answers: JSON_TYPE },
  {
    method: "get",
    path: "/_afterword/metrics",
    summary: "Counts and times, for Prometheus.",
    answers: "text/plain",
    asks: "reader",
  },
  {
    method: "get",
    path: "/_afterword/coverage",
    summary: "For every flag and language, who speaks.",
    answers: JSON_TYPE,
    asks: "reader",
  },
  {
    method: "post",
    path: "/_afterword/explain",
    summary: "What would become of the engine's answer that is sent, and why.",
    answers: JSON_TYPE,
    asks: "admin",
    sends: JSON_TYPE,
  },
  {
    method: "get",
    path: "/_afterword/escalations",
    summary: "Conversations that are handed over.",
    answers: JSON_TYPE,
    asks: "admin",
  },
  {
    method: "post",
    path: "/_afterword/escalations",
    summary: "Decides about a call whose outcome nobody knows.",
    answers: JSON_TYPE,
    asks: "admin",
    sends: JSON_TYPE,
  },
  {
    method: "get",
    path: "/_afterword/conversations/{id}/events",
    summary: "What an agent says in a conversation that is handed over, as server-sent events.",
    answers: "text/event-stream",
    asks: "session",
  },
  {
    method: "get",
    path: "/_afterword/conversations/{id}/media/{file}",
    summary: "A file that an agent has sent.",
    answers: "application/octet-stream",
    asks: "session",
  },
  {
    method: "post",
    path: "/_afterword/webhooks/chat/{instance}",
    summary: "The chat service tells that a chat has changed.",
    answers: JSON_TYPE,
    asks: "signature",
    sends: JSON_TYPE,
  },
];

const ASKS: Readonly<Record<NonNullable<OwnRoute["asks"]>, string>> = {
  admin: "Needs the admin token; 404 for everybody else.",
  reader: "Needs the admin token, or a program on this machine; 404 for everybody else.",
  session: "Needs the conversation's session token.",
  signature: "Needs the chat service's signature.",
};

function ownEntry({ method, path, summary, answers, asks, sends }: OwnRoute): unknown {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  return {
    operationId: `${method}-own-${path.replaceAll(/[^a-z]+/g, "-").replace(/^-/, "")}`,
    summary,
    ...(asks !== undefined && { description: ASKS[asks] }),
    security: asks === "admin" || asks === "reader" ? [{ token: [] }] : [],
    parameters: names.map((name) => {
      return { name, in: "path", required: true, schema: { type: "string" } };
    }),
    ...(sends !== undefined && { requestBody: { content: { [sends]: {} } } }),
    responses: { 200: { description: "As the summary says.", content: { [answers]: {} } } },
  };
}
