import { z } from "zod";
import { isRecord } from "./read.ts";
import type { Operation, WireCredentials } from "./operation.ts";

type Json = Readonly<Record<string, unknown>>;

export interface OpenApiOptions {
  readonly title: string;
  readonly version: string;
  readonly description: string;
}

/**
 * An OpenAPI 3.1 document of operations. Request shapes are those that the service accepts (liberal), answers those that it
 * gives. Pure: the same operations give the same document.
 *
 * @example
 * const document = openApi(operations, { title: "Case management", version: "1", description: "" });
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
    components: { securitySchemes, schemas: { Error: shapeOf(errorBody, "output") } },
  };
}

const errorBody = z.object({
  errors: z.array(z.object({ code: z.int(), message: z.string() })),
});

const headerKey = (name: string): Json => ({ type: "apiKey", in: "header", name });

const securitySchemes: Json = {
  key: headerKey("x-vendor-key"),
  token: { type: "http", scheme: "bearer" },
  session: headerKey("x-inbenta-session"),
  app: headerKey("x-hyper-appId"),
  secret: headerKey("x-hyper-secret"),
  person: headerKey("x-hyper-token"),
};

const schemesOf: Readonly<Record<WireCredentials, readonly string[]>> = {
  key: ["key"],
  token: ["key", "token"],
  session: ["key", "token", "session"],
  app: ["app"],
  "app-secret": ["app", "secret"],
  "app-token": ["app", "person"],
};

function describe(operation: Operation): Json {
  const { id, summary, aliases = [] } = operation;
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
  return {
    operationId: id,
    tags: [id.split(".")[0]],
    summary,
    ...(aliases.length > 0 && { description: `Also at ${aliases.join(", ")}.` }),
    security: [Object.fromEntries(schemesOf[operation.credentials].map((name) => [name, []]))],
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

function responsesOf({ status, answer, errors }: Operation): Json {
  const byStatus = Map.groupBy(errors, (error) => String(error.status));
  const success: Json = {
    description: "Success",
    ...(answer !== null && {
      content: { "application/json": { schema: shapeOf(answer, "output") } },
    }),
  };
  return {
    [String(status)]: success,
    ...Object.fromEntries([...byStatus].map(([code, whens]) => [code, failure(whens)])),
  };
}

function failure(whens: Operation["errors"]): Json {
  return {
    description: whens.map(({ when }) => when).join(" "),
    content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
  };
}

function pathParameter(name: string): Json {
  return { name, in: "path", required: true, schema: { type: "string" } };
}

function queryParameters(query: z.ZodType | undefined): readonly Json[] {
  if (query === undefined) return [];
  const { properties, required } = shapeOf(query, "input");
  const needed = new Set(Array.isArray(required) ? (required as readonly unknown[]) : []);
  return Object.entries(isRecord(properties) ? properties : {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: needed.has(name),
    schema,
  }));
}

// A shape that JSON Schema cannot say, such as a transformed value, is described as "anything" rather than left out.
function shapeOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    target: "draft-2020-12",
  });
  return shape;
}
