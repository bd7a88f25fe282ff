import { z } from "zod";
import type { CredentialKind, Operation } from "./call/operation.ts";
import { isObject } from "../json/values.ts";
import type { ServiceName } from "./call/routes.ts";

type Json = Readonly<Record<string, unknown>>;

export interface OpenApiOptions {
  readonly title: string;
  readonly version: string;
  readonly description: string;
}

/**
 * An OpenAPI 3.1 document of operations. Request shapes are those that the service accepts
 * (liberal), answers those that it gives. Pure: the same operations give the same document.
 *
 * @example
 * const about = { title: "Case management", version: "1", description: "" };
 * const document = openApi(operations, about);
 */
export function openApi(operations: readonly Operation[], options: OpenApiOptions): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of operations) {
    const methods = (paths[operation.path] ??= {});
    methods[operation.method.toLowerCase()] = describe(operation);
  }
  return {
    openapi: "3.1.0",
    info: options,
    paths,
    components: components(),
  };
}

// Instead of the app's secret.
const personal: readonly CredentialKind[] = ["app-token"];

function describe(operation: Operation): Json {
  const { id, summary, aliases } = operation;
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
  return {
    operationId: id,
    tags: [productOf(id)],
    summary,
    ...(aliases.length > 0 && { description: `Also at ${aliases.join(", ")}.` }),
    security: [operation.credentials, ...(operation.persons === true ? personal : [])].map(
      requirementOf,
    ),
    parameters: [...names.map(pathParameter), ...queryParameters(operation.query)],
    ...(operation.body !== undefined && {
      requestBody: {
        required: operation.bodyOptional !== true,
        content: { "application/json": { schema: shapeOf(operation.body, "input") } },
      },
    }),
    responses: responsesOf(operation),
  };
}

function responsesOf({ id, answer, errors }: Operation): Json {
  const schema = errorReference(productOf(id));
  const byStatus = Map.groupBy(errors, (error) => String(error.status));
  const success: Json = {
    description: "Success",
    ...(answer !== null && {
      content: { "application/json": { schema: shapeOf(answer, "output") } },
    }),
  };
  return {
    200: success,
    ...Object.fromEntries([...byStatus].map(([code, whens]) => [code, failure(whens, schema)])),
  };
}

function failure(whens: Operation["errors"], schema: Json): Json {
  return {
    description: whens.map(({ when }) => when).join(" "),
    content: { "application/json": { schema } },
  };
}

function pathParameter(name: string): Json {
  return { name, in: "path", required: true, schema: { type: "string" } };
}

function queryParameters(query: z.ZodType | undefined): readonly Json[] {
  if (query === undefined) return [];
  const { properties, required } = shapeOf(query, "input");
  const needed = new Set(Array.isArray(required) ? (required as readonly unknown[]) : []);
  return Object.entries(isObject(properties) ? properties : {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: needed.has(name),
    schema,
  }));
}

/**
 * The JSON Schema (2020-12) of a shape. What JSON Schema cannot say, such as a transformed value,
 * is described as "anything" rather than left out. No object is closed: later answers may have more
 * members, and two closed shapes that are joined would let nothing through.
 */
export function shapeOf(
  schema: z.ZodType,
  io: "input" | "output",
): Readonly<Record<string, unknown>> {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    target: "draft-2020-12",
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return shape;
}

/** References of OpenAPI operations: the security schemes, and the shapes of errors. */
function components(): Json {
  return {
    securitySchemes,
    schemas: Object.fromEntries(
      Object.entries(errorBodies).map(([name, body]) => [name, shapeOf(body, "output")]),
    ),
  };
}

/** Reference to the shape of a product's errors. */
function errorReference(product: ServiceName): Json {
  return { $ref: `#/components/schemas/${errorBodyOf[product]}` };
}

/** A security requirement. */
function requirementOf(credentials: CredentialKind): Json {
  return Object.fromEntries(schemesOf[credentials].map((name) => [name, []]));
}

const fault = z.object({ code: z.int(), message: z.string() });
const message = z.string().optional();

/** Each system has errors of its own shape; code and status are the same number. */
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

const headerKey = (name: string, description: string): Json => ({
  type: "apiKey",
  in: "header",
  name,
  description,
});

const securitySchemes: Json = {
  key: headerKey("x-vendor-key", "The API key."),
  token: { type: "http", scheme: "bearer", description: "An access token issued to the API key." },
  session: headerKey("x-inbenta-session", "`Bearer ` and the `sessionToken`, or the token alone."),
  app: headerKey("x-hyper-appId", "The chat app's id."),
  secret: headerKey("x-hyper-secret", "The chat app's secret. It stays on a server."),
  person: headerKey("x-hyper-token", "The token of a chat user or of an agent."),
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
  if (found === undefined) throw new Error(`unreachable: ${id} is of no product`);
  return found;
}
