import { toFlag } from "../direct-answers/flags.ts";
import type { CheckedSet } from "./check.ts";
import type { Reporter } from "./diagnostic.ts";
import { hidesFlag } from "./coverage.ts";
import type { MessagesFile } from "./read-messages.ts";

/**
 * Warns of the owner's lines for flags that the engine hides on every instance that would say them.
 */
export function checkNever(file: MessagesFile, set: CheckedSet, reporter: Reporter): void {
  for (const [key, line] of file.lines) {
    const flag = toFlag(key);
    if (flag === null || set.instances.length === 0) continue;
    if (!set.instances.every((instance) => hidesFlag(instance, flag))) continue;
    const message = `default content is active on ${set.instances.map(({ name }) => name).join(", ")}, so the flag ${flag} does not come and this is never said`;
    const hint = `Name the content's title under recognize, or switch it off and say defaultContent: { ${flag}: inactive }.`;
    const span = file.yaml.locate([line.writtenKey], "key");
    reporter.warn(file.yaml.source, span, "never-fires", message, hint);
  }
}
