import { connect, type Socket } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import { proxyFromEnvironment } from "../../../src/runtime/node/transport.ts";
import type { ScriptedUpstream } from "../../../src/testing/index.ts";
import { testCertificates, type Certificates } from "./certificates.ts";
import { generous, receive, request, transport, upstream } from "./support.ts";

let certificates: Certificates;
beforeAll(() => {
  certificates = testCertificates();
});

interface ForwardProxy extends ScriptedUpstream {
  /** Heads of the CONNECT requests it got. */
  readonly asked: readonly string[];
}

/** A proxy that connects every tunnel to one local port, or answers as the test sets. */
async function tunnelProxy(
  toPort: number,
  answer = "HTTP/1.1 200 Connected\r\n\r\n",
): Promise<ForwardProxy> {
  const asked: string[] = [];
  const proxy = await upstream({
    onConnection(socket: Socket) {
      socket.once("data", (bytes) => {
        asked.push(bytes.toString("latin1"));
        socket.write(answer);
        if (!answer.startsWith("HTTP/1.1 200")) return;
        const beyond = connect(toPort, "127.0.0.1");
        beyond.on("error", () => socket.destroy()).on("close", () => socket.destroy());
        socket.on("close", () => beyond.destroy());
        socket.pipe(beyond).pipe(socket);
      });
    },
  });
  return Object.assign(Object.create(proxy), { asked });
}

describe("HTTPS_PROXY", () => {
  it("tunnels https, and headers and reason stay as they are", async () => {
    const to = await upstream({
      tls: certificates,
      handler: () => ({
        reason: "\u00e9",
        headers: ["Set-Cookie", "a", "set-cookie", "b"],
        body: "{}",
      }),
    });
    const proxy = await tunnelProxy(to.port);
    const env = { HTTPS_PROXY: `http://us%40er:pa%3Ass@127.0.0.1:${proxy.port}` };
    const over = transport({ env, ca: certificates.ca });
    const answer = await receive(
      over,
      request("https://upstream.example", {
        method: "POST",
        headers: ["Host", "upstream.example", "X-A", "1", "x-a", "2"],
        body: Buffer.from("x"),
      }),
    );
    expect(answer).toMatchObject({ status: 200, reason: "\u00e9", failure: null });
    expect(answer.headers.slice(0, 4)).toEqual(["Set-Cookie", "a", "set-cookie", "b"]);
    expect(to.requests[0]!.headers).toEqual([
      "Host", "upstream.example", "X-A", "1", "x-a", "2", "content-length", "1",
    ]); // prettier-ignore
    const credentials = Buffer.from("us@er:pa:ss").toString("base64");
    expect(proxy.asked).toEqual([
      `CONNECT upstream.example:443 HTTP/1.1\r\nHost: upstream.example:443\r\nProxy-Authorization: Basic ${credentials}\r\n\r\n`,
    ]);
  });

  it.each([
    ["refuses", "HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n", "unreachable"],
    ["speaks no HTTP", "hello\r\n\r\n", "unreachable"],
    ["stays silent", "", "unreachable"],
  ])("fails once, without a second try, when the proxy %s", async (_what, says, kind) => {
    const proxy = await tunnelProxy(0, says);
    const over = transport({ env: { https_proxy: `127.0.0.1:${proxy.port}` } });
    const timeouts = says === "" ? { ...generous, connect: 500 } : generous;
    const answer = await receive(over, request("https://a.example", { timeouts }));
    expect(answer.failure).toMatchObject({ kind, sent: false });
    expect(proxy.asked).toHaveLength(1);
  });

  it("fails when the proxy is not there", async () => {
    const proxy = await upstream();
    await proxy.close();
    const over = transport({ env: { https_proxy: `http://127.0.0.1:${proxy.port}` } });
    const answer = await receive(over, request("https://a.example"));
    expect(answer.failure).toMatchObject({ kind: "unreachable", sent: false });
  });

  it("does not route private addresses", async () => {
    const proxy = await tunnelProxy(0);
    const over = transport({ env: { https_proxy: `http://127.0.0.1:${proxy.port}` } });
    for (const host of ["10.0.0.1", "[::1]", "localhost", "intranet", "db.internal", "x.local"]) {
      const answer = await receive(over, request(`https://${host}`, { trusted: false }));
      expect(answer.failure).toMatchObject({ kind: "refused", sent: false });
    }
    expect(proxy.asked).toEqual([]);
  });
});

describe("HTTP_PROXY", () => {
  it("gets plain http in absolute-form, with the origin's Host", async () => {
    const proxy = await upstream({
      handler: () => ({ headers: ["X-A", "1", "x-a", "2"], body: "ok" }),
    });
    const over = transport({ env: { HTTP_PROXY: `http://u:p@127.0.0.1:${proxy.port}` } });
    const headers = ["Host", "a.example:81", "X-B", "1", "x-b", "2"];
    const answer = await receive(over, request("http://a.example:81", { path: "/p?q", headers }));
    expect(answer.headers.slice(0, 4)).toEqual(["X-A", "1", "x-a", "2"]);
    expect(proxy.requests[0]!.startLine).toBe("GET http://a.example:81/p?q HTTP/1.1");
    expect(proxy.requests[0]!.headers).toEqual([
      "Host", "a.example:81", "X-B", "1", "x-b", "2", "Proxy-Authorization", "Basic dTpw",
    ]); // prettier-ignore
  });
});

it("does not route closed addresses over plain http either", async () => {
  const proxy = await upstream();
  const over = transport({ env: { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` } });
  for (const host of [
    "10.0.0.1",
    "0x7f.1",
    "[::ffff:10.0.0.1]",
    "localhost",
    "intranet",
    "a.internal",
  ]) {
    const answer = await receive(over, request(`http://${host}`, { trusted: false }));
    expect(answer.failure).toMatchObject({ kind: "refused", sent: false });
  }
  expect(proxy.connections).toBe(0);
  await receive(over, request("http://a.example", { trusted: false }));
  expect(proxy.requests).toHaveLength(1);
});

describe("NO_PROXY", () => {
  it.each([
    ["", "http://a.example", true],
    ["*", "http://a.example", false],
    ["a.example", "http://a.example", false],
    ["a.example", "https://sub.a.example", false],
    ["a.example", "http://ba.example", true],
    [".a.example", "http://a.example", false],
    ["*.a.example", "http://a.example", true],
    ["*.a.example", "http://b.a.example", false],
    ["A.Example", "http://a.example.", false],
    ["a.example:8080", "http://a.example:8080", false],
    ["a.example:8080", "http://a.example", true],
    ["a.example:443", "https://a.example", false],
    ["x, b.example  a.example", "http://a.example", false],
    ["127.0.0.1", "http://127.0.0.1:99", false],
    ["10.0.0.0/8", "http://10.1.2.3", false],
    ["10.0.0.0/8", "http://11.1.2.3", true],
    ["10.0.0.0/8", "http://a.example", true],
    ["::1", "http://[::1]", false],
    ["[::1]:80", "http://[::1]", false],
    ["[::1]:81", "http://[::1]", true],
    ["fd00::/8", "http://[fd12::1]", false],
  ])("%j for %s uses the proxy: %s", (noProxy, url, expected) => {
    expect(uses(noProxy, url)).toBe(expected);
  });

  it("keeps an excepted address away from the proxy", async () => {
    const to = await upstream();
    const proxy = await upstream();
    const env = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: "127.0.0.1" };
    await receive(transport({ env }), request(to));
    expect([to.requests.length, proxy.connections]).toEqual([1, 0]);
  });
});

it("names a proxy setting that is unusable, and not its value", () => {
  for (const value of ["socks5://user:hunter2@p", "http://", "http://user:hunter2@:99999"]) {
    const read = (): unknown => proxyFromEnvironment({ HTTPS_PROXY: value });
    expect(read).toThrow(/^HTTPS_PROXY must be/);
    expect(read).not.toThrow(/hunter2/);
  }
});

it("uses the proxy of the address's own scheme, lower case first", () => {
  const choose = proxyFromEnvironment({
    http_proxy: "http://low:1",
    HTTP_PROXY: "http://high:1",
    HTTPS_PROXY: "https://secure:1",
  });
  expect(choose(new URL("http://a.example"))?.url.hostname).toBe("low");
  expect(choose(new URL("https://a.example"))?.url.hostname).toBe("secure");
  expect(proxyFromEnvironment({ HTTPS_PROXY: "http://p" })(new URL("http://a.example"))).toBeNull();
});

function uses(noProxy: string, url: string): boolean {
  const env = { HTTP_PROXY: "http://p:1", HTTPS_PROXY: "http://p:2", NO_PROXY: noProxy };
  return proxyFromEnvironment(env)(new URL(url)) !== null;
}
