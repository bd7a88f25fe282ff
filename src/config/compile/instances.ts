import { listActiveDefaultContent } from "../../direct-answers/default-content.ts";
import { type Flag, toFlag } from "../../direct-answers/flags.ts";
import type { InstanceRules } from "../../direct-answers/types.ts";
import { DEFAULT_MATCHING, type MatchingSettings } from "../../matching/types.ts";
import type { TextFormat } from "../../locales/types.ts";
import { compileEscalation } from "./escalation.ts";
import { isEmbedded } from "../load/embedded.ts";
import { loadEngineTexts } from "../load/engine-texts.ts";
import type { SetCompiler } from "./table-sets.ts";
import { compileUpstream } from "./upstream.ts";
import type {
  CredentialsConfig,
  EscalationConfig,
  InstanceConfig,
  UpstreamConfig,
} from "../config.ts";
import type { WrittenConfig, WrittenCredentials, WrittenInstance } from "../schema/config.ts";
import { type Section, warnOfPlainSecret } from "../../yaml/section.ts";

/** Compiles every instance with its table set. If none is configured, one takes every request. */
export async function compileInstances(
  written: WrittenConfig,
  upstream: UpstreamConfig,
  escalation: EscalationConfig,
  sets: SetCompiler,
  whole: Section,
): Promise<readonly InstanceConfig[]> {
  const names = new Set<string>();
  const share = createSharer();
  const instances: InstanceConfig[] = [];
  // The default of an instance without a language must not come before the browser's language.
  const unknownLanguage = written.messages?.acceptLanguage === true ? "" : undefined;
  for (const [index, instance] of (written.instances ?? [DEFAULT_INSTANCE]).entries()) {
    const section = whole.at("instances", index);
    if (names.has(instance.name)) {
      const message = `there is another instance named "${instance.name}"`;
      section.at("name").error("duplicate", message);
    }
    names.add(instance.name);
    const own =
      instance.upstream === undefined
        ? upstream
        : compileUpstream(instance.upstream, upstream, section.at("upstream"));
    const formats = compileFormats(instance.format);
    const tagged =
      instance.language === undefined
        ? null
        : { tag: instance.language, section: section.at("language") };
    const settings = {
      own: instance.messages ?? {},
      section: section.at("messages"),
      global: written.messages ?? {},
      globalSection: whole.at("messages"),
    };
    const tableSet = await sets.add(settings, formats, tagged);
    const language =
      instance.language ?? unknownLanguage ?? sets.sets[tableSet]?.set.fallback ?? "en";
    const shared = share({
      upstream: own,
      language,
      rules: compileRules(instance, own, language, section),
      channel: instance.channel ?? "",
      channels: compileChannels(instance.channels),
      formats,
      variables: (instance.variables ?? []).map((name) => name.toLowerCase()),
      history: instance.history ?? "engine",
      escalation: compileEscalation(instance.escalation, escalation, section.at("escalation")),
      matching: compileMatching(written, instance, whole, section),
    });
    const credentials = compileCredentials(instance.credentials, section.at("credentials"));
    const { name } = instance;
    instances.push({
      name,
      match: compileMatch(instance.match ?? {}),
      tableSet,
      credentials,
      ...shared,
    });
  }
  return instances;
}

const DEFAULT_INSTANCE: WrittenInstance = { name: "default" };

type SharedSettings = Omit<InstanceConfig, "name" | "match" | "tableSet" | "credentials">;

/** Returns a function that gives instances with equal settings the same object. */
function createSharer(): (settings: SharedSettings) => SharedSettings {
  const known = new Map<string, SharedSettings>();
  return (settings) => {
    const key = JSON.stringify(settings);
    const shared = known.get(key) ?? settings;
    known.set(key, shared);
    return shared;
  };
}

function compileMatch(match: NonNullable<WrittenInstance["match"]>): InstanceConfig["match"] {
  const { apiKey, host, pathPrefix } = match;
  return {
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(host === undefined ? {} : { host: host.toLowerCase() }),
    ...(pathPrefix === undefined ? {} : { pathPrefix }),
  };
}

/** Merges an instance's settings with the global ones. If `offer` is null, the search decides. */
function compileMatching(
  all: WrittenConfig,
  { backend: own }: WrittenInstance,
  whole: Section,
  section: Section,
): MatchingSettings {
  const general = all.backend?.matching;
  const threshold = own?.matching?.threshold ?? general?.threshold ?? DEFAULT_MATCHING.threshold;
  const offer = own?.matching?.offer ?? general?.offer ?? DEFAULT_MATCHING.offer;
  if (offer !== null && offer > threshold) {
    const origin = own?.matching?.offer === undefined ? whole : section;
    const message = `offer is ${offer}, and the threshold ${threshold}: what is offered would be answered`;
    origin
      .at("backend", "matching", "offer")
      .error("invalid-value", message, `Write a number of ${threshold} at most, or leave it out.`);
  }
  return { threshold, offer };
}

/** Compiles the rules of an instance that the direct-answer decision needs. */
function compileRules(
  written: WrittenInstance,
  upstream: UpstreamConfig,
  language: string,
  section: Section,
): InstanceRules {
  const { active, replaced, warning } = listActiveDefaultContent(
    written.created ?? null,
    written.defaultContent ?? {},
  );
  // The embedded backend sends every flag, whatever the day.
  if (warning !== null && !isEmbedded(upstream.auth)) {
    section.at("name").warn("created-missing", warning);
  }
  const recognize = compileTitles(written.recognize ?? {}, section.at("recognize"));
  const replace = Object.fromEntries(replaced.map((flag) => [flag, textsOf(flag, language)]));
  for (const flag of replaced) {
    if (replace[flag]?.length !== 0 || Object.values(recognize).includes(flag)) continue;
    const message = `the default content of ${flag} is known by no title, and its text in "${language}" is not known either: nothing is replaced`;
    const hint = `Write recognize: { ${flag}: ["TITLE"] }; afterword doctor shows the title.`;
    section.at("defaultContent", flag).warn("never-fires", message, hint);
  }
  return {
    activeDefaultContent: active,
    replace,
    recognize,
    restoreFlags: written.restoreFlags ?? false,
  };
}

/** Lists the unedited text that the engine has for a flag in a language. Empty if it is not known. */
function textsOf(flag: Flag, language: string): readonly string[] {
  const text = loadEngineTexts(language)[flag];
  return text === undefined ? [] : [text];
}

function compileTitles(
  written: Readonly<Record<string, readonly string[]>>,
  section: Section,
): InstanceRules["recognize"] {
  // Titles from outside are looked up in it, so it has no prototype.
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

/**
 * Compiles the format of each channel. The key `""` stands for every other channel; default: html.
 */
function compileFormats(written: WrittenInstance["format"]): Record<string, TextFormat> {
  const formats: Record<string, TextFormat> = Object.create(null);
  const { default: other = "html", ...channels } =
    typeof written === "string" ? { default: written } : (written ?? {});
  formats[""] = other;
  for (const [channel, format] of Object.entries(channels)) formats[channel] = format;
  return formats;
}

/** x-inbenta-source in lower case → channel. */
function compileChannels(written: WrittenInstance["channels"]): Record<string, string> {
  const channels: Record<string, string> = Object.create(null);
  for (const [source, channel] of Object.entries(written ?? {})) {
    channels[source.toLowerCase()] = channel;
  }
  return channels;
}

/** Null if the instance has none. A secret written into the file itself gets a warning. */
function compileCredentials(
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
