import { expect, test } from "vitest";
import { createReporter } from "../../src/yaml/diagnostic.ts";
import { createSource } from "../../src/yaml/source.ts";
import { reviewSource } from "../../src/config/translation/review.ts";
import { cpuTime } from "../fixtures/cpu-time.ts";
import type { Workbook } from "../../src/config/edit/workbook.ts";

const workbook = { locales: ["en", "fr"], sourceLocale: "en" } as unknown as Workbook;

function faultsOf(text: string): readonly string[] {
  const reporter = createReporter();
  reviewSource(createSource("import", text), workbook, reporter);
  return reporter.diagnostics().map(({ message }) => message);
}

test("a file is given up at its first fault of XML", async () => {
  const took = await cpuTime(() => {
    expect(faultsOf("<".repeat(4_000_000))).toHaveLength(1);
  });
  expect(took).toBeLessThan(5000);
});

test("elements within each other take time in proportion to their number", async () => {
  const deep = `${"<mrk>".repeat(150_000)}x${"</mrk>".repeat(150_000)}`;
  const text = `<xliff version="1.2"><file target-language="xx"><trans-unit id="welcome"><target>${deep}</target></trans-unit></file></xliff>`;
  const took = await cpuTime(() => {
    expect(faultsOf(text)).toHaveLength(1);
  });
  expect(took).toBeLessThan(10_000);
});

test("a file with more than 20,000 rows is refused as a whole", () => {
  const rows = "xx,welcome,own,Welcome,Hello,\n".repeat(20_001);
  const [fault, ...others] = faultsOf(`locale,key,origin,source,target,comment\n${rows}`);
  expect(fault).toContain("at most 20000 are read");
  expect(others).toEqual([]);
});

test("rows with faults are compared no further than 200", () => {
  const rows = "xx,welcome,own,Welcome,Hello,\n".repeat(20_000);
  const faults = faultsOf(`locale,key,origin,source,target,comment\n${rows}`);
  expect(faults.at(-1)).toBe("there are too many mistakes to go on");
});
