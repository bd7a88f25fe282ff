import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { packageRoot } from "../../config/package-root.ts";
import { contentJsonSchema } from "./json-schema.ts";

// Writes schema/content.schema.json anew: node src/backend/content/write-json-schema.ts. A test
// fails while it is out of date.
const directory = join(packageRoot(), "schema");
await mkdir(directory, { recursive: true });
const text = JSON.stringify(contentJsonSchema(), null, 2);
await writeFile(join(directory, "content.schema.json"), `${text}\n`);
