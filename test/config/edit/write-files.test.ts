import { chmod, lstat, readdir, readFile, stat, symlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeFiles } from "../../../src/config/edit/write-files.ts";
import { workspace } from "../workspace.ts";

test("files are written with their directories, and nothing else is left", async () => {
  const directory = await workspace({ "a.yaml": "old" });
  const files = ["a.yaml", "new/b.yaml"].map((name) => ({
    file: join(directory, name),
    text: name,
  }));
  expect(await writeFiles(files)).toBeNull();
  expect((await readdir(directory, { recursive: true })).sort()).toEqual([
    "a.yaml",
    "new",
    "new/b.yaml",
  ]);
  expect(await readFile(join(directory, "a.yaml"), "utf8")).toBe("a.yaml");
});

test("permissions and symbolic links stay", async () => {
  const directory = await workspace({ "real.yaml": "old" });
  await chmod(join(directory, "real.yaml"), 0o640);
  await symlink("real.yaml", join(directory, "link.yaml"));
  expect(await writeFiles([{ file: join(directory, "link.yaml"), text: "new" }])).toBeNull();
  expect((await lstat(join(directory, "link.yaml"))).isSymbolicLink()).toBe(true);
  expect(await readFile(join(directory, "real.yaml"), "utf8")).toBe("new");
  expect((await stat(join(directory, "real.yaml"))).mode & 0o777).toBe(0o640);
});

test("when one file can't be written, none is", async () => {
  const directory = await workspace({ "a.yaml": "old", file: "" });
  const failure = await writeFiles([
    { file: join(directory, "a.yaml"), text: "new" },
    { file: join(directory, "new", "folder", "c.yaml"), text: "new" },
    { file: join(directory, "file", "b.yaml"), text: "new" },
  ]);
  expect(failure?.message).toBe(
    `${join(directory, "file", "b.yaml")} can't be written (EEXIST): a part of its path is a file, name another folder`,
  );
  expect(await readFile(join(directory, "a.yaml"), "utf8")).toBe("old");
  expect((await readdir(directory)).sort()).toEqual(["a.yaml", "file"]);
});

test("drafts of a killed process are removed with the next write, and no other hidden file", async () => {
  const abandoned = [".a.yaml.0123456789ab", ".gone.fr.yaml.0123456789ab", ".s.json.0123456789ab"];
  const others = [".a.yaml", ".env.0123456789ab", ".b.yaml.backup", "c.yaml.0123456789ab"];
  const names = [...abandoned, ...others, ".new.yaml.0123456789ab"];
  const directory = await workspace(Object.fromEntries(names.map((name) => [name, "x"])));
  const then = new Date(Date.now() - 120_000);
  for (const name of [...abandoned, ...others]) await utimes(join(directory, name), then, then);
  expect(await writeFiles([{ file: join(directory, "a.yaml"), text: "new" }])).toBeNull();
  // The last may belong to a process that is still writing.
  const kept = [...others, ".new.yaml.0123456789ab", "a.yaml"];
  expect((await readdir(directory)).toSorted()).toEqual(kept.toSorted());
});
