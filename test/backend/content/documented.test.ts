import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createFolder } from "../../fixtures/folder.ts";
import { loadContent } from "../../../src/backend/content/load.ts";
import { contentFileSchema } from "../../../src/backend/content/schema.ts";
import { COLUMN_NAMES } from "../../../src/cli/content/csv-columns.ts";
import { findPackageRoot } from "../../../src/config/load/package-root.ts";
import { afterword } from "../../cli/terminal.ts";
import { createContentJsonSchema } from "../../../src/backend/content/json-schema.ts";
import { texts } from "./written.ts";

const DOCUMENT = readFileSync(join(findPackageRoot(), "docs", "content.md"), "utf8");
const blocks = Array.from(
  DOCUMENT.matchAll(/^```(\w+)\n(.*?)^```$/gms),
  ([, kind = "", text = ""]) => ({ kind, text }),
);
const environment = {
  CONTACT_HOOK: "https://hooks.example.com/contact",
  CONTACT_SECRET: "0123456789abcdef",
};

/** All YAML of the document in one directory, each block under the name in its first line. */
const directory = createFolder(afterAll);
mkdirSync(join(directory, "texts"));
writeFileSync(join(directory, "texts", "en.yaml"), texts[0]?.text ?? "");
for (const { text } of blocks.filter(({ kind }) => kind === "yaml")) {
  const name = /^# (\S+\.yaml)$/m.exec(text)?.[1] ?? "";
  writeFileSync(join(directory, name), text);
}

/** The keys that a table of the document explains, below a heading. */
function explained(heading: string): readonly string[] {
  const [, section = ""] = DOCUMENT.split(`\n## ${heading}\n`);
  const [table = ""] = section.split("\n## ");
  return Array.from(table.matchAll(/^\| `(\w+)`/gm), ([, key = ""]) => key);
}

function keysAt(...path: readonly string[]): readonly string[] {
  let at: unknown = createContentJsonSchema();
  for (const key of path) at = Object(at)[key];
  return Object.keys(Object(at));
}

test("the examples of docs/content.md form one content with the values that they show", async () => {
  const content = await loadContent(directory, { environment });
  const english = content.languages.get("en");
  expect(english?.items.map(({ id }) => id).toSorted()).toStrictEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(english?.categories).toMatchObject([{ slug: "the-shop" }, { slug: "our-branches" }]);
  expect(english?.customized).toStrictEqual({ welcome: 6 });
  expect(english?.items.find(({ id }) => id === 7)?.form?.webhook).toMatchObject({
    url: "https://hooks.example.com/contact",
    secret: "0123456789abcdef",
  });
  expect([...content.appData.keys()]).toStrictEqual(["shop", "facebook", "line"]);
});

test("every key is explained, and shown in an example", () => {
  expect(contentFileSchema.safeParse({}).success).toBe(true);
  const contentKeys = keysAt("properties", "contents", "items", "properties");
  expect(explained("A file")).toStrictEqual(keysAt("properties"));
  expect(explained("A content").toSorted()).toStrictEqual(contentKeys.toSorted());
  const yaml = blocks.filter(({ kind }) => kind === "yaml").map(({ text }) => text);
  const category = keysAt("properties", "categories", "items", "properties");
  for (const key of [...contentKeys, ...keysAt("properties"), ...category]) {
    // `published` would hide the example.
    if (key !== "published") expect(yaml.join("\n")).toMatch(new RegExp(`\\b${key}:`));
  }
});

test("a CSV file has a column for every key except those with more than a list of words", () => {
  const contentKeys = keysAt("properties", "contents", "items", "properties");
  const columns = [...COLUMN_NAMES, "actions", "form", "attributes"];
  expect(columns.toSorted()).toStrictEqual(contentKeys.toSorted());
});

test.each(["csv", "json"])("the %s file of docs/content.md can be imported", async (kind) => {
  const file = join(directory, `import.${kind}`);
  writeFileSync(file, blocks.find((block) => block.kind === kind)?.text ?? "");
  const result = await afterword([
    ...["backend", "import", file, "--language", "en", "--dry-run"],
    ...["--content", directory, "--database", join(directory, "none.db")],
  ]);
  expect(result).toMatchObject({ code: 0, out: expect.stringContaining("en: 1 new") });
});
