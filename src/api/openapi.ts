import { isObject } from "../json/values.ts";

/** A JSON Schema (2020-12). */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The description of an operation that the reference page, the Markdown reference and the OpenAPI
 * documents share.
 */
export interface DescribedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  /** Alternative sets of security schemes. A call needs all schemes of one set. */
  readonly security: readonly (readonly string[])[];
  /** An object with a property for each parameter. */
  readonly query?: JsonSchema;
  readonly body?: JsonSchema;
  /** True if the body may be left out. */
  readonly bodyOptional?: boolean;
  /** The shape of a successful answer; null if it is not JSON. */
  readonly answer: JsonSchema | null;
  /** The content type of an answer that is not JSON. Default: not documented. */
  readonly answerType?: string;
  /** Error answers and their causes. */
  readonly errors: readonly { readonly status: number; readonly when: string }[];
  readonly errorBody: JsonSchema;
}

export interface OpenApiOptions {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
  readonly components: JsonSchema;
  /** The address that paths are appended to, relative to the document's own. Default: not named. */
  readonly server?: string;
}

/**
 * Creates an OpenAPI 3.1 document from operations. The same operations give the same document.
 *
 * @example
 * const about = { title: "Case management", version: "1", components: COMPONENTS };
 * const document = createOpenApi(TICKETING_OPERATIONS.map(describeOperation), about);
 */
export function createOpenApi(
  operations: readonly DescribedOperation[],
  { components, server, ...info }: OpenApiOptions,
): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const operation of operations) {
    const methods = (paths[operation.path] ??= {});
    methods[operation.method.toLowerCase()] = entryOf(operation);
  }
  const servers = server !== undefined && { servers: [{ url: server }] };
  return { openapi: "3.1.0", info, ...servers, paths, components };
}

function entryOf(operation: DescribedOperation): JsonSchema {
  const { id, tags, summary, description, security, path, query, body } = operation;
  return {
    operationId: id,
    ...(tags && { tags }),
    summary,
    ...(description !== undefined && { description }),
    security: security.map((names) => Object.fromEntries(names.map((name) => [name, []]))),
    parameters: [
      ...Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => {
        return { name, in: "path", required: true, schema: { type: "string" } };
      }),
      ...(query ? describeQuery(query) : []),
    ],
    ...(body && {
      requestBody: { required: operation.bodyOptional !== true, content: describeJson(body) },
    }),
    responses: responsesOf(operation),
  };
}

function responsesOf({ answer, answerType, errors, errorBody }: DescribedOperation): JsonSchema {
  const content = answer ? describeJson(answer) : answerType && { [answerType]: {} };
  const byStatus = Map.groupBy(errors, ({ status }) => String(status));
  return {
    200: { description: "Success", ...(content && { content }) },
    ...Object.fromEntries(
      Array.from(byStatus, ([status, causes]) => [
        status,
        {
          description: causes.map(({ when }) => when).join(" "),
          content: describeJson(errorBody),
        },
      ]),
    ),
  };
}

function describeJson(schema: JsonSchema): JsonSchema {
  return { "application/json": { schema } };
}

function describeQuery({ properties, required }: JsonSchema): readonly JsonSchema[] {
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(isObject(properties) ? properties : {}).map(([name, schema]) => {
    const about = isObject(schema) && { description: schema["description"] };
    return { name, in: "query", ...about, required: needed.includes(name), schema };
  });
}
