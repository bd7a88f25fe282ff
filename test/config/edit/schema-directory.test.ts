import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findSchemaDirectory } from "../../../src/config/edit/schema-directory.ts";
import { workspace } from "../workspace.ts";

const FILES = {
  "package/schema/afterword.schema.json": "{}",
  "package/schema/messages.schema.json": "[]",
};

test("an installed package's own schemas are pointed at", async () => {
  const directory = await workspace(FILES);
  await mkdir(join(directory, "bot", "node_modules"), { recursive: true });
  await mkdir(join(directory, "bot", "config"));
  await symlink(join(directory, "package"), join(directory, "bot", "node_modules", "afterword"));
  const place = findSchemaDirectory(join(directory, "bot", "config"), join(directory, "package"));
  expect(place).toEqual({ fromConfig: "../node_modules/afterword/schema", copies: [] });
});

test("a checkout's own schemas are pointed at", async () => {
  const directory = await workspace(FILES);
  const root = join(directory, "package");
  expect(findSchemaDirectory(join(root, "my", "bot"), root)).toEqual({
    fromConfig: "../../schema",
    copies: [],
  });
});

test("schemas of a package that is somewhere else are copied", async () => {
  const directory = await workspace(FILES);
  const { fromConfig, copies } = findSchemaDirectory(
    join(directory, "bot"),
    join(directory, "package"),
  );
  expect(fromConfig).toBe("./schema");
  expect(copies).toEqual([
    { file: join(directory, "bot", "schema", "afterword.schema.json"), text: "{}" },
    { file: join(directory, "bot", "schema", "messages.schema.json"), text: "[]" },
  ]);
});
