import { createServer as createTlsServer } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testCertificates } from "../node/certificates.ts";
import { rawUpstream } from "../../http/raw-upstream.ts";
import { type Carrier, startCarrier } from "./carrier.ts";

const { caFile, key, cert } = testCertificates();
const hello = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

describe("the transport on Bun", () => {
  let carrier: Carrier;
  beforeAll(() => {
    carrier = startCarrier({ NODE_EXTRA_CA_CERTS: caFile });
  });
  afterAll(() => carrier.stop());

  it("sends target, fields and body, and asks for no coding by itself", async () => {
    const upstream = await rawUpstream((socket) => socket.write(hello));
    const headers = ["Host", "a.example", "X-A", "\xe9", "Accept-Encoding", "gzip"];
    const outcome = await carrier.carry(upstream.origin, { headers, path: "/v1/x?a=%20b" });
    expect(outcome).toMatchObject({ body: "hello", trailers: [], failure: null });
    expect(upstream.said[0]).toMatch(/^POST \/v1\/x\?a=%20b HTTP\/1\.1\r\n/);
    expect(upstream.said[0]?.toLowerCase()).toContain("\r\nx-a: \xe9\r\n");
    expect(upstream.said[0]?.toLowerCase()).toContain("\r\naccept-encoding: gzip\r\n");
    expect(upstream.said[0]).toMatch(/\r\n\r\n\{\}$/);
  });

  it("leaves a coded body as it came", async () => {
    const coded = Buffer.from("H4sIAAAAAAAAA8tIzcnJBwCGphA2BQAAAA==", "base64").toString("latin1");
    const fields = `Content-Encoding: gzip\r\nContent-Length: ${coded.length}`;
    const upstream = await rawUpstream((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\n${fields}\r\n\r\n${coded}`, "latin1"),
    );
    const { head, body } = await carrier.carry(upstream.origin);
    expect(head?.headers).toContain("content-encoding");
    expect(body).toBe(coded);
  });

  it("follows no redirect", async () => {
    const upstream = await rawUpstream((socket) =>
      socket.write("HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n"),
    );
    const { head } = await carrier.carry(upstream.origin);
    expect(head?.status).toBe(302);
    expect(upstream.said.join("")).not.toContain("/b");
  });

  it("never sends a message twice, not even when a connection breaks that was used before", async () => {
    let breaks = false;
    const upstream = await rawUpstream(
      (socket) => void (breaks ? socket.destroy() : socket.write(hello)),
    );
    expect(await carrier.carry(upstream.origin)).toMatchObject({ body: "hello" });
    breaks = true;
    const outcome = await carrier.carry(upstream.origin);
    expect(outcome.failure).toMatchObject({ kind: "broken", sent: true });
    breaks = false;
    expect(await carrier.carry(upstream.origin)).toMatchObject({ body: "hello" });
    // Whatever was sent again by itself has come before that last message, which has its own.
    expect(upstream.said.map((said) => said.split("POST /").length - 1)).toEqual([2, 1]);
  });

  it("tells an answer that breaks off from a whole one", async () => {
    const upstream = await rawUpstream((socket) =>
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"),
    );
    const { trailers, failure } = await carrier.carry(upstream.origin);
    expect({ trailers, failure }).toMatchObject({
      trailers: null,
      failure: { kind: "broken", sent: true },
    });
  });

  it("takes no answer from what is no HTTP", async () => {
    const upstream = await rawUpstream((socket) => socket.write("220 mail.example ESMTP\r\n\r\n"));
    const { head, failure } = await carrier.carry(upstream.origin);
    expect({ head, failure }).toMatchObject({
      head: null,
      failure: { kind: "broken", sent: true },
    });
  });

  it("sends a body that comes in pieces", async () => {
    const upstream = await rawUpstream((socket, said) => {
      if (said.endsWith("0\r\n\r\n")) socket.write(hello);
    });
    const pieces = Array.from({ length: 200 }, () => "x".repeat(50_000));
    expect(await carrier.carry(upstream.origin, { pieces })).toMatchObject({ body: "hello" });
    expect(upstream.said.join("").length).toBeGreaterThan(10_000_000);
  });

  it("closes its connection when the request is cancelled, before the head and within the body", async () => {
    for (const start of ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"]) {
      const upstream = await rawUpstream((socket) => void (start === "" || socket.write(start)));
      await carrier.carry(upstream.origin, { cancelAfter: 100 });
      await expect.poll(() => upstream.sockets[0]?.destroyed).toBe(true);
    }
  });

  it("ends when a time is up: for the head, between bytes, for the whole", async () => {
    const upstream = await rawUpstream((socket, said) => {
      if (said.includes("/silent")) return;
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello");
    });
    const failures = [];
    for (const order of [
      { path: "/silent", timeouts: { connect: 50, headers: 50 } },
      { timeouts: { idle: 100 } },
      { timeouts: { total: 100 } },
    ]) {
      failures.push((await carrier.carry(upstream.origin, order)).failure?.detail);
    }
    expect(failures).toEqual(["headers timeout", "idle timeout", "total timeout"]);
    await expect.poll(() => upstream.sockets.every(({ destroyed }) => destroyed)).toBe(true);
  });

  it("says that nothing was sent where a code proves that there was no connection", async () => {
    const { failure } = await carrier.carry("http://127.0.0.1:1");
    expect(failure).toMatchObject({ kind: "unreachable", sent: false });
  });

  it("leads to no address that can only be private, unless the configuration names it", async () => {
    const upstream = await rawUpstream((socket) => socket.write(hello));
    const { failure } = await carrier.carry(upstream.origin, { trusted: false });
    expect(failure).toMatchObject({ kind: "refused", sent: false });
    expect(upstream.sockets).toHaveLength(0);
  });

  it("goes through the proxy of the environment", async () => {
    const proxy = await rawUpstream((socket) => socket.write(hello));
    const behind = startCarrier({ HTTP_PROXY: proxy.origin });
    const outcome = await behind.carry("http://upstream.example", { path: "/a" });
    behind.stop();
    expect(outcome).toMatchObject({ body: "hello", failure: null });
    expect(proxy.said[0]).toMatch(/^POST http:\/\/upstream\.example\/a HTTP\/1\.1\r\n/);
  });

  describe("with TLS", () => {
    const secured = (host = "127.0.0.1") =>
      rawUpstream(
        (socket) => socket.write(hello),
        (each) => createTlsServer({ key, cert }, each).on("tlsClientError", () => undefined),
        host,
      );
    const at = (origin: string, host: string) =>
      origin.replace(/^http:..[\d.]+/, `https://${host}`);

    it.each(["localhost", "127.0.0.1"])("checks the certificate against %s", async (host) => {
      const upstream = await secured();
      expect(await carrier.carry(at(upstream.origin, host))).toMatchObject({ body: "hello" });
    });

    it("sends nothing where the certificate is unknown, or another's", async () => {
      const stranger = startCarrier();
      const upstream = await secured();
      const unknown = await stranger.carry(at(upstream.origin, "localhost"));
      stranger.stop();
      const another = await secured("127.0.0.2");
      const other = await carrier.carry(at(another.origin, "127.0.0.2"));
      expect([unknown.failure, other.failure]).toMatchObject([
        { kind: "unreachable", sent: false },
        { kind: "unreachable", sent: false },
      ]);
      expect(upstream.said.concat(another.said).join("")).toBe("");
    });
  });
});
