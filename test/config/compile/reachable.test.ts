import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { CompiledFile } from "../../../src/config/compile/lines.ts";
import { compileFile } from "../../../src/config/compile/lines.ts";
import { createTableCompiler, type TableCompiler } from "../../../src/config/compile/tables.ts";
import { createReporter } from "../../../src/yaml/diagnostic.ts";
import { type Origin, readMessages } from "../../../src/config/load/read-messages.ts";
import { createSource } from "../../../src/yaml/source.ts";
import { spoken } from "../workspace.ts";
import { runs } from "../../fixtures/runs.ts";

const KEYS = ["welcome", "end-form", "escalation.offer"] as const;

/** The state of a key in a file: missing, a text that needs no value, or one that does. */
const says = fc.constantFrom(null, "plain", "slotted");
const file = fc.record({ welcome: says, "end-form": says, "escalation.offer": says });
const locales = fc.subarray(["en", "fr", "fr-CA", "pt-BR"]);

interface Owner {
  readonly own: readonly string[];
  readonly texts: readonly (typeof file extends fc.Arbitrary<infer Said> ? Said : never)[];
}

const owner: fc.Arbitrary<Owner> = fc.record({
  own: locales,
  texts: fc.array(file, { minLength: 4, maxLength: 4 }),
});

let files = 0;

function compiled(origin: Origin, locale: string, kinds: Owner["texts"][number]): CompiledFile {
  const yaml = KEYS.flatMap((key) => {
    if (kinds[key] === null) return [];
    return `${key}: "${origin} ${locale} ${kinds[key]}${kinds[key] === "slotted" ? " {{query}}" : ""}"\n`;
  });
  const source = createSource(`${locale}.yaml`, yaml.join(""));
  const read = readMessages(source, locale, origin, createReporter());
  if (read === null) throw new Error("the file was expected to be valid");
  return compileFile(read, files++);
}

function layer(origin: Origin, names: readonly string[], texts: Owner["texts"]) {
  const pairs = names.map((locale, index) => {
    const kinds = texts[index];
    if (kinds === undefined) throw new Error("a file for each locale is needed");
    return [locale, compiled(origin, locale, kinds)] as const;
  });
  return new Map(pairs);
}

type Layers = readonly ReadonlyMap<string, CompiledFile>[];

async function tablesOf(compiler: TableCompiler, layers: Layers) {
  const formats = { "": "html" } as const;
  return compiler.compile({ layers, chains: {}, fallback: "en", formats });
}

test("with any owners and shipped tables, a table has the reachable lines in order, and nothing else", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(file, { minLength: 4, maxLength: 4 }),
      fc.array(owner, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      async (shippedTexts, owners, shippedFirst) => {
        const names = ["en", "fr", "fr-CA", "pt-BR"];
        const compiler = createTableCompiler();
        const shipped = layer("shipped", names, shippedTexts);
        const all = { welcome: "slotted", "end-form": null, "escalation.offer": null } as const;
        for (const { own, texts } of owners) {
          const order = (layers: Layers): Layers => (shippedFirst ? layers.toReversed() : layers);
          const layers = order([layer("own", own, texts), shipped]);
          const set = await tablesOf(compiler, layers);
          // If every file has a text that needs a value, all of them are candidates: the chain
          // itself.
          const open = (origin: Origin, some: readonly string[]) =>
            layer(
              origin,
              some,
              some.map(() => all),
            );
          const chains = await tablesOf(
            createTableCompiler(),
            order([open("own", own), open("shipped", names)]),
          );
          for (const locale of names) {
            for (const key of KEYS) {
              const expected: string[] = [];
              for (const step of spoken(chains, locale, "welcome")) {
                const [origin = "", code = ""] = step.split(" ");
                const from = layers.find((one) => [...one.values()][0]?.file.origin === origin);
                const text = from?.get(code)?.file.lines.get(key)?.text;
                if (text === undefined) continue;
                expected.push(`${origin} ${code} ${text}`);
                if (!text.includes("{{")) break;
              }
              expect(spoken(set, locale, key)).toEqual(expected);
            }
          }
        }
      },
    ),
    { numRuns: runs(150) },
  );
});

test("owners of the same texts in one language share its table, whatever they say in another", async () => {
  const compiler = createTableCompiler();
  const text = { welcome: "plain", "end-form": null, "escalation.offer": null } as const;
  const shipped = layer("shipped", ["en", "fr"], [text, text]);
  const french = compiled("own", "fr", text);
  const set = async () =>
    tablesOf(compiler, [
      new Map([
        ["en", compiled("own", "en", text)],
        ["fr", french],
      ]),
      shipped,
    ]);
  const [one, other] = [await set(), await set()];
  expect(one.channels[""]?.["fr"]).toBe(other.channels[""]?.["fr"]);
  expect(one.channels[""]?.["en"]).not.toBe(other.channels[""]?.["en"]);
});
