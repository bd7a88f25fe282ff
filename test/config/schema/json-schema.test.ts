import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configJsonSchema, messagesJsonSchema } from "../../../build/config-schemas.ts";
import { documentedKeys } from "../../../build/documented-keys.ts";
import { isObject } from "../../../src/json/values.ts";
import { findPackageRoot } from "../../../src/config/load/package-root.ts";
import { FLAG_FACTS } from "../../../src/direct-answers/flags.ts";

async function published(name: string): Promise<unknown> {
  return JSON.parse(await readFile(join(findPackageRoot(), "schema", name), "utf8"));
}

test("the published schemas are up to date (npm run schemas)", async () => {
  expect(await published("afterword.schema.json")).toEqual(configJsonSchema());
  expect(await published("messages.schema.json")).toEqual(messagesJsonSchema());
});

test("the schema describes each key as the docs do, with its default", () => {
  const schemas = new Map<string, unknown>();
  read(configJsonSchema(), "");
  for (const key of documentedKeys().keys()) expect([...schemas.keys()]).toContain(key);
  expect([...schemas].filter(([, one]) => !hasDescription(one)).map(([key]) => key)).toEqual([]);
  expect(schemas.get("listen.port")).toMatchObject({
    description: "0 takes a free one. `--port` and `PORT` win.",
    default: 8787,
  });
  expect(schemas.get("limits.inFlightPerClient")).toHaveProperty(
    "description",
    expect.stringContaining("Default: a quarter of `inFlight`, at least 32."),
  );
  // An instance's own setting replaces the global one, whose default is not the instance's.
  expect(schemas.get("instances[].escalation.atMost")).toHaveProperty("description");
  expect(schemas.get("instances[].escalation.atMost")).not.toHaveProperty("default");

  function read(shape: unknown, path: string): void {
    if (!isObject(shape)) return;
    const { properties = {}, items, anyOf = [] } = shape;
    if (isObject(properties))
      for (const [name, one] of Object.entries(properties)) {
        const key = path === "" ? name : `${path}.${name}`;
        schemas.set(key, one);
        read(one, key);
      }
    read(items, `${path}[]`);
    if (Array.isArray(anyOf)) for (const one of anyOf) read(one, path);
  }

  /** Keys of a mapping that stand in a section of their own need none. */
  function hasDescription(shape: unknown): boolean {
    return isObject(shape) && ("description" in shape || shape["properties"] !== undefined);
  }
});

test("the schema lists every flag, and when the engine sends it", async () => {
  const { properties } = messagesJsonSchema();
  for (const { name, returnedWhen } of FLAG_FACTS) {
    expect(properties).toHaveProperty([name, "description"], expect.stringContaining(returnedWhen));
  }
  expect(properties).toHaveProperty(["related-title", "description"]);
  expect(properties).toHaveProperty("conversation-link.deprecated", true);
});

test("a duration is a string for editors, and unknown keys are refused", () => {
  const schema = configJsonSchema();
  expect(schema).toMatchObject({ required: ["version", "upstream"], additionalProperties: false });
  expect(JSON.stringify(schema["properties"])).toContain("(?:ms|s|m|h|d)");
});

test("the schema lists every field of a line, and no field that a condition can't have", () => {
  const { $defs } = messagesJsonSchema();
  const details = ["line", "anyOf", 1, "properties"];
  for (const field of ["text", "variants", "plural", "channels", "when", "format"]) {
    expect($defs).toHaveProperty([...details, field, "description"]);
  }
  const condition = [...details, "when", "items"];
  for (const field of ["instance", "channel", "env", "userType", "source", "lang"]) {
    expect($defs).toHaveProperty([...condition, "properties", field, "description"]);
  }
  expect($defs).toHaveProperty([...condition, "additionalProperties"], false);
  expect($defs).toHaveProperty([...condition, "patternProperties"]);
  for (const { text } of FLAG_FACTS) {
    expect(JSON.stringify(messagesJsonSchema())).toContain(text);
  }
});
