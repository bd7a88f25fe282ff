import { defineConfig } from "vitest/config";

// `unit`: in process, no server but the ones a test opens on a free port. `e2e`: spawned processes of the real command line.
// Suites that need something from outside (PostgreSQL, Redis, a browser) have their own scripts and configuration.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/e2e/**", "test/browser/**"],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          testTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
