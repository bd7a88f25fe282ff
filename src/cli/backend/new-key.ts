import { randomBytes } from "node:crypto";
import type { CredentialEntry } from "../../backend/auth/credentials.ts";
import { formatLabelled } from "./print-list.ts";

export interface KeyRequest {
  readonly project: string;
  /** 1 to 5. */
  readonly factor: number;
  /** Domains that browsers may use a domain key from; empty if no domain key is made. */
  readonly domains: readonly string[];
  /** Names of persons who get a secret of their own. */
  readonly persons: readonly string[];
}

/** Creates random credentials, whose prefix identifies them if one leaks. */
export function createKey({ project, factor, domains, persons }: KeyRequest): CredentialEntry {
  return {
    apiKey: `afk_${createRandomText(18)}`,
    secret: `afs_${createRandomText(32)}`,
    project,
    factor,
    domainKeys: domains.length === 0 ? [] : [{ key: `afd_${createRandomText(18)}`, domains }],
    personalSecrets: persons.map((name) => ({ name, secret: `afp_${createRandomText(32)}` })),
  };
}

/** The credentials as they are shown, once. */
export function formatKey(name: string, entry: CredentialEntry): string {
  return formatLabelled([
    ["name", name],
    ["project", entry.project],
    ["API key", entry.apiKey],
    ["secret", entry.secret],
    ...(entry.domainKeys ?? []).flatMap(
      ({ key, domains }) =>
        [
          ["domain key", key],
          ["  works on", domains.join(", ")],
        ] as const,
    ),
    ...(entry.personalSecrets ?? []).flatMap(
      (person) =>
        [
          ["person", person.name],
          ["  secret", person.secret],
        ] as const,
    ),
  ]);
}

/** For standard error, so that it does not end up in a file with the credentials. */
export const SHOWN_ONCE =
  "These secrets are shown only once: the database stores only digests of them. Put them where you keep passwords.\n";

function createRandomText(bytes: number): string {
  return randomBytes(bytes).toString("base64url");
}
