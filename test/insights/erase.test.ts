import { existsSync, readFileSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { eraseInsights } from "../../src/insights/erase.ts";
import { openInsightsDatabase } from "../../src/insights/tables.ts";
import { ask, openStoreAt } from "./asking.ts";

it("leaves no word of a question in the files while a server has them open", async () => {
  const { database, time, write } = await openStoreAt("2026-11-01T10:00:00Z", {});
  const asked = { at: time.now, instance: "shop", language: "en", session: "reader" };
  await write([ask({ ...asked, typed: "Do zeppelins need a licence?" })]);
  const { name } = database;
  const isThere = () =>
    [name, `${name}-wal`].some(
      (file) => existsSync(file) && readFileSync(file, "latin1").includes("zeppelin"),
    );
  expect(isThere()).toBe(true);
  const command = await openInsightsDatabase(name);
  onTestFinished(() => command.close());
  expect(await eraseInsights(command, { instances: ["shop"], demo: false })).toBeGreaterThan(0);
  expect(isThere()).toBe(false);
});
