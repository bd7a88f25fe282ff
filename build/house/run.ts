/** The house in numbers: `npm run house -- --help`; CONTRIBUTING.md says what they are for. */
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { measureSources } from "./house.ts";
import { reportOf } from "./report.ts";

const USAGE = `npm run house -- [options]
Measures src/: size, folders, imports, lines, types and names.
Each number stands beside its target, and is marked where it misses it.
  --lists        all names behind each number, not only the worst three
  --json         the same as JSON, with all names`;

const root = dirname(dirname(import.meta.dirname));
process.exitCode = main(process.argv.slice(2));

/** @returns the exit code: 0 whatever the numbers are, 2 for an unknown option */
function main(args: readonly string[]): number {
  const options = optionsOf(args);
  if (options === null) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const measures = measureSources(root);
  process.stdout.write(
    options.json ? `${JSON.stringify(measures, null, 2)}\n` : reportOf(measures, options.lists),
  );
  return 0;
}

function optionsOf(args: readonly string[]) {
  const flag = { type: "boolean", default: false } as const;
  try {
    return parseArgs({ args: [...args], options: { lists: flag, json: flag, help: flag } }).values;
  } catch {
    return null;
  }
}
