import { FLAGS, toFlag } from "../../direct-answers/flags.ts";
import { OWN_LINES } from "../../locales/own-lines.ts";
import type { OwnWords } from "../../locales/recognition.ts";
import { parseTag, toSpokenLanguage } from "../../locales/tag.ts";
import type { Reporter } from "../../yaml/diagnostic.ts";
import { didYouMean, guessOf } from "../../yaml/nearest.ts";
import { isOwnLine, LINE_KEYS, lineSchema, wordsSchema } from "../schema/messages.ts";
import type { WrittenChannelLine, WrittenCondition, WrittenLine } from "../schema/messages.ts";
import { parseWith } from "../../yaml/schema-issues.ts";
import { isText } from "../schema/values.ts";
import { START, type Source } from "../../yaml/source.ts";
import { parseYaml, type YamlFile } from "../../yaml/yaml.ts";

export type Origin = "own" | "shipped";

/** One key's texts, with every shorthand expanded. */
export interface MessageLine extends WrittenChannelLine {
  readonly channels: Readonly<Record<string, WrittenChannelLine>>;
  readonly when: readonly WrittenCondition[];
  /** The key as the file writes it, to locate it in the file. */
  readonly writtenKey: string;
}

/** One messages file, validated; its texts are not yet parsed. */
export interface MessagesFile {
  readonly yaml: YamlFile;
  readonly locale: string;
  readonly origin: Origin;
  readonly lines: ReadonlyMap<string, MessageLine>;
  /** Null if the file adds no words. */
  readonly words: OwnWords | null;
}

/** Reads a messages file's text. Mistakes are reported; the lines without mistakes are kept. */
export function readMessages(
  source: Source,
  locale: string,
  origin: Origin,
  reporter: Reporter,
): MessagesFile | null {
  const yaml = parseYaml(source, reporter);
  if (yaml === null) return null;
  const lines = new Map<string, MessageLine>();
  let words: OwnWords | null = null;
  if (yaml.value === null) return { yaml, locale, origin, lines, words };
  if (typeof yaml.value !== "object" || Array.isArray(yaml.value)) {
    reporter.error(source, START, "invalid-value", "a mapping from flags to texts is needed here");
    return null;
  }
  for (const [writtenKey, value] of Object.entries(yaml.value)) {
    if (writtenKey === "words" && origin === "own") {
      const written = parseWith(wordsSchema, yaml, value, reporter, [writtenKey]);
      if (written !== null) words = { language: toSpokenLanguage(locale), ...written };
      continue;
    }
    if (isLanguageKey(writtenKey, value)) {
      const message = `"${writtenKey}" is a language, and a file of texts is named for its language: its keys are flags`;
      const hint = `Leave out the line ${writtenKey}: and move the lines below it to the left. They belong into ${writtenKey}.yaml.`;
      reporter.error(source, yaml.locate([writtenKey], "key"), "unknown-flag", message, hint);
      continue;
    }
    const key = keyOf(writtenKey, yaml, reporter);
    if (key === null) continue;
    if (lines.has(key)) {
      const span = yaml.locate([writtenKey], "key");
      const message = `"${key}" appears twice, under two names`;
      reporter.error(source, span, "duplicate", message, null, { name: key });
      continue;
    }
    // Most lines are one text, which needs no schema.
    const line = isText(value) ? value : parseWith(lineSchema, yaml, value, reporter, [writtenKey]);
    if (line !== null) lines.set(key, normalise(line, writtenKey));
  }
  return { yaml, locale, origin, lines, words };
}

/** True for the root key of files that other programs make: `de:` above all texts. */
function isLanguageKey(key: string, value: unknown): boolean {
  if (typeof value !== "object" || value === null || toFlag(key) !== null) return false;
  return (
    /^[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*$/i.test(key) && !isOwnLine(key) && parseTag(key) !== null
  );
}

function keyOf(written: string, yaml: YamlFile, reporter: Reporter): string | null {
  const flag = toFlag(written);
  if (flag === written || written === "related-title" || isOwnLine(written)) return written;
  const span = yaml.locate([written], "key");
  if (flag !== null) {
    const message = `"${written}" is the old name of the flag ${flag}`;
    const params = { old: written, name: flag };
    reporter.warn(yaml.source, span, "renamed-flag", message, `Write ${flag}.`, params);
    return flag;
  }
  if (written.startsWith("escalation.")) {
    const guess = didYouMean(written, OWN_LINES);
    const message = `unknown line "${written}".${guess === "" ? ` The lines are: ${OWN_LINES.join(", ")}` : guess}`;
    const params = { name: written, ...guessOf(written, OWN_LINES) };
    reporter.error(yaml.source, span, "unknown-key", message, null, params);
    return null;
  }
  const known = [...LINE_KEYS, "conversation-link", ...OWN_LINES, "words"];
  const guess = didYouMean(written, known);
  const message = `unknown flag "${written}".${guess === "" ? ` The flags are: ${FLAGS.join(", ")}` : guess}`;
  const params = { name: written, ...guessOf(written, known) };
  reporter.error(yaml.source, span, "unknown-flag", message, null, params);
  return null;
}

function normalise(line: WrittenLine, writtenKey: string): MessageLine {
  if (typeof line === "string") {
    return { text: line, channels: NO_CHANNELS, when: NO_CONDITIONS, writtenKey };
  }
  const channels = Object.entries(line.channels ?? {}).map(([channel, written]) => [
    channel,
    typeof written === "string" ? { text: written } : written,
  ]);
  return {
    ...line,
    channels: Object.fromEntries(channels),
    when: line.when ?? [],
    writtenKey,
  };
}

const NO_CHANNELS: MessageLine["channels"] = Object.freeze({});
const NO_CONDITIONS: MessageLine["when"] = Object.freeze([]);
