import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { packageRoot } from "../../config/package-root.ts";
import { z } from "zod";
import { contentFileSchema } from "./schema.ts";

// Writes schema/content.schema.json anew: node src/backend/content/write-json-schema.ts. A test
// fails while it is out of date.
const directory = join(packageRoot(), "schema");
await mkdir(directory, { recursive: true });
const text = JSON.stringify(contentJsonSchema(), null, 2);
await writeFile(join(directory, "content.schema.json"), `${text}\n`);

/** The published JSON Schema of content files, so that editors complete and explain their keys. */
export function contentJsonSchema(): Readonly<Record<string, unknown>> {
  // As the file is written (`io: input`): a moment is a string here, though it is read as a number.
  const { $schema, ...schema } = z.toJSONSchema(contentFileSchema, {
    io: "input",
    unrepresentable: "any",
  });
  return {
    $schema,
    title: "Afterword content",
    description: "What the embedded backend knows in one language (docs/content.md).",
    ...schema,
    // A file of comments only is one that says nothing yet.
    type: ["object", "null"],
  };
}
