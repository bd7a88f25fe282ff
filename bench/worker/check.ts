// npm run check:bundle: builds the worker as it would be deployed, and fails when it weighs or costs more than it may.
import { type Budget, bundleBudgets } from "./budgets.ts";
import { buildBundle, startupCpu } from "./build.ts";

const rounds = 5;

const starts: number[] = [];
const budgets: Budget[] = [...bundleBudgets(await buildBundle())];
for (let round = 0; round < rounds; round++) starts.push(await startupCpu());
const median = starts.toSorted((one, other) => one - other)[Math.floor(rounds / 2)] ?? 0;
budgets.push({
  name: `start-up, median of ${rounds}`,
  measured: median,
  limit: 50,
  unit: "ms CPU",
});

for (const { name, measured, limit, unit } of budgets) {
  const verdict = measured <= limit ? "ok" : "TOO MUCH";
  console.log(
    `${name.padEnd(34)} ${measured.toFixed(1).padStart(6)} of ${limit} ${unit}  ${verdict}`,
  );
}
if (budgets.some(({ measured, limit }) => measured > limit)) process.exitCode = 1;
