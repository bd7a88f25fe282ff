import { deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OpenBackend } from "../../../src/backend/node.ts";
import { readFields } from "../../../src/backend/http/request-body.ts";
import { login, open } from "../client.ts";

const form = "application/x-www-form-urlencoded";
const json = "application/json";
const multipart = "multipart/form-data; boundary=5f2c1d";

let backend: OpenBackend;

beforeAll(async () => {
  backend = await open();
});

afterAll(() => backend.close());

async function fieldsOf(text: string, type: string): Promise<unknown> {
  const read = await readFields(new TextEncoder().encode(text), type);
  return read.ok ? structuredClone({ ...read.fields }) : read.message;
}

/** A multipart body as command-line clients and browsers write it. */
function parts(...fields: readonly (readonly [string, string])[]): string {
  const written = fields.map(
    ([name, value]) =>
      `--5f2c1d\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${written.join("")}--5f2c1d--\r\n`;
}

describe("a body without data", () => {
  const empty = ["", " \r\n", "{}", "[]", "null", "false", '""', ' "" '];
  test.each(empty.flatMap((text) => [form, json, "", "text/plain"].map((type) => [text, type])))(
    "is an empty object as %j under the type %j",
    async (text, type) => expect(await fieldsOf(text, type)).toStrictEqual({}),
  );

  test.each([form, json])("begins a conversation as %j", async (type) => {
    const headers = { ...(await login(backend.app)), "content-type": type };
    const init = { method: "POST", headers, body: '""' };
    expect((await backend.app.request("/v1/conversation", init)).status).toBe(200);
  });
});

test("any body under a form's type is read as a form, unless it is a JSON object", async () => {
  expect(await fieldsOf("12=3&message=hi", form)).toStrictEqual({ 12: "3", message: "hi" });
  expect(await fieldsOf("5", form)).toStrictEqual({ 5: "" });
  expect(await fieldsOf('{"message":"hi"}', form)).toStrictEqual({ message: "hi" });
});

test.each(["true", "5", '"text"', "[1]"])(
  "the JSON %s is refused as the body of an operation",
  async (text) => expect(await fieldsOf(text, json)).toMatch(/neither a JSON object nor a form/),
);

describe("a compressed body", () => {
  const send = async (coding: string, body: Uint8Array<ArrayBuffer>) => {
    const headers = { ...(await login(backend.app)), "content-encoding": coding };
    return backend.app.request("/v1/conversation", { method: "POST", headers, body });
  };
  const plain = '{"lang":"fr"}';

  test.each([
    ["gzip", gzipSync],
    ["X-GZIP", gzipSync],
    ["deflate", deflateSync],
    ["identity", (text: string) => Buffer.from(text)],
  ] as const)("in the coding %s is read", async (coding, encode) =>
    expect((await send(coding, Uint8Array.from(encode(plain)))).status).toBe(200),
  );

  test("that is not compressed, or is cut off, is refused with that reason", async () => {
    for (const body of [Buffer.from(plain), gzipSync(plain).subarray(0, 20)]) {
      const answer = await send("gzip", Uint8Array.from(body));
      expect([answer.status, await answer.text()]).toEqual([
        422,
        expect.stringContaining("The body is not gzip, as its Content-Encoding says."),
      ]);
    }
  });

  test("in another coding is refused with a list of the supported ones", async () => {
    const answer = await send("zstd", Uint8Array.of(1));
    expect([answer.status, answer.headers.get("accept-encoding")]).toEqual([415, "gzip, deflate"]);
  });

  test("has no more than the limit once it is decompressed", async () => {
    const bomb = gzipSync(Buffer.alloc(10_485_761, " "));
    expect((await send("gzip", Uint8Array.from(bomb))).status).toBe(413);
  });
});

describe("a multipart body", () => {
  test("has the fields of a form, nested by brackets", async () => {
    const body = parts(["message", "ça va ?"], ["user[type]", "3"], ["ids[]", "1"], ["ids[]", "2"]);
    expect(JSON.parse(JSON.stringify(await fieldsOf(body, multipart)))).toStrictEqual({
      message: "ça va ?",
      user: { type: "3" },
      ids: { 0: "1", 1: "2" },
    });
  });

  test("leaves out files, which need not be text", async () => {
    const file =
      '--5f2c1d\r\nContent-Disposition: form-data; name="media"; filename="a"\r\n\r\nÿ\r\n';
    const body = Buffer.from(file + parts(["message", "hi"]), "latin1");
    expect(await readFields(Uint8Array.from(body), multipart)).toMatchObject({
      ok: true,
      fields: { message: "hi" },
    });
  });

  test("that is JSON after all is read as JSON, and any other text is refused", async () => {
    expect(await fieldsOf('{"message":"hi"}', "multipart/form-data")).toStrictEqual({
      message: "hi",
    });
    expect(await fieldsOf("--5f2c1d\r\nbroken", multipart)).toMatch(
      /neither a JSON object nor a form/,
    );
  });

  test("logs in, begins a conversation and asks", async () => {
    const send = (path: string, headers: Record<string, string>, body: string) =>
      backend.app.request(path, {
        method: "POST",
        headers: { ...headers, "content-type": multipart },
        body,
      });
    const key = { "x-inbenta-key": "demo-key" };
    const token = await (await send("/v1/auth", key, parts(["secret", "demo-secret"]))).json();
    const caller = { ...key, authorization: `Bearer ${token.accessToken}` };
    const begun = await (await send("/v1/conversation", caller, parts(["lang", "fr"]))).json();
    const session = { ...caller, "x-inbenta-session": `Bearer ${begun.sessionToken}` };
    const asked = await send("/v1/conversation/message", session, parts(["message", "xqzt"]));
    expect(await asked.json()).toMatchObject({ answers: [{ flags: ["no-results"] }] });
  });
});
