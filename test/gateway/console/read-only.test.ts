import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DRAFT_OPERATIONS } from "../../../src/gateway/console/draft-operations.ts";
import { CONFIG, served } from "./console.ts";

test("console: { edit: false } refuses every operation that writes texts, to the admin token too", async () => {
  const english = 'no-results: "Nothing."\n';
  const { api, directory } = await served({
    "afterword.yaml": `${CONFIG}console: { edit: false }\n`,
    "messages/en.yaml": english,
  });
  const writing = DRAFT_OPERATIONS.filter(({ method }) => method !== "get");
  expect(writing.map(({ path }) => path)).toContain("draft/publish");
  for (const { method, path } of writing) {
    const target = path
      .replace("{locale}", "en")
      .replace("{key}", "no-results")
      .replace("{id}", "1");
    const json = { instance: "shop", text: "Other words.", files: {}, changes: [] };
    const { status, body } = await api(target, { method: method.toUpperCase(), json });
    expect([path, status]).toEqual([path, 403]);
    expect(JSON.stringify(body)).toContain("console: { edit: false }");
  }
  expect((await api("session")).body).toMatchObject({ editable: false, readOnly: true });
  for (const path of ["texts?instance=shop", "history", "audit"]) {
    expect([path, (await api(path)).status]).toEqual([path, 200]);
  }
  expect(await readFile(join(directory, "messages/en.yaml"), "utf8")).toBe(english);
});

test("a configuration without console allows texts to be changed", async () => {
  const { api } = await served({ "messages/en.yaml": 'no-results: "Nothing."\n' });
  expect((await api("session")).body).toMatchObject({ editable: true, readOnly: false });
  const json = { instance: "shop", text: "Other words." };
  expect((await api("draft/en/no-results", { method: "PUT", json })).status).toBe(200);
});
