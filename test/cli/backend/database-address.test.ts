import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "../../../src/backend/storage/open-database.ts";
import { MINIMAL, workspace } from "../../config/workspace.ts";
import { afterword } from "../terminal.ts";

const address = "postgress://bot:hunter2@db/x";

test.each([
  [["backend"]],
  [["backend", "init"]],
  [["backend", "key", "add", "x"]],
  [["backend", "key", "list"]],
  [["backend", "import", "x.csv"]],
  [["backend", "backup", "x"]],
  [["backend", "migrate"]],
  [["backend", "report"]],
  [["backend", "erase", "--user", "1", "--yes"]],
])("%j refuses a database of an unknown scheme in one line, and makes no file", async (argv) => {
  const result = await afterword([...argv, "--database", address]);
  expect(result).toEqual({
    code: 2,
    out: "",
    error: '--database: "postgress:" is no scheme of a database. Did you mean "postgres://…"?\n',
  });
  expect((await readdir(".")).filter((name) => name.startsWith("postgress"))).toEqual([]);
});

test("a key is not made in a database whose scheme is misspelt in the configuration", async () => {
  const directory = await workspace({
    "afterword.yaml": `${MINIMAL}backend: { database: "${address}" }\n`,
  });
  const result = await afterword([
    ...["backend", "key", "add", "x"],
    ...["--config", join(directory, "afterword.yaml")],
  ]);
  expect(result).toMatchObject({ code: 1, out: "" });
  expect(result.error).toContain(
    '"postgress:" is no scheme of a database. Did you mean "postgres:',
  );
  expect((await readdir(directory)).filter((name) => name.startsWith("postgress"))).toEqual([]);
});

test("a program that opens a database of an unknown scheme gets the same refusal", async () => {
  await expect(openDatabase(address)).rejects.toMatchObject({
    code: "database-unusable",
    message: expect.not.stringContaining("hunter2"),
  });
});

test.each([
  "postgres://bot:12#hunter@db/x",
  "postgres://bot:12/hunter@db/x",
  "postgres://bot:12?hunter@db/x",
])("%s, whose password is cut in two, is refused with how to write it", async (address) => {
  await expect(openDatabase(address)).rejects.toMatchObject({
    message: expect.stringMatching(/^(?!.*(?:hunter|12)).*percent-encoded$/),
  });
});
