import type { Config, CredentialsConfig, InstanceConfig } from "./config.ts";
import type { HandoffStep } from "./escalation-config.ts";
import type { Section } from "./section.ts";

/**
 * Reports instances that hand over by themselves and lack what a step of their ladder calls with. A
 * service that is embedded needs nothing: the backend in this process knows its own demo
 * credentials, or the generated ones.
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
        const place = section.at(index, hasNone ? "name" : "credentials");
        place.key.error("missing-key", message, hint);
      }
    }
  }
}

function missingFor(step: HandoffStep, instance: InstanceConfig): readonly string[] {
  const { credentials, upstream, escalation } = instance;
  if (step === "ticket") {
    const base = upstream.apis["ticketing"] ?? upstream.auth;
    return isEmbedded(base) ? [] : lacking(credentials, ["apiKey", "secret"]);
  }
  if (upstream.chat === null) return ["upstream.chat"];
  if (isEmbedded(upstream.chat)) return [];
  const room = escalation.chat.rooms === null ? (["room"] as const) : [];
  return lacking(credentials, ["chatApp", "chatSecret", ...room]);
}

function isEmbedded(base: string): boolean {
  return base.startsWith("embedded:");
}

function lacking(
  credentials: CredentialsConfig | null,
  keys: readonly (keyof CredentialsConfig)[],
): readonly string[] {
  return keys
    .filter((key) => (credentials?.[key] ?? null) === null)
    .map((key) => `credentials.${key}`);
}
