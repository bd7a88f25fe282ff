import { type Section, warnOfPlainSecret } from "../../yaml/section.ts";
import type { InsightsConfig, InsightsWebhook } from "../config.ts";
import { readAddress } from "../schema/address.ts";
import type { WrittenConfig } from "../schema/config.ts";

/** Null if nothing is counted. */
export function compileInsights(
  written: WrittenConfig["insights"],
  section: Section,
): InsightsConfig | null {
  if (written === undefined) return null;
  const { store = "file", questions = false, retention = 90 * 86_400_000, webhook } = written;
  if (URL.parse(store)?.password) warnOfPlainSecret(section.at("store").key);
  if (webhook !== undefined) checkWebhook(webhook, section.at("webhook"));
  return { store, questions, retention, webhook: webhook ?? null };
}

function checkWebhook({ url }: InsightsWebhook, section: Section): void {
  warnOfPlainSecret(section.at("secret").key);
  const refuse = (message: string): void => section.at("url").error("invalid-value", message);
  const address = URL.parse(url);
  if (address === null) {
    refuse("an address such as https://hooks.example.com/insights is needed here");
    return;
  }
  if (address.username !== "" || address.password !== "") {
    refuse("an address must not carry a user or password: the secret signs what is sent");
  }
  if (url.includes("#")) refuse("an address must not have a fragment");
  // The owner names the host, so it may be private. Plain http is accepted for private hosts only.
  const reached = readAddress(address.origin);
  if (reached.kind === "refused") refuse(reached.message);
}
