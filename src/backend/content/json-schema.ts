import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { findPackageRoot } from "../../config/load/package-root.ts";
import { contentFileSchema } from "./schema.ts";

/** The published JSON Schema of content files, so that editors complete and explain their keys. */
export function createContentJsonSchema(): Readonly<Record<string, unknown>> {
  // `io: input` describes the written file, where a time is a string; parsing makes it a number.
  const { $schema, ...schema } = z.toJSONSchema(contentFileSchema, {
    io: "input",
    unrepresentable: "any",
  });
  return {
    $schema,
    title: "Afterword content",
    description: "What the embedded backend knows in one language (docs/content.md).",
    ...schema,
    // A file that contains only comments is valid.
    type: ["object", "null"],
  };
}

// `npm run schemas` writes it again. A test fails while it is out of date.
if (import.meta.main) {
  const text = JSON.stringify(createContentJsonSchema(), null, 2);
  await writeFile(join(findPackageRoot(), "schema", "content.schema.json"), `${text}\n`);
}
