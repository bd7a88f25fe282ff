import { type DescribedOperation, type JsonSchema, openApi } from "../../api/openapi.ts";
import type { Fields, ConsoleOperation } from "./operation.ts";
import { OPERATIONS } from "./operations.ts";

/** Makes the OpenAPI document of the gateway's own routes: the console's API, and the others. */
export function describeGateway(version: string): JsonSchema {
  const operations = [...OPERATIONS.map(describeOperation), ...OWN_ROUTES.map(describeRoute)];
  const components = {
    securitySchemes: { token: { type: "http", scheme: "bearer" } },
    schemas: {
      Errors: {
        type: "object",
        description: "Why, and what to do.",
        properties: {
          errors: { type: "array", items: schemaOf(ERROR) },
        },
      },
    },
  };
  // The document is /_afterword/api/openapi.json.
  return openApi(operations, {
    title: "Afterword's own routes",
    version,
    server: "../..",
    components,
  });
}

const ERROR = {
  code: { type: "integer" },
  message: "",
  reason: "A name for the sentence, where the console says it in other languages.",
  params: { type: "object", description: "The values in that sentence." },
};

const errorBody = { $ref: "#/components/schemas/Errors" };

function describeOperation({
  method,
  path,
  needs,
  summary,
  query,
  body,
}: ConsoleOperation): DescribedOperation {
  return {
    id: `${method}-${path.replaceAll(/[{}]/g, "").replaceAll("/", "-")}`,
    method,
    path: `/_afterword/api/${path}`,
    summary,
    description: `Needs the role \`${needs}\`.`,
    security: [["token"]],
    ...(query && { query: schemaOf(query) }),
    ...(body && { body: schemaOf(body) }),
    answer: { type: "object" },
    errors: ERRORS,
    errorBody,
  };
}

const ERRORS: DescribedOperation["errors"] = [
  { status: 401, when: "The token is missing or wrong." },
  { status: 403, when: "The token may not do this." },
  { status: 404, when: "The token sees nothing of this name." },
  { status: 409, when: "Something has changed since it was read, or cannot be changed at all." },
  { status: 413, when: "The body is too large." },
  { status: 415, when: "The body is not sent as JSON." },
  { status: 422, when: "A field is missing or cannot be read." },
  { status: 429, when: "Too many wrong tokens came from this address." },
];

/** A field that is described in words is a text. */
function schemaOf(fields: Fields): JsonSchema {
  const properties = Object.entries(fields).map(([name, field]) => [
    name,
    typeof field === "string" ? { type: "string", description: field } : field,
  ]);
  return { type: "object", properties: Object.fromEntries(properties) };
}

interface OwnRoute {
  readonly method: "get" | "post";
  readonly path: string;
  readonly summary: string;
  readonly answers: string;
  /**
   * `admin`: the admin token. `reader`: programs on this machine need none. Absent means everybody.
   */
  readonly asks?: "admin" | "reader" | "session" | "signature";
  /** True if it takes a body of JSON. */
  readonly sends?: boolean;
}

const JSON_TYPE = "application/json";

/** The routes that the gateway itself answers beside the console's API. */
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
    sends: true,
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
    sends: true,
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
    sends: true,
  },
];

const ASKS: Readonly<Record<NonNullable<OwnRoute["asks"]>, string>> = {
  admin: "Needs the admin token; 404 for everybody else.",
  reader: "Needs the admin token, or a program on this machine; 404 for everybody else.",
  session: "Needs the conversation's session token.",
  signature: "Needs the chat service's signature.",
};

function describeRoute({
  method,
  path,
  summary,
  answers,
  asks,
  sends,
}: OwnRoute): DescribedOperation {
  return {
    id: `${method}-own-${path.replaceAll(/[^a-z]+/g, "-").replace(/^-/, "")}`,
    method,
    path,
    summary,
    ...(asks && { description: ASKS[asks] }),
    security: asks === "admin" || asks === "reader" ? [["token"]] : [],
    ...(sends && { body: {} }),
    answer: null,
    answerType: answers,
    errors: [],
    errorBody,
  };
}
