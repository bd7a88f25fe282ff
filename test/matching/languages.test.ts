import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { askLanguages } from "../../bench/intents/languages.ts";

const results = askLanguages(fileURLToPath(new URL("languages", import.meta.url)));

describe("hand-written questions of every shipped language", () => {
  it.each(results)(
    "at least 18 of 20 are answered right in $locale",
    ({ locale, right, of, wrong }) => {
      console.log(`${locale}: ${right} of ${of}`);
      expect(of).toBe(20);
      expect(right >= 18 ? [] : wrong).toEqual([]);
    },
  );
});
