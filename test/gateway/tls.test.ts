import { generateKeyPairSync } from "node:crypto";
import { get } from "node:https";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkConfig } from "../../src/config/check/check.ts";
import { config, tables } from "../fixtures/config.ts";
import { testCertificates } from "../runtime/node/certificates.ts";
import { withBench } from "./harness.ts";
import { createFolder } from "../fixtures/folder.ts";

function fetchTls(url: string, ca: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    get(url, { ca, servername: "localhost", agent: false }, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += chunk.toString()));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    }).on("error", reject);
  });
}

it("listens with TLS when the configuration names a certificate, and says so in the routes", async () => {
  const folder = createFolder();
  const { ca, cert, key } = testCertificates();
  await writeFile(join(folder, "cert.pem"), cert);
  await writeFile(join(folder, "key.pem"), key);
  const listen = {
    host: "127.0.0.1",
    port: 0,
    publicUrl: null,
    trustProxies: [],
    tls: { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") },
  };
  const apis = { headers: ["Content-Type", "application/json"], body: "" };
  await withBench(
    {
      handler: ({ headers }) => ({
        ...apis,
        body: `{"apis":{"chatbot":"http://${headers[1]}/bot"}}`,
      }),
      config: { listen },
    },
    async ({ url }) => {
      expect(url).toMatch(/^https:/);
      const answer = await fetchTls(`${url}/v1/apis`, ca);
      expect(answer.status).toBe(200);
      expect(answer.text).toContain('"https://127.0.0.1:');
    },
  );
});

describe("a start with a pair that cannot be used ends in one line:", () => {
  const folder = join(import.meta.dirname, "../fixtures/tls");
  const [cert, key, other] = ["cert.pem", "key.pem", "ca.pem"].map((name) => join(folder, name));

  it.each([
    [
      "files that are not there",
      "/nowhere/cert.pem",
      "/nowhere/key.pem",
      /cannot be read: .*\/nowhere/,
    ],
    ["swapped files", key, cert, /cert names .*key\.pem, which holds a key, .*: swap them$/],
    [
      "files of two pairs",
      other,
      key,
      /key\.pem does not belong to the certificate .*ca\.pem: name/,
    ],
    ["two certificates", cert, other, /ca\.pem holds no private key: name a PEM file/],
    ["two keys", key, key, /key\.pem holds no certificate: name a PEM file/],
    ["something else", import.meta.filename, key, /tls\.test\.ts holds no certificate/],
    ["a damaged key", cert, "damaged", /cannot be used \(/],
    [
      "a key with a passphrase",
      cert,
      "locked",
      /encrypted with a passphrase: remove it with openssl/,
    ],
  ])("%s", async (_what, certificate = "", given = "", expected) => {
    const made = createFolder();
    const file = given.includes("/") ? given : join(made, "key.pem");
    if (given === "damaged") {
      const text = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n";
      await writeFile(file, text);
    } else if (given === "locked") {
      const { privateKey } = generateKeyPairSync("ed25519");
      const locked = { cipher: "aes-256-cbc", passphrase: "open sesame" };
      await writeFile(file, privateKey.export({ type: "pkcs8", format: "pem", ...locked }));
    }
    const tls = { cert: certificate, key: file };
    const { listen } = config(tables({}));
    const failure: unknown = await withBench(
      { config: { listen: { ...listen, tls } } },
      async () => {},
    ).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: "listen-failed",
      message: expect.stringMatching(expected),
    });
    expect(String(failure)).not.toContain("\n");

    const place = join(made, "afterword.yaml");
    const named = `{ cert: ${certificate}, key: ${file} }`;
    await writeFile(
      place,
      `version: 1\nlisten:\n  tls: ${named}\nupstream: { auth: "https://api.example.com" }\n`,
    );
    expect((await checkConfig(place)).diagnostics).toContainEqual(
      expect.objectContaining({
        severity: "error",
        code: "tls-unusable",
        line: 3,
        message: expect.stringMatching(expected),
      }),
    );
  });
});
