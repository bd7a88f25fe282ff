import { z } from "zod";
import type { CredentialKind, Operation } from "./call/operation.ts";
import type { ServiceName } from "./call/routes.ts";
import type { DescribedOperation, JsonSchema } from "./openapi.ts";

/** Describes an operation for the reference. */
export function describeOperation(operation: Operation): DescribedOperation {
  const { id, method, path, aliases, summary, credentials, errors } = operation;
  const { query, body, bodyOptional = false, answer } = operation;
  const product = productOf(id);
  return {
    id,
    method,
    path,
    summary,
    ...(aliases.length > 0 && { description: `Also at ${aliases.join(", ")}.` }),
    tags: [product],
    security: [
      schemesOf[credentials],
      // A person's token is accepted instead of the app's secret.
      ...(credentials === "app-secret" && operation.persons === true
        ? [schemesOf["app-token"]]
        : []),
    ],
    ...(query && { query: shapeOf(query, "input") }),
    ...(body && { body: shapeOf(body, "input") }),
    bodyOptional,
    answer: answer && shapeOf(answer, "output"),
    errors,
    errorBody: { $ref: `#/components/schemas/${errorBodyOf[product]}` },
  };
}

/**
 * Returns the JSON Schema (2020-12) of a request's input or an answer's output. Values that JSON
 * Schema cannot describe, such as transformed ones, may be anything. No object is closed, because
 * later answers may have more members, and two closed shapes joined would match nothing.
 */
export function shapeOf(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    target: "draft-2020-12",
    override: ({ jsonSchema, zodSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // Zod drops examples of transformed values. The schemas' examples are what callers send.
      const examples = z.globalRegistry.get(zodSchema)?.["examples"];
      if (Array.isArray(examples)) jsonSchema.examples = examples;
    },
  });
  return shape;
}

const fault = z.object({ code: z.int(), message: z.string() });
const message = z.string().optional();

/** Error bodies of the products. The code repeats the status. */
const errorBodies: Readonly<Record<string, z.ZodType>> = {
  Errors: z.object({ errors: z.array(fault).length(1), message }),
  ErrorAndErrors: z.object({ errors: z.array(fault).length(1), error: fault, message }),
  Error: z.object({ error: fault }),
};

const errorBodyOf: Readonly<Record<ServiceName, string>> = {
  auth: "Errors",
  chatbot: "Errors",
  knowledge: "ErrorAndErrors",
  ticketing: "ErrorAndErrors",
  chat: "Error",
};

const describeHeaderKey = (name: string, description: string): JsonSchema => ({
  type: "apiKey",
  in: "header",
  name,
  description,
});

/**
 * Components that described operations refer to: the security schemes, and the shapes of errors.
 */
export const COMPONENTS: JsonSchema = {
  securitySchemes: {
    key: describeHeaderKey("x-vendor-key", "The API key."),
    token: {
      type: "http",
      scheme: "bearer",
      description: "An access token issued to the API key.",
    },
    session: describeHeaderKey(
      "x-inbenta-session",
      "The `sessionToken`, with or without `Bearer ` before it.",
    ),
    app: describeHeaderKey("x-hyper-appId", "The chat app's id."),
    secret: describeHeaderKey(
      "x-hyper-secret",
      "The chat app's secret, which must stay on a server.",
    ),
    person: describeHeaderKey("x-hyper-token", "The token of a chat user or of an agent."),
  },
  schemas: Object.fromEntries(
    Object.entries(errorBodies).map(([name, body]) => [name, shapeOf(body, "output")]),
  ),
};

const schemesOf: Readonly<Record<CredentialKind, readonly string[]>> = {
  key: ["key"],
  token: ["key", "token"],
  session: ["key", "token", "session"],
  app: ["app"],
  "app-secret": ["app", "secret"],
  "app-token": ["app", "person"],
};

/** The product in an operation's id. */
function productOf(id: Operation["id"]): ServiceName {
  const name = id.split(".")[0];
  const products: readonly ServiceName[] = ["auth", "chatbot", "knowledge", "ticketing", "chat"];
  const found = products.find((product) => product === name);
  if (found === undefined) throw new Error(`unreachable: ${id} belongs to no product`);
  return found;
}
