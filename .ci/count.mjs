// Adds up the suites' JSON reports and closes the run: what failed and why, then `N passed, M failed`. A failed step without a
// failed test counts too.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const [directory = "", ...steps] = process.argv.slice(2);
let passed = 0;
let failed = 0;
for (const step of steps) console.log(`\nFAILED step: ${step}`);
for (const file of readdirSync(directory)) {
  const report = JSON.parse(readFileSync(join(directory, file), "utf8"));
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  for (const { name, status, message, assertionResults } of report.testResults) {
    const tests = assertionResults.filter((test) => test.status === "failed");
    for (const test of tests) show(name, test.fullName, test.failureMessages.join("\n"));
    if (status === "failed" && tests.length === 0) show(name, "the file itself", message);
  }
}
failed = Math.max(failed, steps.length);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

/** The end of a long run is what is read first, and often all that is kept of it. */
function show(file, test, message) {
  const lines = message.split("\n").slice(0, 12).join("\n");
  console.log(`\nFAILED ${relative(process.cwd(), file)}: ${test}\n${lines}`);
}
