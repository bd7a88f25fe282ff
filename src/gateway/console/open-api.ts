import { wrongField } from "../../api/call/operation.ts";
import { type DescribedOperation, type JsonSchema, createOpenApi } from "../../api/openapi.ts";
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
        description: "What went wrong, and what to do.",
        properties: {
          errors: { type: "array", items: schemaOf(ERROR) },
        },
      },
    },
  };
  // The document is /_afterword/api/openapi.json.
  return createOpenApi(operations, {
    title: "Afterword's own routes",
    version,
    server: "../..",
    components,
  });
}

const ERROR = {
  code: { type: "integer" },
  message: "",
  reason: "The id of the message, if the console translates it.",
  params: { type: "object", description: "The values in that message." },
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
  {
    status: 403,
    when: "The token may not do this: it lacks the role, or the language or instance.",
  },
  { status: 404, when: "There is nothing of this name, or the token may not see it." },
  {
    status: 409,
    when: "The text, content or file has changed since it was read, or this gateway cannot change it. The message says which.",
  },
  { status: 413, when: "The body is too large." },
  { status: 415, when: "The body is not sent as JSON." },
  wrongField,
  {
    status: 429,
    when: "Too many wrong tokens came from this address. `Retry-After` says after how many seconds to try again.",
  },
  { status: 503, when: "The files or the database could not be read or written." },
];

/** Creates a schema. A field that is only a description is a string. */
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
  readonly answerType: string;
  /**
   * `admin`: the admin token. `reader`: the same, but programs on this machine need none. Absent:
   * nothing.
   */
  readonly needs?: "admin" | "reader" | "session" | "signature";
  /** True if the request has a JSON body. */
  readonly hasBody?: boolean;
}

const JSON_TYPE = "application/json";

/** The routes that the gateway answers itself, in addition to the console's API. */
const OWN_ROUTES: readonly OwnRoute[] = [
  {
    method: "get",
    path: "/",
    summary: "Shows the chat page of the embedded backend, else a start page.",
    answerType: "text/html",
  },
  {
    method: "get",
    path: "/docs",
    summary: "Shows the reference of the interfaces.",
    answerType: "text/html",
  },
  {
    method: "get",
    path: "/docs/openapi.json",
    summary: "Returns the reference of the interfaces as an OpenAPI document.",
    answerType: JSON_TYPE,
  },
  {
    method: "get",
    path: "/_afterword/console",
    summary: "Shows the console, which asks for a token.",
    answerType: "text/html",
  },
  {
    method: "get",
    path: "/_afterword/health",
    summary: "Answers 200 while the process runs.",
    answerType: JSON_TYPE,
  },
  {
    method: "get",
    path: "/_afterword/ready",
    summary: "Answers 200 while requests are accepted, and 503 while the process is stopping.",
    answerType: JSON_TYPE,
  },
  {
    method: "get",
    path: "/_afterword/version",
    summary: "Returns the version, and the hash of the configuration in force.",
    answerType: JSON_TYPE,
  },
  {
    method: "get",
    path: "/_afterword/metrics",
    summary: "Returns metrics in the text format of Prometheus.",
    answerType: "text/plain",
    needs: "reader",
  },
  {
    method: "get",
    path: "/_afterword/coverage",
    summary: "Lists the source of the text for every flag and language of each instance.",
    answerType: JSON_TYPE,
    needs: "reader",
  },
  {
    method: "post",
    path: "/_afterword/explain",
    summary: "Rewrites the engine's answer in the body as a trial, and explains the result.",
    answerType: JSON_TYPE,
    needs: "admin",
    hasBody: true,
  },
  {
    method: "get",
    path: "/_afterword/escalations",
    summary:
      "Lists the conversations that are being handed over, at most 500, with the calls whose outcome is unknown.",
    answerType: JSON_TYPE,
    needs: "admin",
  },
  {
    method: "post",
    path: "/_afterword/escalations",
    summary:
      "Decides about a call whose outcome is unknown, as `POST /_afterword/api/escalations` does.",
    answerType: JSON_TYPE,
    needs: "admin",
    hasBody: true,
  },
  {
    method: "get",
    path: "/_afterword/conversations/{id}/events",
    summary:
      "Streams an agent's messages in a conversation that was handed over, as server-sent events.",
    answerType: "text/event-stream",
    needs: "session",
  },
  {
    method: "get",
    path: "/_afterword/conversations/{id}/media/{file}",
    summary: "Downloads a file that an agent sent.",
    answerType: "application/octet-stream",
    needs: "session",
  },
  {
    method: "post",
    path: "/_afterword/webhooks/chat/{instance}",
    summary: "Receives the chat service's events about chats.",
    answerType: JSON_TYPE,
    needs: "signature",
    hasBody: true,
  },
];

const NEEDS: Readonly<Record<NonNullable<OwnRoute["needs"]>, string>> = {
  admin: "Needs the admin token. Callers without it get 404.",
  reader: "Needs the admin token, except from programs on this machine. Other callers get 404.",
  session: "Needs the session token of the conversation.",
  signature: "Needs the signature of the chat service.",
};

function describeRoute({
  method,
  path,
  summary,
  answerType,
  needs,
  hasBody,
}: OwnRoute): DescribedOperation {
  return {
    id: `${method}-own-${path.replaceAll(/[^a-z]+/g, "-").replace(/^-/, "")}`,
    method,
    path,
    summary,
    ...(needs && { description: NEEDS[needs] }),
    security: needs === "admin" || needs === "reader" ? [["token"]] : [],
    ...(hasBody && { body: {} }),
    answer: null,
    answerType,
    errors: [],
    errorBody,
  };
}
