import { join } from "node:path";
import { defineConfig } from "vitest/config";

// `unit`: in process, no server but those a test opens on a free port. `e2e`: spawned processes of the real command line.
// `browser`, `redis`, `postgres` and `package` are run by their own scripts, because they need Chromium, a Redis server,
// PostgreSQL and a build.
const suite = process.env["AFTERWORD_SUITE"] ?? "";
const reports = process.env["AFTERWORD_REPORT_DIR"];

const projects = {
  unit: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/{e2e,browser,package,postgres,redis}/**"],
  },
  e2e: { include: ["test/e2e/**/*.test.ts"], fileParallelism: false, testTimeout: 60_000 },
  browser: { include: ["test/browser/**/*.test.ts"], fileParallelism: false, testTimeout: 60_000 },
  redis: { include: ["test/redis/**/*.test.ts"], fileParallelism: false, testTimeout: 60_000 },
  postgres: {
    include: ["test/postgres/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
  package: { include: ["test/package/**/*.test.ts"], testTimeout: 180_000, hookTimeout: 180_000 },
};
const chosen = suite === "" ? ["unit", "e2e"] : [suite];

export default defineConfig({
  test: {
    reporters:
      reports === undefined
        ? ["default"]
        : [
            "default",
            ["json", { outputFile: join(reports, `${suite === "" ? "main" : suite}.json`) }],
          ],
    projects: Object.entries(projects)
      .filter(([name]) => chosen.includes(name))
      .map(([name, test]) => ({ test: { name, testTimeout: 20_000, ...test } })),
  },
});
