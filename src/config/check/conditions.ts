import { DEFAULT_CONTENT_TITLES } from "../../direct-answers/default-content.ts";
import { toFlag } from "../../direct-answers/flags.ts";
import type { CheckedSet } from "./checked-set.ts";
import type { Config } from "../config.ts";
import { hidesFlag } from "./coverage.ts";
import type { DiagnosticParams, Reporter } from "../../yaml/diagnostic.ts";
import { didYouMean, guessOf } from "../../yaml/nearest.ts";
import type { MessagesFile } from "../load/read-messages.ts";
import { type ConditionFields, fieldsOf } from "../schema/messages.ts";
import { sectionOf } from "../../yaml/section.ts";

/** Warns of conditions and channel texts that no request can reach. */
export function checkConditions(file: MessagesFile, known: KnownNames, reporter: Reporter): void {
  const section = sectionOf(file.yaml, reporter);
  for (const line of file.lines.values()) {
    const earlier: ConditionFields[] = [];
    for (const [index, condition] of line.when.entries()) {
      const path = [line.writtenKey, "when", index];
      const fields = fieldsOf(condition);
      for (const [field, value] of fields) {
        const problem = findImpossible(field, String(value), known);
        if (problem === null) continue;
        section.at(...path, field).warn("condition-unknown", problem.message, null, problem.params);
      }
      if (
        earlier.some((before) => before.every((one) => fields.some((two) => isSameField(one, two))))
      ) {
        const message = "this is never said: an earlier condition fits whenever this one does";
        section.at(...path).warn("condition-covered", message, null, {});
      }
      earlier.push(fields);
    }
    for (const channel of Object.keys(line.channels)) {
      if (known.channels.has(channel)) continue;
      const setting = section.at(line.writtenKey, "channels", channel);
      const { message, params } = describeMissingChannel(channel, known);
      setting.key.warn("condition-unknown", message, null, params);
    }
  }
}

/** Warns of own lines for flags that the engine hides on every instance with these lines. */
export function checkHiddenFlags(file: MessagesFile, set: CheckedSet, reporter: Reporter): void {
  for (const [key, line] of file.lines) {
    const flag = toFlag(key);
    if (flag === null || set.instances.length === 0) continue;
    if (!set.instances.every((instance) => hidesFlag(instance, flag))) continue;
    const names = set.instances.map(({ name }) => name).join(", ");
    const message = `default content is active on ${names}, so the flag ${flag} does not come and this is never said`;
    const title = DEFAULT_CONTENT_TITLES[flag] ?? "TITLE";
    const recognize = `recognize: { ${flag}: ["${title}"] }`;
    const replaced = `defaultContent: { ${flag}: replace }`;
    const inactive = `defaultContent: { ${flag}: inactive }`;
    const hint = `Write ${replaced} and ${recognize} in that instance (afterword doctor shows the title), or switch the content off at the vendor and write ${inactive}.`;
    const section = sectionOf(file.yaml, reporter, [line.writtenKey]);
    const params = { bots: names, replace: `${replaced}, ${recognize}`, inactive };
    section.key.warn("hidden-line", message, hint, params);
  }
}

/** The names that conditions may use. */
export interface KnownNames {
  readonly instances: ReadonlySet<string>;
  readonly channels: ReadonlySet<string>;
  readonly variables: ReadonlySet<string>;
}

/** The whole configuration's names, collected once and not per file of ten thousand instances. */
export function collectKnownNames({ instances }: Config): KnownNames {
  return {
    instances: new Set(instances.map(({ name }) => name)),
    channels: new Set(
      instances.flatMap(({ channel, channels, formats }) => [
        channel,
        ...Object.values(channels),
        ...Object.keys(formats),
      ]),
    ),
    variables: new Set(instances.flatMap(({ variables }) => variables)),
  };
}

interface Impossible {
  readonly message: string;
  readonly params: DiagnosticParams;
}

function findImpossible(field: string, value: string, known: KnownNames): Impossible | null {
  if (field === "instance" && !known.instances.has(value)) {
    const message = `there is no instance "${value}".${didYouMean(value, known.instances)}`;
    return { message, params: { name: value, ...guessOf(value, known.instances) } };
  }
  if (field === "channel" && !known.channels.has(value))
    return describeMissingChannel(value, known);
  if (!field.startsWith("variables.")) return null;
  const name = field.slice("variables.".length).toLowerCase();
  if (known.variables.has(name)) return null;
  const message = `no instance lists the variable "${name}".${didYouMean(name, known.variables)}`;
  return { message, params: { name, ...guessOf(name, known.variables) } };
}

function describeMissingChannel(channel: string, known: KnownNames): Impossible {
  const channels = [...known.channels].filter((name) => name !== "");
  const message = `no instance speaks through the channel "${channel}"; only the header x-afterword-channel can name it.${didYouMean(channel, channels)}`;
  return { message, params: { name: channel, ...guessOf(channel, channels) } };
}

function isSameField(
  [field, value]: ConditionFields[0],
  [other, fields]: ConditionFields[0],
): boolean {
  return field.toLowerCase() === other.toLowerCase() && String(value) === String(fields);
}
