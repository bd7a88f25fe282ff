// Adds up the suites' JSON reports and closes the run: `N passed, M failed`. A failed step without a failed test counts too.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [directory = "", steps = "0"] = process.argv.slice(2);
let passed = 0;
let failed = 0;
for (const file of readdirSync(directory)) {
  const report = JSON.parse(readFileSync(join(directory, file), "utf8"));
  passed += report.numPassedTests;
  failed += report.numFailedTests;
}
failed = Math.max(failed, Number(steps));
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
