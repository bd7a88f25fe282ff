import { type Section, warnOfPlainSecret } from "../../yaml/section.ts";
import type { MailConfig } from "../config.ts";
import type { WrittenConfig } from "../schema/config.ts";

/** Compiles the e-mail of tickets, or null. Settings that contradict each other are reported. */
export function compileMail({ backend }: WrittenConfig, section: Section): MailConfig | null {
  const mail = backend?.mail;
  if (mail === undefined) return null;
  const { inbound, secret = null, acknowledge = null } = mail;
  if (inbound === "webhook" && secret === null) {
    section
      .at("inbound")
      .key.error(
        "invalid-value",
        "mails that come by the webhook are signed: give secret too, as ${NAME}",
      );
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
    inbound:
      inbound === undefined
        ? null
        : inbound === "webhook"
          ? { kind: "webhook", secret: secret ?? "" }
          : { kind: "imap", address: inbound },
  };
}
