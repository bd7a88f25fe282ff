import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import * as keeps from "./keeps.ts";

it("docs/runtimes.md states for each runtime what its suite measures", async () => {
  const page = await readFile(join(import.meta.dirname, "../../../docs/runtimes.md"), "utf8");
  const [, table = ""] = page.split("<!-- measured -->");
  const rows = table
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const columns = [keeps.node, keeps.wranglerDev, keeps.workerd];
  expect(rows[0]).toEqual(["kept", "Node", "Workers: `wrangler dev`", "Workers: in workerd"]);
  expect(rows.slice(2)).toEqual(
    Object.keys(keeps.node).map((name) => [
      name,
      ...columns.map((column) => column[name as keyof typeof column]),
    ]),
  );
});
