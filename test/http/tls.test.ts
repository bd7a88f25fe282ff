import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { testCertificates, type Certificates } from "../runtime/node/certificates.ts";
import { receive, request, transport, upstream } from "../runtime/node/support.ts";

let certificates: Certificates;
beforeAll(() => {
  certificates = testCertificates();
});

describe("TLS towards an upstream", () => {
  it("transfers the same bytes when the authority is known", async () => {
    const to = await upstream({
      tls: certificates,
      handler: () => ({ reason: "\u00e9t\u00e9", headers: ["X-A", "1", "x-a", "2"], body: "ok" }),
    });
    const answer = await receive(transport({ ca: certificates.ca }), request(to));
    expect(answer).toMatchObject({ status: 200, reason: "\u00e9t\u00e9", failure: null });
    expect(answer.headers.slice(0, 4)).toEqual(["X-A", "1", "x-a", "2"]);
  });

  it("sends nothing when the authority is not known", async () => {
    const to = await upstream({ tls: certificates });
    const answer = await receive(transport(), request(to));
    expect(answer.failure).toMatchObject({ kind: "unreachable", sent: false });
    expect(to.requests).toEqual([]);
  });

  it("sends nothing when the certificate is for another name", async () => {
    const to = await upstream({ tls: certificates });
    const over = transport({
      ca: certificates.ca,
      lookup: (_hostname, _options, callback) =>
        callback(null, [{ address: "127.0.0.1", family: 4 }]),
    });
    const good = await receive(over, request(`https://upstream.example:${to.port}`));
    expect(good.failure).toBeNull();
    const bad = await receive(over, request(`https://another.example:${to.port}`));
    expect(bad.failure).toMatchObject({ kind: "unreachable", sent: false });
  });

  it("asks for the origin's name whatever the Host header says", async () => {
    const to = await upstream({ tls: certificates });
    const over = transport({ ca: certificates.ca });
    const origin = `https://localhost:${to.port}`;
    for (const host of ["first.example", "second.example"]) {
      expect(
        (await receive(over, request(origin, { headers: ["Host", host] }))).failure,
      ).toBeNull();
    }
  });

  it("trusts the authorities of NODE_EXTRA_CA_CERTS", async () => {
    const to = await upstream({ tls: certificates });
    const program = `
      import { createNodeTransport } from "./src/runtime/node/transport.ts";
      const timeouts = { connect: 5000, headers: 5000, total: 5000, idle: 5000 };
      createNodeTransport().send(
        { origin: "${to.origin}", method: "GET", path: "/", headers: ["Host", "a"], body: null, timeouts, trusted: true },
        { head(status) { console.log(status) }, data() {}, end() { process.exit() }, fail(error) { console.log(error.kind); process.exit() } },
      );`;
    const run = async (env: Record<string, string>): Promise<string> => {
      const args = ["--input-type=module-typescript", "--eval", program];
      const { stdout } = await promisify(execFile)(process.execPath, args, {
        env: { PATH: process.env["PATH"] ?? "", ...env },
      });
      return stdout.trim();
    };
    expect(await run({ NODE_EXTRA_CA_CERTS: certificates.caFile })).toBe("200");
    expect(await run({})).toBe("unreachable");
  });
});
