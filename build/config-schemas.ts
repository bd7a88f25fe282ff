import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { FLAG_FACTS } from "../src/direct-answers/flags.ts";
import { OWN_LINES, findOwnLineUse } from "../src/locales/own-lines.ts";
import type { JsonRecord } from "../src/config/config.ts";
import { toJson } from "../src/config/json.ts";
import { findPackageRoot } from "../src/config/load/package-root.ts";
import { configSchema } from "../src/config/schema/config.ts";
import { documentedKeys, withDocumentedKeys } from "./documented-keys.ts";
import { lineSchema, wordsSchema } from "../src/config/schema/messages.ts";

/** The published JSON Schema of `afterword.yaml`, so that editors complete and explain its keys. */
export function configJsonSchema(): JsonRecord {
  return {
    ...withDocumentedKeys(draft(configSchema), documentedKeys()),
    title: "Afterword configuration",
    description: "config/afterword.yaml: where answers come from, who is asking, and what is said.",
  };
}

/** The published JSON Schema of `messages/<locale>.yaml` and `locales/<locale>.yaml`. */
export function messagesJsonSchema(): JsonRecord {
  const line = { $ref: "#/$defs/line" };
  const { $schema = null, ...definition } = draft(lineSchema);
  const { $schema: _, ...words } = draft(wordsSchema);
  const flags = FLAG_FACTS.map(({ name, alias, text, returnedWhen }): [string, JsonRecord][] => {
    const description = `${returnedWhen} The engine's own words: "${text}"`;
    const old: [string, JsonRecord][] =
      alias === null ? [] : [[alias, { ...line, deprecated: true, description: `Write ${name}.` }]];
    return [[name, { ...line, description }], ...old];
  });
  const related = { ...line, description: "The title above related contents." };
  const own = OWN_LINES.map((key) => [key, { ...line, description: findOwnLineUse(key) }]);
  return {
    $schema,
    title: "Afterword messages",
    description: "What is said for each flag in the language that the file is named for.",
    type: ["object", "null"],
    properties: {
      ...Object.fromEntries(flags.flat()),
      "related-title": related,
      ...Object.fromEntries(own),
      words,
    },
    additionalProperties: false,
    $defs: { line: definition },
  };
}

/** As the file is written (`io: input`): `3s` is a string here, though it is parsed to a number. */
function draft(schema: z.ZodType): JsonRecord {
  const written = toJson(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
  return isObject(written) ? written : {};
}

function isObject(value: ReturnType<typeof toJson>): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// `npm run schemas` writes them again. A test fails while they are out of date.
if (import.meta.main) {
  const schemas = { afterword: configJsonSchema(), messages: messagesJsonSchema() };
  for (const [name, schema] of Object.entries(schemas)) {
    const file = join(findPackageRoot(), "schema", `${name}.schema.json`);
    await writeFile(file, `${JSON.stringify(schema, null, 2)}\n`);
  }
}
