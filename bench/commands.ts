/**
 * The commands that measure and test: `npm run bench -- NAME`, `npm run chaos -- NAME` and so on.
 */
export const COMMANDS = {
  bench: {
    compare: "bench/compare/run.ts",
    cpu: "bench/cpu/run.ts",
    gate: "bench/cpu/gate.ts",
    "first-message": "bench/first-message.ts",
    intents: "bench/intents/run.ts",
    backend: "bench/backend/run.ts",
    chat: "bench/chat/run.ts",
    search: "bench/search/run.ts",
    worker: "bench/worker/run.ts",
    bundle: "bench/worker/check.ts",
    insights: "bench/insights/run.ts",
    recount: "bench/insights/recount.ts",
  },
  chaos: {
    backend: "test/chaos/backend/run.ts",
    chat: "test/chaos/chat/run.ts",
    console: "test/chaos/console/run.ts",
    desk: "test/chaos/desk/run.ts",
    escalation: "test/chaos/escalation/run.ts",
  },
  scenarios: {
    answers: "test/clients/scenarios/run.ts",
    desk: "test/clients/scenarios/desk.ts",
  },
} as const;

if (import.meta.main) {
  const [script = "", name = ""] = process.argv.splice(2, 2);
  const files = new Map(
    Object.entries(Object.entries(COMMANDS).find(([one]) => one === script)?.[1] ?? {}),
  );
  const file = files.get(name);
  if (file === undefined) {
    console.error(
      `npm run ${script} -- NAME [options], where NAME is one of: ${[...files.keys()].join(", ")}. NAME --help explains one.`,
    );
    process.exitCode = 2;
  } else {
    const { href } = new URL(`../${file}`, import.meta.url);
    await import(href);
  }
}
