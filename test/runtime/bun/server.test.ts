import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rawConnect, rawRequest } from "../../../src/testing/index.ts";
import { serveExchanges } from "../node/support.ts";
import { answerByTarget } from "./answer-by-target.ts";
import { converse, startTargets, type Targets } from "./targets.ts";

const last = "GET /ok HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
const lastAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";
const bad = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n";
const get = (target: string, fields = "") => `GET ${target} HTTP/1.1\r\nHost: a\r\n${fields}\r\n`;
const post = (fields: string, body: string, target = "/echo") =>
  `POST ${target} HTTP/1.1\r\nHost: a\r\n${fields}\r\n${body}`;
const chunked = "Transfer-Encoding: chunked\r\n";
const large = "y".repeat(150_000);

describe("the server on Bun", () => {
  let bun: Targets;
  beforeAll(async () => {
    bun = await startTargets();
  });
  afterAll(() => bun.stop());

  describe("answers byte for byte as the one on Node", () => {
    it.each([
      ["one request after the other", get("/ok") + get("/ok") + last],
      ["requests behind a slow one", get("/later") + get("/ok") + last],
      ["a body of known length", post("Content-Length: 3\r\n", "abc") + last],
      ["a body in chunks, with an extension and trailers"].concat(
        post(chunked, "2;a=b\r\nab\r\n1\r\nc\r\n0\r\nT: 1\r\n\r\n") + last,
      ),
      ["a body of no bytes", post(chunked, "0\r\n\r\n") + post("Content-Length: 0\r\n", "") + last],
      ["a body that nobody reads", post("Content-Length: 3\r\n", "abc", "/later") + last],
      [
        "a large body that nobody reads",
        post(`Content-Length: ${large.length}\r\n`, large, "/later") + last,
      ],
      [
        "a large body that is read late",
        post(`Content-Length: ${large.length}\r\n`, large, "/echo-later") + last,
      ],
      ["blank lines before a request", `\r\n\r\n${last}`],
      ["an answer in chunks", get("/chunks") + last],
      ["an answer without a length", get("/no-length") + last],
      ["an answer of no bytes without a length", get("/status?200") + last],
      ["204", get("/status?204") + last],
      ["304", get("/status?304") + last],
      ["HEAD", `HEAD /ok HTTP/1.1\r\nHost: a\r\n\r\n${last}`],
      ["HEAD without a length", `HEAD /chunks HTTP/1.1\r\nHost: a\r\n\r\n${last}`],
      ["Connection: close in a list", get("/ok", "Connection: x, CLOSE\r\n")],
      ["HTTP/1.0", "GET /ok HTTP/1.0\r\n\r\n"],
      ["HTTP/1.0 and an answer in chunks", "GET /chunks HTTP/1.0\r\n\r\n"],
      [
        "HTTP/1.0 that would go on, without a length",
        "GET /no-length HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
      ],
      ["an expectation of HTTP/1.0", "GET /ok HTTP/1.0\r\nExpect: cake\r\n\r\n"],
      ["a target in absolute form", get("http://b.example/x") + last],
      ["OPTIONS *", `OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n${last}`],
      ["TRACE", `TRACE /t HTTP/1.1\r\nHost: a\r\n\r\n${last}`],
      ["an empty Host", `GET /ok HTTP/1.1\r\nHost:\r\n\r\n${last}`],
      ["two Hosts", get("/ok", "Host: b\r\n")],
      ["2500 fields", get("/fields", "X: a\r\n".repeat(2500)) + last],
      ["a head of nearly 32 KB", get("/fields", `X: ${"a".repeat(32_600)}\r\n`) + last],
      ["a head of more", get("/fields", `X: ${"a".repeat(33_000)}\r\n`)],
      ["an answer that breaks off in its chunks", get("/cut")],
      ["an answer that breaks off before its length", get("/cut?length")],
      ["an answer that never begins", get("/abort")],
      ["no HTTP", "hello\r\n\r\n"],
      ["a greeting of TLS", "\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03"],
      ["HTTP/2 without asking", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
      ["a method in small letters", "get /ok HTTP/1.1\r\nHost: a\r\n\r\n"],
      ["a zero byte in the target", get("/o\0k")],
      ["a zero byte in a value", get("/ok", "X: \0\r\n")],
      ["a byte beyond ASCII in the target", get("/\xe9")],
      ["bare line feeds", "GET /ok HTTP/1.1\nHost: a\n\n"],
      ["a bare line feed in a field", get("/ok", "X: a\nY: b\r\n")],
      ["a bare carriage return", get("/ok", "X: a\rY: b\r\n")],
      ["a folded field", get("/ok", "X: a\r\n b\r\n")],
      ["a blank before the colon", get("/ok", "X : a\r\n")],
      ["a field without a name", get("/ok", ": a\r\n")],
      ["a length and chunks", post(`Content-Length: 3\r\n${chunked}`, "0\r\n\r\n")],
      ["chunks and a length", post(`${chunked}Content-Length: 3\r\n`, "0\r\n\r\n")],
      ["two lengths", post("Content-Length: 3\r\nContent-Length: 3\r\n", "abc")],
      ["a list of lengths", post("Content-Length: 3, 3\r\n", "abc")],
      ["a signed length", post("Content-Length: +3\r\n", "abc")],
      ["a length past all numbers", post("Content-Length: 99999999999999999999999\r\n", "abc")],
      ["an empty length", post("Content-Length:\r\n", "")],
      ["a coding that is not ours", post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n")],
      ["a coding that is none", post("Transfer-Encoding: identity, chunked\r\n", "0\r\n\r\n")],
      ["a coding of no name", post("Transfer-Encoding:\r\n", "")],
      ["chunks twice", post("Transfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n")],
      ["a chunk whose size is none", post(chunked, "zz\r\n")],
      ["a chunk longer than its size", post(chunked, "3\r\nabcd\r\n")],
      ["a chunk size that ends with a line feed", post(chunked, "3\nabc\r\n0\r\n\r\n")],
      ["a trailer that is none", post(chunked, "3\r\nabc\r\n0\r\nT a\r\n\r\n")],
    ])("%s", async (_, bytes) => {
      const { port } = await serveExchanges(answerByTarget(() => undefined));
      const [onBun, onNode] = await Promise.all([converse(bun.port, bytes), converse(port, bytes)]);
      expect(onBun).toBe(onNode);
      expect(onBun.startsWith("HTTP/1.1 ") || bytes.includes("/abort")).toBe(true);
    });
  });

  it("gives the same answers wherever the requests are cut", async () => {
    const requests =
      post("Content-Length: 3\r\n", "abc") +
      post(chunked, "2\r\nab\r\n1\r\nc\r\n0\r\nT: 1\r\n\r\n", "/later") +
      `HEAD /ok HTTP/1.1\r\nHost: a\r\n\r\n${last}`;
    const whole = await converse(bun.port, requests);
    expect(whole.endsWith(lastAnswer)).toBe(true);
    const places = Array.from({ length: requests.length - 1 }, (_, i) => i + 1);
    const cut = (place: number) =>
      converse(bun.port, requests.slice(0, place), requests.slice(place));
    expect(new Set(await Promise.all(places.map(cut)))).toEqual(new Set([whole]));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...places), { maxLength: 12 }), async (cuts) => {
        const ends = [0, ...cuts.toSorted((a, b) => a - b), requests.length];
        const pieces = ends.slice(1).map((end, i) => requests.slice(ends[i], end));
        expect(await converse(bun.port, ...pieces)).toBe(whole);
      }),
      { numRuns: 20 },
    );
  });

  it("answers a thousand requests in one piece, in their order", async () => {
    const numbers = Array.from({ length: 1000 }, (_, i) => i);
    const requests = numbers.map((i) => {
      const body = `${i}`.repeat(i % 40);
      const measured = `Content-Length: ${body.length}\r\n`;
      const pieces = `${body === "" ? "" : `${body.length.toString(16)}\r\n${body}\r\n`}0\r\n\r\n`;
      return i % 2 === 0 ? post(measured, body, `/echo?${i}`) : post(chunked, pieces, `/echo?${i}`);
    });
    const answers = numbers.map((i) => {
      const text = `POST /echo?${i} ${`${i}`.repeat(i % 40)}`;
      return `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
    });
    const received = await converse(bun.port, get("/later") + requests.join("") + last);
    expect(received).toMatch(/^HTTP.*\r\n\r\nlaterHTTP/s);
    expect(received.slice(received.indexOf("later") + 5) === answers.join("") + lastAnswer).toBe(
      true,
    );
  });

  it("answers ten thousand requests on one connection", async () => {
    const connection = await rawConnect(bun.port);
    let answers = 0;
    let size = 0;
    await new Promise<void>((resolve) => {
      connection.socket.on("data", ({ length }) => {
        size += length;
        if (++answers === 10_000) resolve();
        else connection.socket.write(get("/ok"));
      });
      connection.socket.write(get("/ok"));
    });
    expect(size).toBe(10_000 * "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".length);
    connection.destroy();
  });

  it.each([
    ["no Host in HTTP/1.1", "GET /ok HTTP/1.1\r\n\r\n", 400],
    ["CONNECT", "CONNECT b.example:443 HTTP/1.1\r\nHost: b.example:443\r\n\r\n", 501],
    ["another expectation", post("Expect: cake\r\nContent-Length: 3\r\n", ""), 417],
    ["HTTP/2.0", "GET /ok HTTP/2.0\r\nHost: a\r\n\r\n", 400],
    ["a target that never ends", `GET /${"a".repeat(40_000)}`, 431],
    ["ten thousand fields", get("/ok", "X: a\r\n".repeat(10_000)), 431],
    ["a trailer that is too long", post(chunked, `0\r\nT: ${"a".repeat(40_000)}\r\n\r\n`), 431],
  ])("refuses %s, and closes", async (_, bytes, status) => {
    expect(await converse(bun.port, bytes)).toMatch(
      new RegExp(`^HTTP/1\\.1 ${status} [\\w ]+\\r\\nConnection: close\\r\\n\\r\\n$`),
    );
  });

  it("answers what came before something that is no request, which ends the connection", async () => {
    for (const target of ["/ok", "/later"]) {
      const received = await converse(bun.port, `${get(target)}hello\r\n\r\n`);
      expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      expect(received.endsWith(bad)).toBe(true);
    }
    expect(await converse(bun.port, `${last}hello\r\n\r\n`)).toBe(lastAnswer);
  });

  it("refuses a body that turns bad while its answer is awaited, and the app knows", async () => {
    const connection = await rawConnect(bun.port);
    connection.send(post(chunked, "3\r\nabc\r\n", "/hold?bad"));
    await bun.said("asked bad");
    connection.send("zz\r\n");
    await connection.closed();
    expect(connection.received()).toBe(bad);
    await bun.said("gone bad");
  });

  it("does not take an answer back when the body turns bad behind it", async () => {
    const connection = await rawConnect(bun.port);
    connection.send(post(chunked, "3\r\nabc\r\n", "/ok"));
    expect((await connection.answer()).body.toString()).toBe("ok");
    connection.send("zz\r\n");
    await connection.closed();
    expect(connection.socket.errored).toBeNull();
  });

  it.each([["websocket"], ["h2c"]])("serves whoever asks for %s as if not", async (protocol) => {
    const asks = `Connection: Upgrade\r\nUpgrade: ${protocol}\r\n`;
    const received = [
      await converse(bun.port, get("/ok", asks) + get("/ok")),
      await converse(bun.port, post(`${asks}Content-Length: 3\r\n`, `abc${get("/ok")}`)),
      await converse(bun.port, post(`${asks}${chunked}`, "1\r\na\r\n0\r\n\r\nrest")),
    ];
    const bodies = received.map((text) => text.split("\r\n\r\n").slice(1));
    expect(bodies).toEqual([["ok"], ["POST /echo abc"], ["POST /echo a"]]);
    expect(received.every((text) => text.includes("\r\nConnection: close\r\n"))).toBe(true);
  });

  it("asks for a body that waits to be asked for, and not for one that is here", async () => {
    const expects = "Expect: 100-Continue\r\nContent-Length: 3\r\n";
    const connection = await rawConnect(bun.port);
    connection.send(get("/later") + post(expects, ""));
    await connection.waitFor("later");
    await connection.waitFor("HTTP/1.1 100 Continue\r\n\r\n");
    connection.send("abc");
    await connection.waitFor("POST /echo abc");
    connection.destroy();
    expect((await rawRequest(bun.port, post(expects, "abc"))).interim).toEqual([]);
  });

  it("resets a connection of HTTP/1.0 whose answer breaks off: its end would be the body's", async () => {
    for (const target of ["/cut", "/abort"]) {
      const connection = await rawConnect(bun.port);
      connection.send(`GET ${target} HTTP/1.0\r\n\r\n`);
      await connection.closed();
      expect(connection.socket.errored).toMatchObject({ code: "ECONNRESET" });
    }
  });

  it("is not harmed by an app that breaks off in the middle of a body", async () => {
    const broken = `POST /break HTTP/1.0\r\nContent-Length: 1000000\r\n\r\n${large}${large}`;
    for (let i = 0; i < 20; i++) {
      expect(await converse(bun.port, broken)).toBe("");
      expect(await converse(bun.port, last + broken)).toBe(lastAnswer);
    }
  });

  it("ends the connection, and nothing else, when the app throws", async () => {
    const body = post("Content-Length: 300000\r\n", large + large, "/break?throw");
    for (const bytes of [get("/throw") + get("/ok"), body, get("/later") + body]) {
      expect(await converse(bun.port, bytes)).not.toContain("ok");
      await bun.said("threw Error: a secret");
    }
    expect(await converse(bun.port, last)).toBe(lastAnswer);
  });
});
