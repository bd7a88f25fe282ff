/** The house in numbers: `npm run house -- --help`; CONTRIBUTING.md says what they are for. */
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { measureSources } from "./house.ts";
import { reportOf } from "./report.ts";
import { ways } from "./requests/ways.ts";

const USAGE = `npm run house -- [options]
Measures src/: its size, folders, imports, lines, types and names, and how many of its files a
message and a ticket go through. Each number stands beside its target, and is marked where it
misses it.
  --lists          all names behind each number, not only the worst three
  --json           the same as JSON, with all names
  --no-requests    starts no program: leaves out the files of a message and of a ticket`;

const root = dirname(dirname(import.meta.dirname));
process.exitCode = await main(process.argv.slice(2));

/** @returns the exit code: 0 whatever the numbers are, 2 for an unknown option */
async function main(args: readonly string[]): Promise<number> {
  const options = optionsOf(args);
  if (options === null) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const measures = [...measureSources(root), ...(options["no-requests"] ? [] : await ways(root))];
  process.stdout.write(
    options.json ? `${JSON.stringify(measures, null, 2)}\n` : reportOf(measures, options.lists),
  );
  return 0;
}

function optionsOf(args: readonly string[]) {
  const flag = { type: "boolean", default: false } as const;
  const options = { lists: flag, json: flag, help: flag, "no-requests": flag };
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch {
    return null;
  }
}
