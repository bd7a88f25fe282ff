import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { formSchema } from "../../../src/backend/forms/schema.ts";
import { readAllowedHost } from "../../../src/backend/webhooks/allowed.ts";
import { configSchema } from "../../../src/config/schema/config.ts";

const docs = readFileSync(join(import.meta.dirname, "../../../docs/forms.md"), "utf8");
const [form, configuration] = [...docs.matchAll(/^```yaml\n(.*?)^```$/gms)].map(
  ([, yaml = ""]) => parse(yaml) as Record<string, unknown>,
);

it("the form in docs/forms.md is valid", () => {
  const parsed = formSchema.parse(form?.["form"]);
  expect(parsed.fields.map(({ name, type }) => `${name} ${type}`)).toEqual([
    "email email",
    "topic list",
    "number text",
  ]);
});

it("the allow list in docs/forms.md is valid for the configuration and the caller", () => {
  const good = [
    "hooks.example.com",
    ".example.com",
    "127.0.0.1:9000",
    "[::1]:80",
    "müller.example",
  ];
  const bad = ["", "*", "https://a.example", "a.example/x", "a b", "::1", ".", "a.example:x"];
  const base = { version: 1, upstream: "embedded" };
  expect(configSchema.safeParse({ ...base, ...configuration }).success).toBe(true);
  for (const entry of [...good, ...bad]) {
    const taken = configSchema.safeParse({ ...base, backend: { webhooks: [entry] } }).success;
    expect([entry, taken, readAllowedHost(entry) !== null]).toEqual([
      entry,
      good.includes(entry),
      good.includes(entry),
    ]);
  }
});
