import { type Section, warnOfPlainSecret } from "../../yaml/section.ts";
import type { MailConfig } from "../config.ts";
import type { WrittenConfig } from "../schema/config.ts";

/** Compiles the e-mail of tickets; null without any. Reports settings that contradict each other. */
export function compileMail({ backend }: WrittenConfig, section: Section): MailConfig | null {
  const mail = backend?.mail;
  if (mail === undefined) return null;
  const { inbound, secret = null, acknowledge = null } = mail;
  if (inbound === "webhook" && secret === null) {
    section
      .at("inbound")
      .key.error("invalid-value", "mails to the webhook are signed: set secret too, as ${NAME}");
  }
  if (inbound !== "webhook" && secret !== null) {
    section.at("secret").key.error("invalid-value", "only inbound: webhook needs a secret");
  }
  for (const key of ["smtp", "inbound"] as const) {
    const address = mail[key];
    if (address !== undefined && URL.parse(address)?.password) {
      warnOfPlainSecret(section.at(key).key);
    }
  }
  if (secret !== null) warnOfPlainSecret(section.at("secret").key);
  return {
    smtp: mail.smtp,
    from: mail.from,
    acknowledge,
    inbound: inbound === undefined ? null : toInbound(inbound, secret ?? ""),
  };
}

function toInbound(inbound: string, secret: string): MailConfig["inbound"] {
  return inbound === "webhook" ? { kind: "webhook", secret } : { kind: "imap", address: inbound };
}
