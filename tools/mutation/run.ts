// npm run test:mutation [-- PART…]: changes the core in a thousand small ways and asks whether a
// test notices. What is noticed stays noticed: a part is measured anew only where it changed.
import { Stryker } from "@stryker-mutator/core";

/** Parts of the core, each with the quick tests that are about it. */
const PARTS: Readonly<Record<string, { readonly files: string; readonly tests: string }>> = {
  json: { files: "src/json/**/*.ts", tests: "test/json/**/*.test.ts" },
  "direct-answers": {
    files: "src/direct-answers/**/*.ts",
    tests: "test/direct-answers/**/*.test.ts",
  },
  gates: {
    files:
      "src/gateway/{exchange/headers,message/{conversation,direct-answers-middleware,message},rewriter/rewriter,upstream/gates}.ts",
    tests:
      "test/gateway/{exchange/{headers,latest-exchanges,target},message/{direct-answers-middleware,message,recall},rewriter/rewriter}.test.ts",
  },
  locales: {
    files: "src/locales/!(own-lines|phrases|recognition|shipped|spoken-form|types).ts",
    tests:
      "test/{locales/{accept-language,lines,markup,negotiate,plain-text},escalation/records/transcript}.test.ts",
  },
  recognition: {
    files: "src/locales/{phrases,recognition,spoken-form}.ts",
    tests: "test/locales/phrases.test.ts",
  },
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
for (const [part, { files, tests }] of Object.entries(PARTS)) {
  if (asked.length > 0 && !asked.includes(part)) continue;
  process.env["AFTERWORD_MUTATION_TESTS"] = tests;
  // A thousand changes are looked at: each by fewer inputs than usual.
  process.env["AFTERWORD_SUITE"] ??= "fast";
  process.env["JSON_RUNS"] ??= "300";
  const cache = `node_modules/.cache/mutation/${part}`;
  const results = await new Stryker({
    mutate: [files],
    testRunner: "vitest",
    vitest: { configFile: "tools/mutation/vitest.config.ts", related: false },
    coverageAnalysis: "perTest",
    // A busy machine makes a test slow, and a slow test notices nothing.
    timeoutMS: 30_000,
    timeoutFactor: 4,
    dryRunTimeoutMinutes: 30,
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
