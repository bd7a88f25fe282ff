import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createContentJsonSchema } from "../../../src/backend/content/json-schema.ts";
import { CUSTOMIZABLE_FLAGS } from "../../../src/direct-answers/flags.ts";
import { findPackageRoot } from "../../../src/config/load/package-root.ts";

test("the published schema is up to date (node src/backend/content/json-schema.ts)", async () => {
  const published = await readFile(
    join(findPackageRoot(), "schema", "content.schema.json"),
    "utf8",
  );
  // Through JSON: what is undefined is not there.
  expect(JSON.parse(published)).toEqual(JSON.parse(JSON.stringify(createContentJsonSchema())));
});

test("the schema lists every key of a content, and the flags that can be customized", () => {
  const schema = createContentJsonSchema();
  expect(schema).toMatchObject({ additionalProperties: false, type: ["object", "null"] });
  const contents = ["properties", "contents", "items"];
  expect(schema).toHaveProperty([...contents, "required"], ["id", "title", "answer"]);
  expect(schema).toHaveProperty([...contents, "additionalProperties"], false);
  for (const key of [
    ...["slug", "alternatives", "answer", "sideBubble", "attributes", "categories", "order"],
    ...["related", "checkQuestion", "options", "form", "actions", "directCall", "hidden"],
    ...["published", "publishFrom", "expires", "modified", "userTypes", "environments"],
  ]) {
    expect(schema).toHaveProperty([...contents, "properties", key, "description"]);
  }
  expect(schema).toHaveProperty(
    ["properties", "customized", "propertyNames", "enum"],
    CUSTOMIZABLE_FLAGS,
  );
});
