import { activeDefaultContent } from "../direct-answers/default-content.ts";
import { type Flag, toFlag } from "../direct-answers/flags.ts";
import type { InstanceRules } from "../direct-answers/types.ts";
import type { TextFormat } from "../locales/types.ts";
import type { CredentialsConfig } from "./config.ts";
import type { WrittenCredentials, WrittenInstance } from "./schema-config.ts";
import { type Section, warnOfPlainSecret } from "./section.ts";

/** What the direct-answer decision needs of an instance. */
export function compileRules(written: WrittenInstance, section: Section): InstanceRules {
  const { active, warning } = activeDefaultContent(
    written.created ?? null,
    written.defaultContent ?? {},
  );
  if (warning !== null) section.at("name").warn("created-missing", warning);
  return {
    activeDefaultContent: active,
    recognize: compileTitles(written.recognize ?? {}, section.at("recognize")),
    restoreFlags: written.restoreFlags ?? false,
  };
}

function compileTitles(
  written: Readonly<Record<string, readonly string[]>>,
  section: Section,
): InstanceRules["recognize"] {
  // Looked up by titles from outside, so it inherits nothing.
  const titles: Record<string, Flag> = Object.create(null);
  for (const [name, list] of Object.entries(written)) {
    const flag = toFlag(name);
    if (flag === null) continue;
    if (flag !== name) {
      const message = `"${name}" is the old name of the flag ${flag}`;
      section.at(name).key.warn("renamed-flag", message, `Write ${flag}.`);
    }
    for (const [index, title] of list.entries()) {
      const key = title.trim().toLowerCase();
      const other = titles[key];
      if (other !== undefined && other !== flag) {
        const message = `this title already stands for ${other}`;
        section.at(name, index).error("duplicate", message);
      }
      titles[key] = flag;
    }
  }
  return titles;
}

/** Formats by channel; `""` is every other's, html unless the instance says otherwise. */
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
  section: Section,
): CredentialsConfig | null {
  if (written === undefined) return null;
  for (const name of ["secret", "chatSecret"]) warnOfPlainSecret(section.at(name).key);
  return {
    apiKey: written.apiKey ?? null,
    secret: written.secret ?? null,
    chatApp: written.chatApp ?? null,
    chatSecret: written.chatSecret ?? null,
    room: written.room ?? null,
  };
}
