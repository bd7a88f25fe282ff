import { activeDefaultContent } from "../direct-answers/default-content.ts";
import { type Flag, toFlag } from "../direct-answers/flags.ts";
import type { InstanceRules } from "../direct-answers/types.ts";
import type { TextFormat } from "../locales/types.ts";
import type { CredentialsConfig } from "./config.ts";
import type { Reporter } from "./diagnostic.ts";
import type { WrittenCredentials, WrittenInstance } from "./written-config.ts";
import type { Path, YamlFile } from "./yaml.ts";

/** What the direct-answer decision needs of an instance. */
export function compileRules(
  written: WrittenInstance,
  file: YamlFile,
  path: Path,
  reporter: Reporter,
): InstanceRules {
  const { active, warning } = activeDefaultContent(
    written.created ?? null,
    written.defaultContent ?? {},
  );
  if (warning !== null) {
    reporter.warn(file.source, file.locate([...path, "name"]), "created-missing", warning);
  }
  return {
    activeDefaultContent: active,
    recognize: compileTitles(written.recognize ?? {}, file, [...path, "recognize"], reporter),
    restoreFlags: written.restoreFlags ?? false,
  };
}

function compileTitles(
  written: Readonly<Record<string, readonly string[]>>,
  file: YamlFile,
  path: Path,
  reporter: Reporter,
): InstanceRules["recognize"] {
  // Looked up by titles from outside, so it inherits nothing.
  const titles: Record<string, Flag> = Object.create(null);
  for (const [name, list] of Object.entries(written)) {
    const flag = toFlag(name);
    if (flag === null) continue;
    if (flag !== name) {
      const message = `"${name}" is the old name of the flag ${flag}`;
      const span = file.locate([...path, name], "key");
      reporter.warn(file.source, span, "renamed-flag", message, `Write ${flag}.`);
    }
    for (const [index, title] of list.entries()) {
      const key = title.trim().toLowerCase();
      const other = titles[key];
      if (other !== undefined && other !== flag) {
        const message = `this title already stands for ${other}`;
        reporter.error(file.source, file.locate([...path, name, index]), "duplicate", message);
      }
      titles[key] = flag;
    }
  }
  return titles;
}

/**
 * The format of each channel; `""` is that of every other, html unless the instance says otherwise.
 */
export function compileFormats(written: WrittenInstance["format"]): Record<string, TextFormat> {
  const formats: Record<string, TextFormat> = Object.create(null);
  const { default: plain = "html", ...channels } =
    typeof written === "string" ? { default: written } : (written ?? {});
  formats[""] = plain;
  for (const [channel, format] of Object.entries(channels)) formats[channel] = format;
  return formats;
}

/** x-inbenta-source in lower case → channel. */
export function compileChannels(written: WrittenInstance["channels"]): Record<string, string> {
  const channels: Record<string, string> = Object.create(null);
  for (const [source, channel] of Object.entries(written ?? {})) {
    channels[source.toLowerCase()] = channel;
  }
  return channels;
}

/** Null when the instance has none. A secret that stands in the file itself is worth a warning. */
export function compileCredentials(
  written: WrittenCredentials | undefined,
  file: YamlFile,
  path: Path,
  reporter: Reporter,
): CredentialsConfig | null {
  if (written === undefined) return null;
  for (const name of ["secret", "chatSecret"] as const) {
    warnOfPlainSecret(file, [...path, name], reporter);
  }
  return {
    apiKey: written.apiKey ?? null,
    secret: written.secret ?? null,
    chatApp: written.chatApp ?? null,
    chatSecret: written.chatSecret ?? null,
    room: written.room ?? null,
  };
}

/** Warns of a secret that stands in the file itself. */
export function warnOfPlainSecret(file: YamlFile, path: Path, reporter: Reporter): void {
  const literal = file.written(path);
  if (literal === null || literal.includes("${")) return;
  const message = `a secret stands in this file; anybody who may read it may use it`;
  const hint = "Write ${NAME} and set that variable.";
  reporter.warn(file.source, file.locate(path, "key"), "plain-secret", message, hint);
}
