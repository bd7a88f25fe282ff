import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Certificates {
  readonly key: string;
  readonly cert: string;
  /** File with the authority's certificate. */
  readonly caFile: string;
  readonly ca: string;
}

/**
 * A certificate for localhost, upstream.example and 127.0.0.1, and the authority it is from, whose
 * key was thrown away. They stand in the repository so that the tests need no openssl; they are
 * valid for a hundred years, and trusted by nobody.
 */
export function testCertificates(): Certificates {
  const folder = join(import.meta.dirname, "../../fixtures/tls");
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  return {
    key: read("key.pem"),
    cert: read("cert.pem"),
    ca: read("ca.pem"),
    caFile: join(folder, "ca.pem"),
  };
}
