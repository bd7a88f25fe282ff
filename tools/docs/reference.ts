import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { COMPONENTS, describeOperation } from "../../src/api/describe-operation.ts";
import { createOpenApi } from "../../src/api/openapi.ts";
import { type DocumentedField, fieldsOf } from "../../src/backend/docs/schema-fields.ts";
import { DOCUMENTED } from "../../src/backend/docs/products.ts";
import { describeGateway } from "../../src/gateway/console/open-api.ts";
import { isObject } from "../../src/json/values.ts";
import { PAGES, ROOT, writePage } from "./pages.ts";

type Json = Readonly<Record<string, unknown>>;

/** Pages of the HTTP interfaces and of the files of configuration, as the sidebar lists them. */
export const INTERFACES = [
  ...DOCUMENTED.map(({ key, title }) => ({ key, title })),
  { key: "console", title: "Console" },
];
export const FILES = [
  { key: "afterword", title: "afterword.yaml", guide: "configuration" },
  { key: "messages", title: "Files of texts", guide: "messages" },
  { key: "content", title: "Files of contents", guide: "content" },
];

/** Writes what the OpenAPI documents and the JSON Schemas say as pages. */
export async function writeReference(): Promise<void> {
  const { version } = manifest;
  mkdirSync(join(PAGES, "public/openapi"), { recursive: true });
  for (const { key, title, about, operations } of DOCUMENTED) {
    const options = { title, version, description: about, components: COMPONENTS };
    writeInterface(key, about, createOpenApi(operations.map(describeOperation), options));
  }
  const about = "What the owner's console asks the gateway. Send the console's token.";
  writeInterface("console", about, describeGateway(version));
  for (const { key, title, guide } of FILES) {
    const file = join(ROOT, `schema/${key}.schema.json`);
    const schema: unknown = JSON.parse(readFileSync(file, "utf8"));
    const page = [
      `# ${title}`,
      `[The guide](/${guide}) explains these keys. For editors and programs: [JSON Schema](/schema/${key}.schema.json){target="_self"}.`,
      ...keysOf(schema),
    ];
    writePage(`reference/${key}-file.md`, `${page.join("\n\n")}\n`);
  }
}

function writeInterface(key: string, about: string, document: Json): void {
  writeFileSync(join(PAGES, `public/openapi/${key}.json`), JSON.stringify(document, null, 2));
  const title = INTERFACES.find((one) => one.key === key)?.title ?? key;
  const paths = Object.entries(recordOf(document["paths"]));
  const operations = paths.flatMap(([path, methods]) =>
    Object.entries(recordOf(methods)).map(([method, operation]) =>
      operationPart(method, path, recordOf(operation)),
    ),
  );
  const schemes = Object.entries(recordOf(recordOf(document["components"])["securitySchemes"])).map(
    ([name, scheme]) => {
      const { in: place, name: field = "Authorization", description = "" } = recordOf(scheme);
      return [
        `\`${name}\``,
        `\`${String(field)}\`${place === undefined ? " (Bearer)" : ""}`,
        String(description),
      ];
    },
  );
  const page = [
    `# ${title}`,
    `${about} For programs: [OpenAPI](/openapi/${key}.json){target="_self"}.`,
    "## Credentials",
    table(["Name", "Header", "What it is"], schemes),
    ...operations,
  ];
  writePage(`reference/http-${key}.md`, `${page.join("\n\n")}\n`);
}

function operationPart(method: string, path: string, operation: Json): string {
  const { operationId, summary, description, security, requestBody, responses } = operation;
  const parameters = listOf(operation["parameters"]).map(recordOf);
  const rows = parameters.map((one) => [
    `\`${String(one["name"])}\``,
    `${String(one["in"])}${one["required"] === true ? "" : ", optional"}`,
    String(one["description"] ?? recordOf(one["schema"])["type"] ?? ""),
  ]);
  const needs = listOf(security).map((one) =>
    Object.keys(recordOf(one))
      .map((name) => `\`${name}\``)
      .join(" and "),
  );
  const results = Object.entries(recordOf(responses));
  const answer = schemaOf(recordOf(responses)["200"]);
  return [
    `## ${method.toUpperCase()} ${path} {#${String(operationId).replaceAll(".", "-")}}`,
    [summary, description].filter((text) => typeof text === "string").join(" "),
    needs.length === 0 ? "" : `Needs ${needs.join(", or ")}.`,
    rows.length === 0 ? "" : table(["Parameter", "Where", "What it is"], rows),
    requestBody === undefined ? "" : `**Body**\n\n${tableOf(schemaOf(requestBody), "Field")}`,
    answer === null ? "" : `**Answer**\n\n${tableOf(answer, "Field")}`,
    table(
      ["Status", "When"],
      results
        .filter(([status]) => status !== "200")
        .map(([status, one]) => [
          status,
          String(recordOf(one)["description"] ?? "See the console's guide."),
        ]),
    ),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** The keys of a file: a heading for each that holds others, with those in a table. */
function keysOf(schema: unknown): readonly string[] {
  const groups = Map.groupBy(fieldsOf(schema), ({ name }) => name.split(/[.[]/)[0] ?? "");
  const alone = [...groups.values()].filter((fields) => fields.length === 1).flat();
  const shapes = Object.entries(recordOf(recordOf(schema)["$defs"]));
  return [
    tableOfFields(alone, "Key"),
    ...[...groups].flatMap(([key, [whole, ...fields]]) =>
      whole === undefined || fields.length === 0
        ? []
        : [
            `## ${key}`,
            whole.about,
            tableOfFields(
              fields.map((one) => below(key, one)),
              "Key",
            ),
          ],
    ),
    ...shapes.flatMap(([name, shape]) => [`## ${name} {#${name}}`, tableOf(shape, "Key")]),
  ];
}

function below(key: string, field: DocumentedField): DocumentedField {
  return { ...field, name: field.name.slice(key.length).replace(/^\./, "") };
}

/** The members of a JSON Schema, one in each row. */
function tableOf(schema: unknown, what: string): string {
  const fields = fieldsOf(schema);
  return fields.length === 0 ? "Any JSON." : tableOfFields(fields, what);
}

function tableOfFields(fields: readonly DocumentedField[], what: string): string {
  const rows = fields.map(({ name, type, required, note, about }) => [
    `\`${name}\`${required ? "" : " *optional*"}`,
    type,
    [about, note].filter((text) => text !== "").join(". "),
  ]);
  return table([what, "Type", "What it is"], rows);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  return [head, head.map(() => "---"), ...rows.map((row) => row.map(cell))]
    .map((row) => `| ${row.join(" | ")} |`)
    .join("\n");
}

/** Text in a cell: nothing in it is markup but code. */
function cell(text: string): string {
  return text
    .replaceAll(/\s*\n\s*/g, " ")
    .replaceAll("|", "\\|")
    .split("`")
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll("<", "&lt;")))
    .join("`");
}

function schemaOf(value: unknown): unknown {
  const media = Object.values(recordOf(recordOf(value)["content"]))[0];
  return media === undefined ? null : recordOf(media)["schema"];
}

function recordOf(value: unknown): Json {
  return isObject(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
