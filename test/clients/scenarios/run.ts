import { startDemoGateway } from "./gateway.ts";
import { play } from "./play.ts";
import { readOptions } from "../../../bench/options.ts";
import type { Played } from "./play.ts";
import { SCENARIOS, WORDS } from "./scenarios.ts";

readOptions({
  name: "npm run scenarios -- answers",
  about:
    "Plays every direct answer through the gateway and the embedded engine, in every language of the scenarios, and shows both texts.",
  options: {},
  fails: "one did not come true",
});
const gateway = await startDemoGateway();
let came = 0;
let all = 0;
try {
  for (const words of WORDS) {
    print(`\n${new Intl.DisplayNames(["en"], { type: "language" }).of(words.language)}\n`);
    for (const scenario of SCENARIOS) {
      const played = await play(gateway.url, scenario, words);
      all += 1;
      if (comesTrue(played)) came += 1;
      show(played);
    }
  }
} finally {
  await gateway.close();
}
print(
  `\n${came} of ${all} scenarios came true (${SCENARIOS.length} flags, ${WORDS.length} languages)`,
);
process.exitCode = came === all ? 0 : 1;

function comesTrue({ answer, engine }: Played): boolean {
  return answer !== null && engine !== null && answer.message !== engine;
}

function show(played: Played): void {
  const { scenario, answer, engine, flags } = played;
  print(`${comesTrue(played) ? "yes" : "NO "} ${scenario.flag.padEnd(28)}${scenario.cause}`);
  if (answer === null) print(`      the last response had ${flags.join(", ") || "no flag"}`);
  else
    print(`      engine: ${engine ?? "nothing in its history"}\n      reader: ${answer.message}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
