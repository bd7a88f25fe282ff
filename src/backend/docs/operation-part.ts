import { html } from "hono/html";
import { formatNumber } from "../../api/call/fields.ts";
import type { Operation, CredentialKind } from "../../api/call/operation.ts";
import { describeOperation } from "../../api/describe-operation.ts";
import type { DescribedOperation, JsonSchema } from "../../api/openapi.ts";
import { isObject } from "../../json/values.ts";

/** Escaped HTML. */
export type Markup = ReturnType<typeof html>;

/** A text in which backticks stand around code. */
export function renderProse(text: string): readonly (Markup | string)[] {
  return text
    .split("`")
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

/** Renders one operation. Its id is the anchor. */
export function renderOperation(operation: Operation): Markup {
  const { credentials, aliases } = operation;
  const described = describeOperation(operation);
  const curl = curlOf(described, headersOf[credentials]);
  const { id, method, path, summary, query, body, bodyOptional, answer } = described;
  return html`<article id="${id}" data-browser="${browserOf(operation)}">
    <h3>
      <span class="method">${method}</span>
      <a href="#${id}"><code>${path}</code></a>
    </h3>
    <p>${renderProse(summary)}</p>
    <p class="dim">
      Needs ${renderProse(needs[credentials])}.
      ${operation.domainKey === true && credentials !== "key" ? "A token that was issued for a domain key is accepted too." : ""}
      ${credentials === "app-secret" && operation.persons === true ? renderProse("Users and agents send their own token in `x-hyper-token` instead of the secret.") : ""}
    </p>
    ${
      aliases.length === 0
        ? ""
        : html`<p class="dim">
            Also at ${renderProse(aliases.map((alias) => `\`${alias}\``).join(", "))}.
          </p>`
    }
    ${query === undefined ? "" : renderFields("Query", query)}
    ${
      body === undefined
        ? ""
        : renderFields(bodyOptional === true ? "Body (may be left out)" : "Body", body)
    }
    ${
      answer === null
        ? html`<h4>Answer 200</h4>
            <p>Not JSON.</p>`
        : renderFields("Answer 200", answer)
    }
    ${renderErrors(described)}
    <details>
      <summary>curl</summary>
      <pre tabindex="0" role="group" aria-label="curl"><code>${curl}</code></pre>
    </details>
  </article>`;
}

/**
 * Lists the credentials that a browser may send it with: those of its curl call, a person's token,
 * or nothing.
 */
function browserOf({ credentials, domainKey, persons }: Operation): "as-is" | "person" | "never" {
  if (credentials === "app-token") return "person";
  if (credentials === "app-secret") return persons === true ? "person" : "never";
  const isServers = ["token", "session"].includes(credentials) && domainKey !== true;
  return isServers ? "never" : "as-is";
}

const withToken = "the API key in `x-vendor-key` and an access token in `Authorization`";

const needs: Readonly<Record<CredentialKind, string>> = {
  key: "the API key in `x-vendor-key`",
  token: withToken,
  session: `${withToken}, and the session token in \`x-inbenta-session\``,
  app: "the app's id in `x-hyper-appId`",
  "app-secret": "the app's id in `x-hyper-appId` and its secret in `x-hyper-secret`",
  "app-token": "the app's id in `x-hyper-appId` and an agent's token in `x-hyper-token`",
};

const headersOf: Readonly<Record<CredentialKind, readonly string[]>> = {
  key: ["x-vendor-key: $KEY"],
  token: ["x-vendor-key: $KEY", "Authorization: Bearer $TOKEN"],
  session: [
    "x-vendor-key: $KEY",
    "Authorization: Bearer $TOKEN",
    "x-inbenta-session: Bearer $SESSION",
  ],
  app: ["x-hyper-appId: $APP"],
  "app-secret": ["x-hyper-appId: $APP", "x-hyper-secret: $SECRET"],
  "app-token": ["x-hyper-appId: $APP", "x-hyper-token: $PERSON"],
};

/** Renders a curl call whose body has the required members. */
function curlOf(
  { method, path, body }: DescribedOperation,
  credentials: readonly string[],
): string {
  const headers = credentials.map((header) => ` \\\n  -H "${header}"`);
  const address = path.replaceAll(/\{(\w+)\}|:(\w+)/g, (_, one, other) => `$${one ?? other}`);
  const call = `curl${method === "GET" ? "" : ` -X ${method}`} "$BASE${address}"${headers.join("")}`;
  if (body === undefined) return call;
  const sample = JSON.stringify(sampleOf(body) ?? {});
  return `${call} \\\n  -H "Content-Type: application/json" \\\n  -d '${sample.replaceAll("'", String.raw`'\\''`)}'`;
}

/**
 * Creates a sample value of a schema: the required members of objects, and the first of
 * alternatives.
 */
function sampleOf(schema: unknown, depth = 0): unknown {
  if (!isObject(schema) || depth > maxDepth) return "…";
  const { properties, items, type, default: absent, enum: values, minimum } = schema;
  if ("const" in schema) return schema["const"];
  if (absent !== undefined) return absent;
  if (Array.isArray(values)) return values[0];
  if (isObject(properties)) {
    const needed = new Set(listOf(schema["required"]));
    const members = Object.entries(properties).filter(([name]) => needed.has(name));
    return Object.fromEntries(members.map(([name, one]) => [name, sampleOf(one, depth + 1)]));
  }
  const [first] = listAlternatives(schema);
  if (first !== undefined) return sampleOf(first, depth + 1);
  if (type === "array") return items === undefined ? [] : [sampleOf(items, depth + 1)];
  if (type === "object") return {};
  if (type === "integer" || type === "number") return Math.max(1, Number(minimum) || 1);
  return type === "boolean" ? true : "…";
}

function renderFields(title: string, schema: JsonSchema): Markup {
  const fields = fieldsOf(schema);
  if (fields.length === 0)
    return html`<h4>${title}</h4>
      <p>No members.</p>`;
  return html`<h4>${title}</h4>
    <div class="scroll" tabindex="0" role="group" aria-label="${title}">
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Type</th>
            <th scope="col">Values</th>
          </tr>
        </thead>
        <tbody>
          ${fields.map(
            ({ name, type, required, note, about }) =>
              html`<tr>
                <th scope="row">
                  <code>${name}</code>${required ? "" : html` <span class="dim">optional</span>`}
                </th>
                <td>${type}</td>
                <td>${renderProse([about, note].filter((text) => text !== "").join("; "))}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}

function renderErrors({ errors }: DescribedOperation): Markup {
  return html`<details>
    <summary>Errors</summary>
    <div class="scroll" tabindex="0" role="group" aria-label="Errors">
      <table>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">When</th>
          </tr>
        </thead>
        <tbody>
          ${errors
            .toSorted((one, other) => one.status - other.status)
            .map(
              ({ status, when }) =>
                html`<tr>
                  <th scope="row">${status}</th>
                  <td>${renderProse(when)}</td>
                </tr>`,
            )}
        </tbody>
      </table>
    </div>
  </details>`;
}

/** One line of a table of fields. */
export interface DocumentedField {
  /** Path such as `answers[].options[].label`; `{name}` is any name, empty the whole. */
  readonly name: string;
  /** Such as `string or null`. */
  readonly type: string;
  readonly required: boolean;
  /** Further rules of its values, or empty. */
  readonly note: string;
  /** The purpose by the schema's own words, or empty. */
  readonly about: string;
}

// No schema of the interfaces is deeper. The limit ends schemas that refer to themselves.
const maxDepth = 12;

/**
 * Lists a JSON Schema's members, each followed by its own members. Alternatives share one table.
 */
export function fieldsOf(schema: unknown): readonly DocumentedField[] {
  const found = new Map<string, DocumentedField>();
  for (const field of listInner(schema, "", 0)) {
    if (!found.has(field.name)) found.set(field.name, field);
  }
  return [...found.values()];
}

function listInner(value: unknown, path: string, depth: number): readonly DocumentedField[] {
  if (!isObject(value) || depth > maxDepth) return [];
  const needed = new Set(listOf(value["required"]));
  const listBelow = (
    name: string,
    schema: unknown,
    required: boolean,
  ): readonly DocumentedField[] => [
    { name, type: typeOf(schema), required, note: noteOf(schema), about: aboutOf(schema) },
    ...listInner(schema, name, depth + 1),
  ];
  const { properties, items, additionalProperties: any } = value;
  const prefix = path === "" ? "" : `${path}.`;
  return [
    ...Object.entries(isObject(properties) ? properties : {}).flatMap(([name, schema]) =>
      listBelow(`${prefix}${name}`, schema, needed.has(name)),
    ),
    ...(isObject(any) ? listBelow(`${prefix}{name}`, any, false) : []),
    ...(path === "" && isObject(items)
      ? listBelow("[]", items, true)
      : listInner(items, `${path}[]`, depth + 1)),
    ...listAlternatives(value).flatMap((one) => listInner(one, path, depth + 1)),
  ];
}

function typeOf(schema: unknown): string {
  if (!isObject(schema)) return "anything";
  // Schemas often accept more than callers should send. The title names what they should send.
  if (typeof schema["title"] === "string") return schema["title"];
  if (typeof schema["$ref"] === "string") return schema["$ref"].replace(/^.*\//, "");
  const types = listOf(schema["type"] ?? []).map((type) =>
    type === "array" ? `list of ${typeOf(schema["items"])}` : String(type),
  );
  const all = types.length > 0 ? types : listAlternatives(schema).map((one) => typeOf(one));
  if (all.length === 0) return "const" in schema ? typeof schema["const"] : "anything";
  return [...new Set(all)].join(" or ");
}

function noteOf(schema: unknown): string {
  if (!isObject(schema)) return "";
  const { type, items, maxItems } = schema;
  if (type === "array") {
    const each = noteOf(items);
    if (typeof maxItems !== "number") return each;
    const entries = `at most ${formatNumber(maxItems)} ${maxItems === 1 ? "entry" : "entries"}`;
    return each === "" ? entries : `${entries}; each ${each}`;
  }
  const length = maxLengthOf(schema);
  const size = length === null ? "" : `at most ${formatNumber(length)} characters`;
  if (typeof schema["title"] === "string") return size;
  const { enum: values, const: only, format, default: absent, minimum, maximum } = schema;
  const most = typeof maximum === "number" && maximum < Number.MAX_SAFE_INTEGER ? maximum : null;
  return [
    Array.isArray(values) ? `one of ${values.join(", ")}` : "",
    only === undefined ? "" : `always ${JSON.stringify(only)}`,
    typeof format === "string" ? format : "",
    typeof minimum === "number" && minimum > 0 ? `at least ${minimum}` : "",
    most === null ? "" : `at most ${most}`,
    size,
    absent === undefined ? "" : `otherwise ${JSON.stringify(absent)}`,
  ]
    .filter((part) => part !== "")
    .join("; ");
}

/**
 * Finds how many characters a text may have, also one that is an alternative to other types. Null
 * for a text with a pattern, such as a time, whose length needs no mention.
 */
function maxLengthOf(schema: JsonSchema): number | null {
  const { title, type, maxLength, pattern } = schema;
  if (type === "string") {
    return typeof maxLength === "number" && pattern === undefined ? maxLength : null;
  }
  // The texts that a number is accepted as have no length that matters.
  if (title !== undefined && title !== "string") return null;
  const lengths = listAlternatives(schema).map(maxLengthOf);
  return lengths.find((length) => length !== null) ?? null;
}

function aboutOf(schema: unknown): string {
  return isObject(schema) && typeof schema["description"] === "string" ? schema["description"] : "";
}

function listAlternatives(schema: JsonSchema): readonly JsonSchema[] {
  return ["anyOf", "oneOf", "allOf"].flatMap((name) => listOf(schema[name] ?? []).filter(isObject));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
