import { defineConfig } from "vitest/config";

// The tests that one part of the core is measured with: its own, quick ones, as `run.ts` names them.
export default defineConfig({
  test: {
    include: [process.env["AFTERWORD_MUTATION_TESTS"] ?? ""],
    setupFiles: ["./test/setup.ts"],
    testTimeout: 60_000,
    expect: { poll: { timeout: 30_000, interval: 20 } },
  },
});
