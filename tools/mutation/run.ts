// npm run test:mutation [-- PART…]: changes the core in a thousand small ways and asks whether a
// test notices. What is noticed stays noticed: a part is measured anew only where it changed.
import { Stryker } from "@stryker-mutator/core";

/** Parts of the core, each with the quick tests that are about it. */
const PARTS: Readonly<Record<string, string>> = {
  json: "test/json/**/*.test.ts",
  "direct-answers": "test/direct-answers/**/*.test.ts",
  locales: "test/locales/**/*.test.ts",
};

/** Per cent of the changes that a test has to notice. */
const WANTED = 85;

const asked = process.argv.slice(2);
const unknown = asked.find((part) => !Object.hasOwn(PARTS, part));
if (unknown !== undefined) {
  console.error(`There is no part "${unknown}". There are: ${Object.keys(PARTS).join(", ")}.`);
  process.exit(2);
}

const missed: string[] = [];
for (const part of asked.length > 0 ? asked : Object.keys(PARTS)) {
  process.env["AFTERWORD_MUTATION_TESTS"] = PARTS[part];
  // A thousand changes are looked at: each by fewer documents than usual.
  process.env["JSON_RUNS"] ??= "300";
  const cache = `node_modules/.cache/mutation/${part}`;
  const results = await new Stryker({
    mutate: [`src/${part}/**/*.ts`],
    testRunner: "vitest",
    vitest: { configFile: "tools/mutation/vitest.config.ts", related: false },
    coverageAnalysis: "perTest",
    // Some changes of a pattern are none that JavaScript reads, and end the run.
    mutator: { excludedMutations: ["Regex"] },
    // The repository's TypeScript has no API in JavaScript; nothing here needs it.
    tsconfigFile: "none",
    disableTypeChecks: false,
    tempDirName: `${cache}/sandbox`,
    ignorePatterns: ["bench", "dist", "docs", "tools/*/node_modules"],
    incremental: true,
    incrementalFile: `${cache}/incremental.json`,
    reporters: ["clear-text", "progress-append-only", "html"],
    htmlReporter: { fileName: `${cache}/report.html` },
    clearTextReporter: { logTests: false, reportTests: false },
  }).runMutationTest();
  const count = (...kinds: string[]): number =>
    results.filter(({ status }) => kinds.includes(status)).length;
  const [found, survived] = [count("Killed", "Timeout"), count("Survived", "NoCoverage")];
  const share = (100 * found) / (found + survived);
  console.log(`${part}: ${found} of ${found + survived} noticed, ${share.toFixed(1)} %`);
  console.log(`What was not: ${cache}/report.html`);
  if (share < WANTED) missed.push(part);
}
if (missed.length > 0) {
  console.error(`Below ${WANTED} %: ${missed.join(", ")}`);
  process.exit(1);
}
