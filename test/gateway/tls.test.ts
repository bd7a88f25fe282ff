import { get } from "node:https";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isAfterwordError } from "../../src/errors.ts";
import { testCertificates } from "../runtime/node/certificates.ts";
import { withBench } from "./harness.ts";

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
  const folder = await mkdtemp(join(tmpdir(), "afterword-tls-"));
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
  await rm(folder, { recursive: true });
});

it("says which file cannot be read", async () => {
  const listen = {
    host: "127.0.0.1",
    port: 0,
    publicUrl: null,
    trustProxies: [],
    tls: { cert: "/nowhere/cert.pem", key: "/nowhere/key.pem" },
  };
  const failure: unknown = await withBench({ config: { listen } }, async () => {}).catch(
    (error: unknown) => error,
  );
  expect(isAfterwordError(failure) && failure.code).toBe("listen-failed");
  expect(String(failure)).toContain("/nowhere/");
});
