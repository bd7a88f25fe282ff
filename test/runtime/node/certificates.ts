import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Certificates {
  readonly key: string;
  readonly cert: string;
  /** File with the authority's certificate. */
  readonly caFile: string;
  readonly ca: string;
}

/** An authority of our own and a certificate from it for localhost, upstream.example and 127.0.0.1. */
export function makeCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), "afterword-tls-"));
  const file = (name: string): string => join(folder, name);
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  openssl("req", "-x509", ...newKey, "-keyout", file("ca.key"), "-out", file("ca.pem"),
    "-subj", "/CN=Test authority", "-days", "2"); // prettier-ignore
  openssl(
    "req",
    ...newKey,
    "-keyout",
    file("key.pem"),
    "-out",
    file("csr.pem"),
    "-subj",
    "/CN=localhost",
  );
  writeFileSync(file("names"), "subjectAltName=DNS:localhost,DNS:upstream.example,IP:127.0.0.1\n");
  openssl("x509", "-req", "-in", file("csr.pem"), "-CA", file("ca.pem"), "-CAkey", file("ca.key"),
    "-CAcreateserial", "-days", "2", "-extfile", file("names"), "-out", file("cert.pem")); // prettier-ignore
  const read = (name: string): string => readFileSync(file(name), "utf8");
  return {
    key: read("key.pem"),
    cert: read("cert.pem"),
    ca: read("ca.pem"),
    caFile: file("ca.pem"),
  };
}

function openssl(...args: readonly string[]): void {
  execFileSync("openssl", args, { stdio: "ignore" });
}
