import { expect, test } from "vitest";
import { coverageOf } from "../../../src/config/check/coverage.ts";
import { FLAGS } from "../../../src/direct-answers/flags.ts";
import { load, MINIMAL } from "../workspace.ts";

test("coverage shows for every key and locale whose text is used", async () => {
  const config = await load({
    "afterword.yaml": `${MINIMAL}instances:
  - { name: old, created: 2018-06-01, match: { apiKey: a } }
  - { name: new, created: 2019-06-01, match: { apiKey: b }, recognize: { welcome: [Welcome] } }
  - { name: said, created: 2019-06-01, defaultContent: { welcome: replace } }
`,
    "messages/fr.yaml": "welcome: Salut\n",
    "messages/de.yaml": "end-form: Fertig\n",
  });
  const [old, recent, replacing] = coverageOf(config);
  expect(old?.keys).toEqual([...FLAGS, "related-title"]);
  expect(old?.locales).toEqual(["de", "en", "fr"]);
  expect(old?.states["welcome"]).toEqual({ de: "inherited", en: "shipped", fr: "own" });
  expect(old?.states["end-form"]).toEqual({ de: "own", en: "missing", fr: "missing" });
  expect(recent?.instance).toBe("new");
  expect(recent?.states["no-results"]).toEqual({ de: "never", en: "never", fr: "never" });
  // Recognized default content keeps its own words, so the text is not said there either.
  expect(recent?.states["welcome"]).toEqual({ de: "never", en: "never", fr: "never" });
  expect(recent?.states["end-form"]).toEqual({ de: "own", en: "missing", fr: "missing" });
  // Where it is replaced, and known by the engine's text, the line is said.
  expect(replacing?.states["welcome"]).toEqual({ de: "inherited", en: "shipped", fr: "own" });
  expect(replacing?.states["no-results"]).toEqual({ de: "never", en: "never", fr: "never" });
});
