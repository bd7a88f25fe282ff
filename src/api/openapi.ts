import type { z } from "zod";
import { shapeOf } from "./json-schema.ts";
import { components, errorReference, productOf, requirementOf } from "./openapi-components.ts";
import type { Operation, WireCredentials } from "./operation.ts";
import { isRecord } from "./read.ts";

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
 * const document = openApi(operations, { title: "Case management", version: "1", description: ""
 * });
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
const personal: readonly WireCredentials[] = ["app-token"];

function describe(operation: Operation): Json {
  const { id, summary, aliases = [] } = operation;
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

function responsesOf({ id, status, answer, errors }: Operation): Json {
  const schema = errorReference(productOf(id));
  const byStatus = Map.groupBy(errors, (error) => String(error.status));
  const success: Json = {
    description: "Success",
    ...(answer !== null && {
      content: { "application/json": { schema: shapeOf(answer, "output") } },
    }),
  };
  return {
    [String(status)]: success,
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
  return Object.entries(isRecord(properties) ? properties : {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: needed.has(name),
    schema,
  }));
}
