import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import type { Config } from "../config.ts";
import type { Reporter } from "../../yaml/diagnostic.ts";
import { sectionOf } from "../../yaml/section.ts";
import type { YamlFile } from "../../yaml/yaml.ts";

/** A certificate and its key: PEM texts, or the files that hold them. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

/**
 * Reads the files of `listen.tls`, and tests them before a listener uses them.
 *
 * @returns the texts, or one line that says why no listener can use them, and what to do
 */
export async function readTlsPair(files: TlsPair): Promise<TlsPair | { readonly fault: string }> {
  try {
    const [cert, key] = await Promise.all([
      readFile(files.cert, "utf8"),
      readFile(files.key, "utf8"),
    ]);
    const fault = faultOf({ cert, key }, files);
    return fault === null ? { cert, key } : { fault };
  } catch (error) {
    return { fault: `listen.tls cannot be read: ${reasonOf(error)}` };
  }
}

/**
 * Reports a certificate and a key that no listener can use.
 *
 * @param severity `warn` in a process that listens already, since only its next start will fail
 */
export async function checkTls(
  { listen: { tls } }: Pick<Config, "listen">,
  file: YamlFile,
  reporter: Reporter,
  severity: "error" | "warn",
): Promise<void> {
  if (tls === null) return;
  const pair = await readTlsPair(tls);
  if (!("fault" in pair)) return;
  sectionOf(file, reporter, ["listen", "tls"])[severity]("tls-unusable", pair.fault);
}

function faultOf({ cert, key }: TlsPair, files: TlsPair): string | null {
  const [hasCertificate, hasKey] = [certificate.test(cert), privateKey.test(key)];
  if (!hasCertificate && !hasKey && certificate.test(key) && privateKey.test(cert)) {
    return `listen.tls: cert names ${files.cert}, which holds a key, and key names ${files.key}, which holds a certificate: swap them`;
  }
  if (!hasCertificate) {
    return `listen.tls.cert: ${files.cert} holds no certificate: name a PEM file that begins with -----BEGIN CERTIFICATE-----`;
  }
  if (!hasKey) {
    return `listen.tls.key: ${files.key} holds no private key: name a PEM file that begins with -----BEGIN PRIVATE KEY-----`;
  }
  try {
    createSecureContext({ cert, key });
    return null;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "ERR_OSSL_X509_KEY_VALUES_MISMATCH") {
      return `listen.tls: the key ${files.key} does not belong to the certificate ${files.cert}: name the two files of one pair, the server's own certificate first in its file`;
    }
    if (code === "ERR_MISSING_PASSPHRASE" || /-----BEGIN ENCRYPTED /.test(key)) {
      return `listen.tls.key: ${files.key} is encrypted with a passphrase: remove it with openssl pkey -in ${files.key} -out FILE, and name that file`;
    }
    return `listen.tls: ${files.cert} and ${files.key} cannot be used (${reasonOf(error)})`;
  }
}

const certificate = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/;
const privateKey = /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/;

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
