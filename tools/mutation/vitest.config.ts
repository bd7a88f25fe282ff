import { defineConfig } from "vitest/config";

// The tests that one part of the core is measured with: its own, quick ones, as `run.ts` names them.
export default defineConfig({
  test: {
    include: (process.env["AFTERWORD_MUTATION_TESTS"] ?? "").split(" "),
    setupFiles: ["./test/setup.ts"],
    testTimeout: 60_000,
  },
});
