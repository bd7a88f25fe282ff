import { availableParallelism } from "node:os";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { secrets } from "./test/clients/conformance/configuration.ts";
import { credentials } from "./test/clients/conformance/handing-over.ts";
import { findTagged } from "./test/suites.ts";

// `unit` is everything that needs nothing installed, and what `npm run test:all` runs. The suites `main`, `fast` and `long` each
// run a part of it (test/suites.ts).
// `browser`, `servers`, `package` and `worker` are run by their own scripts, because they need Chromium, PostgreSQL, Redis and mail servers,
// a build, and workerd.
const suite = process.env["AFTERWORD_SUITE"] ?? "";
const reports = process.env["AFTERWORD_REPORT_DIR"];

// Every open SQLite file has a thread of its own, and some tests start processes: without this, each of them strips the types
// of its modules and compiles them anew, which was nearly half of such tests' time. Node keys what it keeps by content.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules/.cache/compiled");

// Tests of this suite start hundreds of processes. From its sources each would load a thousand modules, which is half of its CPU time.
const builds = suite === "long";
if (builds) process.env["AFTERWORD_BUILT"] = join(import.meta.dirname, "node_modules/.cache/built");

// Some tests wait for sockets and clocks most of their time.
const maxWorkers = Math.ceil(availableParallelism() * 1.5);
// `.ci/run` has the long suite beside others, and its tests start processes.
const fewer = { maxWorkers: availableParallelism() };

const unit = {
  include: ["test/**/*.test.ts"],
  exclude: [
    "test/{backend/mail/servers,clients/package,pages/browser,runtime/{redis,workerd},storage/postgres}/**/*.test.ts",
  ],
  // Loading the modules anew for every file took a third of all time. A test that changes what others see puts it back.
  isolate: false,
  setupFiles: ["./test/setup.ts"],
  maxWorkers,
};
const tagged = findTagged();
const slow = new Set(
  [...tagged.slow, ...tagged.long].map((file) => join(import.meta.dirname, file)),
);

/** A new checkout knows no times and sorts by size, which puts short files with long tests last: one worker would end alone. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { true: first = [], false: later = [] } = Object.groupBy(
      await super.sort(files),
      ({ moduleId }) => `${slow.has(moduleId)}` as const,
    );
    return [...first, ...later];
  }
}

const suites: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  "": { unit },
  main: { unit: { ...unit, exclude: [...unit.exclude, ...tagged.long, ...tagged.all] } },
  fast: {
    unit: { ...unit, exclude: [...unit.exclude, ...tagged.slow, ...tagged.long, ...tagged.all] },
  },
  long: { unit: { ...unit, ...fewer, include: tagged.long } },
  browser: {
    browser: {
      include: ["test/pages/browser/**/*.test.ts"],
      // Modules, pages without types and Chromium are loaded once for each worker, not for every file.
      isolate: false,
      setupFiles: ["./test/setup.ts"],
      maxWorkers: 2,
    },
  },
  servers: {
    postgres: { include: ["test/storage/postgres/**/*.test.ts"], maxWorkers: 2 },
    mail: { include: ["test/backend/mail/servers/**/*.test.ts"], maxWorkers: 2 },
    redis: {
      include: ["test/runtime/redis/**/*.test.ts"],
      fileParallelism: false,
      // Projects of different numbers of workers run one after the other.
      sequence: { groupOrder: 1 },
    },
  },
  package: { package: { include: ["test/clients/package/**/*.test.ts"] } },
  worker: { worker: { include: ["test/runtime/workerd/*.test.ts"], maxWorkers: 2 } },
};

export default defineConfig({
  test: {
    reporters:
      reports === undefined
        ? ["default"]
        : [
            "default",
            ["json", { outputFile: join(reports, `${suite === "" ? "all" : suite}.json`) }],
          ],
    // What passes says so in a line for its file; what it prints is shown when it fails.
    silent: "passed-only",
    ...(builds && { globalSetup: "./test/runtime/processes/build.ts" }),
    // Other suites have projects in an order of their own.
    ...("unit" in (suites[suite] ?? {}) && { sequence: { sequencer: SlowFirst } }),
    slowTestThreshold: 10_000,
    projects: Object.entries(suites[suite] ?? {})
      .map(([name, test]) => ({
        // Limits end what hangs, and no test is about speed: whoever waits does so as long as a slow or busy machine takes.
        test: {
          name,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 60_000, interval: 20 } },
          // A failure that occurs only on another machine must show all that it found.
          chaiConfig: { truncateThreshold: 2_000 },
          ...test,
        },
      }))
      .concat(suite === "worker" ? await insideWorkerd() : []),
  },
});

/** A static asset of the worker that compile.ts wrote. */
async function builtAsset({ url }: { readonly url: string }): Promise<Response> {
  const file = join(import.meta.dirname, "dist/pages", new URL(url).pathname);
  return readFile(file).then(
    (bytes) => new Response(bytes),
    () => new Response(null, { status: 404 }),
  );
}

/** The worker's tests that run in workerd itself. The plugin is loaded only for them. */
async function insideWorkerd() {
  const { cloudflareTest } = await import("@cloudflare/vitest-plugin");
  const projects = [
    { folder: "workerd", name: "workerd", built: "worker-under-test", switches: {} },
    {
      folder: "escalation",
      name: "workerd, handing over",
      built: "worker-handing-over",
      switches: {},
    },
    {
      folder: "disabled",
      name: "workerd, disabled",
      built: "worker-disabled",
      switches: { AFTERWORD_DISABLE: "1" },
    },
  ];
  return projects.map(({ folder, name, built, switches }) => ({
    resolve: { alias: { "afterword-compiled": join(import.meta.dirname, `dist/${built}.json`) } },
    plugins: [
      cloudflareTest({
        main: "./src/runtime/worker/main.ts",
        miniflare: {
          cf: false,
          compatibilityDate: "2026-10-01",
          // The tests themselves use some of Node.
          compatibilityFlags: ["nodejs_compat"],
          durableObjects: {
            AFTERWORD_CONVERSATIONS: { className: "Conversation", useSQLite: true },
            AFTERWORD_INSIGHTS: { className: "Insights", useSQLite: true },
          },
          kvNamespaces: ["AFTERWORD_TEXTS"],
          serviceBindings: { AFTERWORD_ASSETS: builtAsset },
          bindings: { ...secrets, ...credentials, ...switches },
        },
      }),
    ],
    test: {
      name,
      maxWorkers: 2,
      include: [`test/runtime/workerd/${folder}/*.test.ts`],
      globalSetup: `./test/runtime/workerd/${folder}/setup.ts`,
      testTimeout: 180_000,
      hookTimeout: 180_000,
      expect: { poll: { timeout: 60_000, interval: 20 } },
    },
  }));
}
