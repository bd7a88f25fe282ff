import { toFlag } from "../../direct-answers/flags.ts";
import type {
  ChatHandOver,
  EscalationConfig,
  HoursConfig,
  IdentityConfig,
  TriggerConfig,
  TriggerRule,
  HandoffStep,
} from "../escalation-config.ts";
import { isEmbedded } from "../load/embedded.ts";
import { compileHours } from "./opening-hours.ts";
import { withWritten } from "./inherited-settings.ts";
import type { WrittenChat, WrittenEscalation, WrittenRule } from "../schema/escalation.ts";
import { type Section, warnOfPlainSecret } from "../../yaml/section.ts";
import type { Config, CredentialsConfig, InstanceConfig } from "../config.ts";

/**
 * Merges an instance's settings with the common or default ones, key by key. Lists, rooms and weeks
 * are replaced as a whole.
 */
export function compileEscalation(
  written: WrittenEscalation | undefined,
  inherited: EscalationConfig,
  section: Section,
): EscalationConfig {
  if (written === undefined) return inherited;
  if (typeof written.chat?.hookSecret === "string") {
    warnOfPlainSecret(section.at("chat", "hookSecret").key);
  }
  const triggers = compileTriggers(written.triggers ?? {}, inherited.triggers);
  if (written.triggers?.negative !== undefined && triggers.negativeRatings === 0) {
    const message = "this has no effect while negativeRatings is 0";
    const hint = "Write negativeRatings: 1, or remove negative.";
    section.at("triggers", "negative").key.warn("idle-setting", message, hint);
  }
  const { hours, identity = {}, chat = {}, ticket = {}, ...plain } = written;
  return withWritten(inherited, {
    ...plain,
    triggers,
    identity: compileIdentity(identity, inherited.identity),
    hours: hoursOf(hours, inherited.hours, section.at("hours")),
    chat: compileChat(chat, inherited.chat),
    ticket: withWritten(inherited.ticket, ticket),
  });
}

function hoursOf(
  written: WrittenEscalation["hours"],
  inherited: HoursConfig | null,
  section: Section,
): HoursConfig | null {
  if (written === undefined) return inherited;
  return written === "always" ? null : compileHours(written, inherited, section);
}

function compileTriggers(
  { flags, rules, ...written }: NonNullable<WrittenEscalation["triggers"]>,
  inherited: TriggerConfig,
): TriggerConfig {
  return withWritten(inherited, {
    ...written,
    flags: flags?.flatMap((name) => toFlag(name) ?? []),
    rules: rules?.map(compileRule),
  });
}

/** Replaces old names of flags. `escalate` and `no-rating` are no flags, but are allowed here. */
function compileRule({ flag, when = {}, ...written }: WrittenRule): TriggerRule {
  return { ...written, flag: flag === undefined ? flag : (toFlag(flag) ?? flag), when };
}

function compileIdentity(
  { ask, consent, variables, claims }: NonNullable<WrittenEscalation["identity"]>,
  inherited: IdentityConfig,
): IdentityConfig {
  const readVariableName = (name: "name" | "email"): string | null => {
    const written = variables?.[name];
    return written === undefined ? inherited.variables[name] : (written?.toLowerCase() ?? null);
  };
  return {
    ask: ask ?? inherited.ask,
    consent: consent ?? inherited.consent,
    variables: { name: readVariableName("name"), email: readVariableName("email") },
    claims: withWritten(inherited.claims, claims ?? {}),
  };
}

function compileChat({ survey, ...written }: WrittenChat, inherited: ChatHandOver): ChatHandOver {
  return withWritten(inherited, {
    ...written,
    survey: typeof survey === "number" ? String(survey) : survey,
  });
}

/**
 * Reports instances that hand over by themselves and lack credentials for a step of their ladder.
 * An embedded service needs none, because the backend in this process has generated or demo
 * credentials.
 */
export function requireCredentials(instances: Config["instances"], section: Section): void {
  for (const [index, instance] of instances.entries()) {
    if (instance.escalation.mode !== "managed") continue;
    const reported = new Set<string>();
    for (const step of instance.escalation.ladder) {
      for (const key of missingFor(step, instance)) {
        if (reported.has(key)) continue;
        reported.add(key);
        const message = `"${instance.name}" hands over by itself, and its step "${step}" needs ${key}, which is missing`;
        const hint = `Add it, or leave ${step} out of escalation.ladder.`;
        const hasNone = instance.credentials === null || !key.startsWith("credentials");
        const setting = section.at(index, hasNone ? "name" : "credentials");
        setting.key.error("missing-key", message, hint);
      }
    }
  }
}

function missingFor(step: HandoffStep, instance: InstanceConfig): readonly string[] {
  const { credentials, upstream, escalation } = instance;
  if (step === "ticket") {
    const base = upstream.apis["ticketing"] ?? upstream.auth;
    return isEmbedded(base) ? [] : listLacking(credentials, ["apiKey", "secret"]);
  }
  if (upstream.chat === null) return ["upstream.chat"];
  if (isEmbedded(upstream.chat)) return [];
  const room = escalation.chat.rooms === null ? (["room"] as const) : [];
  return listLacking(credentials, ["chatApp", "chatSecret", ...room]);
}

function listLacking(
  credentials: CredentialsConfig | null,
  keys: readonly (keyof CredentialsConfig)[],
): readonly string[] {
  return keys
    .filter((key) => (credentials?.[key] ?? null) === null)
    .map((key) => `credentials.${key}`);
}
