import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { configJsonSchema, messagesJsonSchema } from "./json-schema.ts";
import { packageRoot } from "./package-root.ts";

// Writes schema/*.json anew: node src/config/write-json-schema.ts. A test fails while they are out
// of date.
const directory = join(packageRoot(), "schema");
await mkdir(directory, { recursive: true });
for (const [name, schema] of [
  ["afterword.schema.json", configJsonSchema()],
  ["messages.schema.json", messagesJsonSchema()],
] as const) {
  await writeFile(join(directory, name), `${JSON.stringify(schema, null, 2)}\n`);
}
