// Suite: slow
import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { rawConnect } from "../../src/testing/index.ts";
import { readParts } from "../../src/http/multipart.ts";
import { encodeUtf8 } from "../../src/json/bytes.ts";
import {
  caller,
  json,
  openCallers,
  type Runtime,
  runtimes,
  secrets,
  shown,
} from "./callers-bench.ts";

function bench(runtime: Runtime, bytes: number, types: readonly string[] = []) {
  const callers = [
    caller(["ticketing.upload", "chat.upload", "ticketing.createTicket"], {
      media: { bytes, types },
    }),
  ];
  return openCallers(runtime, { callers });
}

const base64 = (bytes: number): string => Buffer.alloc(bytes, 0xff).toString("base64");
const file = (bytes: number, name = "a.png", more: object = {}): string =>
  JSON.stringify({ name, content: base64(bytes), ...more });

function form(content: string, head: readonly string[], boundary = "b0undary"): string {
  const lines = [`--${boundary}`, ...head, "", content, `--${boundary}--`, ""];
  return lines.join("\r\n");
}
const multipart = ["Content-Type", "multipart/form-data; boundary=b0undary"];
const disposition = 'Content-Disposition: form-data; name="media"; filename="a.png"';

describe.each(runtimes)("an upload on %s", (runtime) => {
  it("is sent on at exactly the limit, and refused with one byte more", async () => {
    const { ask, products, upstream } = await bench(runtime, 300_000);
    const upload = (body: string) =>
      ask("/ticketing/v1/media", { method: "POST", headers: [...shown, ...json], body });
    expect((await upload(file(300_000))).status).toBe(200);
    expect(products()[0]?.body.length).toBe(file(300_000).length);
    const before = upstream.requests.length;
    const answer = await upload(file(300_001));
    expect(answer.status).toBe(413);
    expect(answer.text).toContain("300000 bytes");
    expect((await upload(file(500_000))).status).toBe(413);
    expect(upstream.requests.length).toBe(before);
  });

  it("of seven megabytes is sent on by default, also with escaped slashes", async () => {
    const { ask, products } = await bench(runtime, 7_340_032);
    const random = randomBytes(7_340_032).toString("base64");
    const body = `{"name":"a.png","content":"${random.replaceAll("/", "\\/")}"}`;
    const headers = [...shown, ...json];
    const answer = await ask("/ticketing/v1/media", { method: "POST", headers, body });
    expect(answer.status).toBe(200);
    // The forwarded text is written anew, but only its spelling differs.
    expect(Buffer.from(products()[0]!.body).toString()).toBe(JSON.stringify(JSON.parse(body)));
  });

  it("is sent on as it was parsed, with all its members", async () => {
    const { ask, products } = await bench(runtime, 1000, ["image/png"]);
    const body =
      '\ufeff{ "n\\u0061me":"b\\u002epng", "content":"AA\\/\\u0041" , "__proto__":{"x":[1]}, "chatId":12345678901234567890}';
    const headers = [...shown, ...json];
    expect((await ask("/chat/v1/media", { method: "POST", headers, body })).status).toBe(200);
    const anew =
      '{"name":"b.png","content":"AA/A","__proto__":{"x":[1]},"chatId":12345678901234567890}';
    expect(Buffer.from(products()[0]!.body).toString()).toBe(anew);
  });

  it.each([
    ["a type that is not allowed", json, file(10, "a.exe"), 415],
    ["a name without a type", json, file(10, "a"), 415],
    ["two extensions", json, file(10, "a.png.exe"), 415],
    [
      "an allowed name and another declared type",
      json,
      file(10, "a.png", { type: "text/html" }),
      415,
    ],
    ["an allowed type", json, file(10, "a.PNG"), 200],
    ["an allowed family", json, file(10, "a.mp3"), 200],
    ["a later name", json, `{"name":"a.png","content":"AAAA","name":"a.exe"}`, 415],
    ["a name twice", json, `{"name":"a.html","name":"a.png","content":"AAAA"}`, 415],
    [
      "a name twice, once escaped",
      json,
      `{"n\\u0061me":"a.html","content":"AAAA","name":"a.png"}`,
      415,
    ],
    [
      "a name that holds a member twice",
      json,
      `{"name":{"b":1},"name":"a.png","content":"AAAA"}`,
      415,
    ],
    ["another member twice", json, `{"x":1,"name":"a.png","content":"AAAA","x":2}`, 415],
    ["a name in two cases", json, `{"name":"a.png","Name":"a.html","content":"AAAA"}`, 415],
    ["a type in capitals", json, `{"name":"a.png","TYPE":"text/html","content":"AAAA"}`, 415],
    ["a control character in the name", json, `{"name":"a.html\\u0000.png","content":"AAAA"}`, 415],
    ["half a character in the name", json, `{"name":"a\\ud800.png","content":"AAAA"}`, 415],
    ["a number for its type", json, `{"name":"a.png","type":7,"content":"AAAA"}`, 415],
    [
      "a name of quotes and braces",
      json,
      `{"content":"AAAA","na\\"me:":"{}","name":"\\":{.png"}`,
      200,
    ],
    [
      "a data address behind a blank",
      json,
      `{"name":"a.png","content":" data:text/html;base64,AAAA"}`,
      415,
    ],
    [
      "a data address of an allowed type",
      json,
      `{"name":"a","content":"data:image/png,AAAA"}`,
      200,
    ],
    [
      "a data address of another type",
      json,
      `{"name":"a.png","content":"data:text/html;base64,AAAA"}`,
      415,
    ],
    ["no JSON", json, "nonsense", 415],
    ["no content", json, '{"name":"a.png"}', 415],
    ["no body", json, "", 415],
    ["another media type", ["Content-Type", "text/plain"], file(10), 415],
    ["no media type", [], file(10), 415],
    ["two media types", [...json, "Content-Type", "text/plain"], file(10), 415],
    ["a content coding", [...json, "Content-Encoding", "gzip"], file(10), 415],
    ["a form for a product without forms", multipart, form("x", [disposition]), 415],
  ])("with %s is answered in time", async (_, headers, body, status) => {
    const { ask, upstream } = await bench(runtime, 1000, ["image/png", "audio/*"]);
    const answer = await ask("/ticketing/v1/media", {
      method: "POST",
      headers: [...shown, ...headers],
      body,
    });
    expect(answer.status).toBe(status);
    expect(upstream.requests.length > 0).toBe(status === 200);
  });

  it.each([
    ["an allowed file", form("x", [disposition, "Content-Type: image/png"]), 200],
    ["a file of undeclared type", form("x", [disposition]), 200],
    ["another declared type", form("x", [disposition, "Content-Type: text/html"]), 415],
    ["another name", form("x", [disposition.replace("a.png", "a.exe")]), 415],
    ["a field that is no file", form("x", ['Content-Disposition: form-data; name="chatId"']), 200],
    ["a file that is too large", form("x".repeat(1001), [disposition]), 413],
    ["a file at the limit", form("x".repeat(1000), [disposition]), 200],
    ["two dispositions", form("x", [disposition, disposition]), 415],
    ["two file names", form("x", [`${disposition}; filename="b.exe"`]), 415],
    [
      "another file name of any spelling",
      form("x", [`${disposition}; filename*=UTF-8''b.exe`]),
      415,
    ],
    ["a file name twice spelt", form("x", [`${disposition}; filename*=UTF-8''a.png`]), 200],
    [
      "a control character in the name",
      form("x", [disposition.replace("a.", "a.exe\u0001.")]),
      415,
    ],
    ["a folded head", form("x", [disposition, " filename=b.exe"]), 415],
    ["no end", form("x", [disposition]).slice(0, -6), 415],
    ["text before it", `x\r\n${form("x", [disposition])}`, 415],
    ["text after it", `${form("x", [disposition])}x`, 415],
    ["another boundary", form("x", [disposition], "else"), 415],
  ])("as a form with %s is answered in time", async (_, body, status) => {
    const { ask, products } = await bench(runtime, 1000, ["image/png"]);
    const headers = [...shown, ...multipart];
    const answer = await ask("/chat/v1/media", { method: "POST", headers, body });
    expect(answer.status).toBe(status);
    expect(products()).toHaveLength(status === 200 ? 1 : 0);
    if (status === 200) expect(Buffer.from(products()[0]!.body).toString()).toBe(body);
  });

  it("has a limit that does not apply to other requests", async () => {
    const { ask } = await bench(runtime, 10);
    const answer = await ask("/ticketing/v1/tickets", {
      method: "POST",
      headers: [...shown, ...json],
      body: JSON.stringify({ message: "x".repeat(200_000), creator: "7" }),
    });
    expect(answer.status).toBe(200);
  });
});

describe("an upload over a socket", () => {
  const head = (framing: string): string =>
    `POST /ticketing/v1/media HTTP/1.1\r\nHost: x\r\nX-Afterword-Caller-Key: ${secrets.key}\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`;

  it("is refused by its declared length, before any of it has arrived", async () => {
    const { port, upstream } = await bench("node", 1000);
    const connection = await rawConnect(port);
    connection.send(head("Content-Length: 9000000"));
    expect((await connection.answer()).status).toBe(413);
    await connection.closed();
    expect(upstream.requests).toEqual([]);
  });

  it("in chunks is refused when it exceeds the limit, before any of it is sent on", async () => {
    const { port, upstream } = await bench("node", 1000);
    const connection = await rawConnect(port);
    connection.send(head("Transfer-Encoding: chunked"));
    connection.send(`7\r\n{"name"\r\n`);
    for (let i = 0; i < 5; i++) connection.send(`8000\r\n${"A".repeat(0x8000)}\r\n`);
    expect((await connection.answer()).status).toBe(413);
    expect(upstream.requests).toEqual([]);
    connection.destroy();
  });

  it("that breaks off leaves no data", async () => {
    const { port, upstream, metrics } = await bench("node", 1000);
    const connection = await rawConnect(port);
    connection.send(`${head("Content-Length: 900")}{"name`);
    await expect.poll(metrics).toMatch(/afterword_held_bytes [1-9]/);
    connection.destroy();
    await expect.poll(metrics).toContain("afterword_in_flight 0");
    expect(upstream.requests).toEqual([]);
  });
});

describe("the parts of a form", () => {
  const read = (text: string) => readParts(new TextEncoder().encode(text), "b");

  it("are listed with name, file name, type and content", () => {
    const text = `--b\r\nContent-Disposition: form-data; name="chatId"\r\n\r\n7\r\n--b\r\ncontent-type: Image/PNG; x=y\r\nContent-Disposition: form-data; name=media; filename="a\\"b.png"\r\n\r\n\r\n\r\n\r\n--b--`;
    expect(read(text)).toEqual([
      { name: "chatId", fileNames: [], type: null, content: encodeUtf8("7") },
      { name: "media", fileNames: ['a"b.png'], type: "image/png", content: encodeUtf8("\r\n\r\n") },
    ]);
  });

  it.each([
    "",
    "--b",
    "--b\r\n",
    "--b--",
    "--b--\r\n",
    "--b\r\n\r\n--b--",
    "--bx\r\n\r\n\r\n--b--",
  ])("%j has no parts, or is not a form", (text) => {
    const parts = read(text);
    expect(parts === null || parts.length === 0).toBe(true);
  });
});
