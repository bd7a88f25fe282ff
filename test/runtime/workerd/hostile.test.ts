import { readFile, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rawConnect, type RawAnswer, startScriptedUpstream } from "../../../src/testing/index.ts";
import type { ScriptedAnswer, ScriptedUpstream } from "../../../src/testing/index.ts";
import { flagged } from "../../clients/conformance/scenario.ts";
import { type DevWorker, startWranglerDev } from "../../clients/conformance/wrangler.ts";
import { writeConfiguration } from "../../clients/conformance/write-configuration.ts";
import { createFolder } from "../../fixtures/folder.ts";

let upstream: ScriptedUpstream;
let worker: DevWorker;
let answer: ScriptedAnswer = {};

const directory = createFolder(afterAll);

beforeAll(async () => {
  upstream = await startScriptedUpstream({ handler: () => answer });
  const configuration = await writeConfiguration(directory, upstream.port);
  const text = await readFile(configuration, "utf8");
  // As large as by default, so that reading the body is what is attacked.
  await writeFile(configuration, text.replace("transformBytes: 64KiB", "transformBytes: 1MiB"));
  worker = await startWranglerDev(directory, configuration);
});
afterAll(async () => {
  await Promise.all([worker?.stop(), upstream?.close()]);
});

interface Sent {
  readonly host?: string;
  readonly fields?: readonly string[];
  readonly body?: string;
}

/** Sends a message with bytes that no client library would send. */
async function ask({
  host = "127.0.0.1",
  fields = [],
  body = "{}",
}: Sent = {}): Promise<RawAnswer> {
  const connection = await rawConnect(worker.port);
  try {
    const bytes = Buffer.from(body);
    const lines = [
      "POST /v1/conversation/message HTTP/1.1",
      `Host: ${host}`,
      "x-inbenta-key: fixed",
      "Content-Type: application/json",
      ...fields,
      `Content-Length: ${bytes.length}`,
    ];
    connection.send(`${lines.join("\r\n")}\r\n\r\n`);
    connection.send(bytes);
    return await connection.answer();
  } finally {
    connection.destroy();
  }
}

const gzip = ["Content-Encoding", "gzip"];
const json = ["Content-Type", "application/json"];

function tell(body: string | Uint8Array, more: readonly string[] = []): void {
  answer = { headers: [...json, ...more], body };
}

/** The isolate still answers with replaced texts. */
async function expectAlive(): Promise<void> {
  tell(flagged("welcome"));
  const { status, body } = await ask();
  expect([status, Buffer.from(body).toString()]).toEqual([
    200,
    expect.stringContaining("Hello from us!"),
  ]);
}

const DEPTH = 100_000;
const deep = (inside: string): string =>
  `{"answers":[{"message":"x","flags":["welcome"],"deep":${"[".repeat(DEPTH)}${inside}${"]".repeat(DEPTH)}}]}`;
const whole = gzipSync(flagged("welcome"));

/** Answers with status 200 that a compromised engine may send. */
const answers: Readonly<Record<string, Uint8Array | string>> = {
  "JSON that ends too early": '{"answers":[{"message":"x","flags":["welcome"]',
  "nothing but brackets": "[".repeat(DEPTH),
  "the same key twice":
    '{"answers":[],"answers":[{"message":"x","message":"y","flags":["welcome"],"flags":[]}]}',
  "bytes that are not UTF-8": Buffer.from(
    '{"answers":[{"message":"\xff\xfe","flags":["no-question","\xc0"]}]}',
    "latin1",
  ),
};

describe("the Worker", () => {
  it.each(Object.entries(answers))("passes on %s unchanged", async (_, body) => {
    tell(body);
    const answer = await ask();
    expect(answer.status).toBe(200);
    expect(Buffer.from(answer.body).equals(Buffer.from(body))).toBe(true);
    await expectAlive();
  });

  // workerd decodes what it fetches, so that the coded bytes cannot be passed on.
  it.each([
    ["ends too early", whole.subarray(0, whole.length - 12)],
    ["is not gzip", "not gzip at all"],
  ])("interrupts an answer whose gzip body %s, and answers the next request", async (_, body) => {
    tell(body, gzip);
    const answer = await ask().catch(() => null);
    // The proxy of wrangler dev answers 500 instead of ending the connection.
    if (answer?.complete === true)
      expect([answer.status, answer.body.length > 0]).toEqual([500, true]);
    await expectAlive();
  });

  it("passes on the 100 MB of a gzip bomb unchanged", async () => {
    const text = `{"answers":[{"message":"${"a".repeat(100_000_000)}","flags":["welcome"]}]}`;
    tell(gzipSync(text), gzip);
    const answer = await ask();
    expect([answer.status, answer.body.length]).toEqual([200, text.length]);
    await expectAlive();
  });

  it("passes on an answer that is nested 100,000 levels deep to its end", async () => {
    tell(deep("1"));
    const answer = await ask();
    expect(answer.status).toBe(200);
    const text = Buffer.from(answer.body).toString();
    expect(text.endsWith(`${"]".repeat(DEPTH)}}]}`)).toBe(true);
    await expectAlive();
  });

  it.each(["\\ud800", "\\udc00\\ud800", "\\ud83d"])(
    "keeps the lone surrogate %s when it replaces a text beside it",
    async (lone) => {
      tell(`{"answers":[{"message":"x","flags":["welcome"],"odd":"${lone}"}],"${lone}":1}`);
      const answer = await ask({ body: `{"message":"${lone}"}` });
      const text = Buffer.from(answer.body).toString();
      expect([answer.status, text]).toEqual([200, expect.stringContaining(`"odd":"${lone}"`)]);
      expect(text).toContain("Hello from us!");
      await expectAlive();
    },
  );

  it.each([
    ["that is nested deeply", `{"message":${"[".repeat(50_000)}${"]".repeat(50_000)}}`],
    ["whose brackets are never closed", "[".repeat(DEPTH)],
    ["with a key twice", '{"message":"a","message":"b","__proto__":{"lang":"fr"}}'],
    ["that is not JSON", "\u0000\u0001"],
  ])("forwards a body %s byte for byte", async (_, body) => {
    tell(flagged("welcome"));
    const before = upstream.requests.length;
    const answer = await ask({ body });
    expect(answer.status).toBe(200);
    expect(Buffer.from(upstream.requests[before]?.body ?? []).toString()).toBe(body);
    await expectAlive();
  });

  it.each([
    ["a header field of 60 KB", ["X-Large", "y".repeat(60_000)]],
    [
      "a thousand header fields",
      Array.from({ length: 2000 }, (_, i) => (i % 2 === 0 ? `X-${i}` : "y")),
    ],
  ])("answers when the engine sends %s", async (_, more) => {
    tell(flagged("welcome"), more);
    expectClear(await ask());
    await expectAlive();
  });

  it("answers a client that sends a header field of 60 KB", async () => {
    tell(flagged("welcome"));
    expectClear(await ask({ fields: [`X-Large: ${"y".repeat(60_000)}`] }));
    await expectAlive();
  });

  it("does not repeat a host that a client made up in its answer", async () => {
    tell(flagged("welcome"));
    const fields = ["X-Forwarded-Host: evil.example", "Forwarded: host=evil.example;for=10.0.0.1"];
    const answer = await ask({ host: "evil.example", fields });
    expectClear(answer);
    expect(answer.head).not.toContain("evil.example");
    expect(Buffer.from(answer.body).toString()).not.toContain("evil.example");
    await expectAlive();
  });

  it("limits attempts with wrong tokens, whatever address the client claims", async () => {
    const statuses = new Set<number>();
    for (let i = 0; i < 60; i++) {
      const claimed = `10.0.0.${i}`;
      const response = await fetch(`http://127.0.0.1:${worker.port}/_afterword/api/session`, {
        headers: {
          authorization: `Bearer wrong-token-${i}`,
          "x-forwarded-for": claimed,
          forwarded: `for=${claimed}`,
          "x-real-ip": claimed,
        },
      });
      statuses.add(response.status);
      expect((await response.text()).length).toBeGreaterThan(0);
    }
    expect([...statuses]).toEqual([401, 429]);
    await expectAlive();
  });

  it("refuses a body above the limit with 413 and an error body", async () => {
    tell(flagged("welcome"));
    const answer = await ask({ body: JSON.stringify({ message: "z".repeat(200_000) }) });
    expect([answer.status, Buffer.from(answer.body).toString()]).toEqual([
      413,
      expect.stringContaining('"code":413'),
    ]);
    await expectAlive();
  });
});

/** Expects an answer or a refusal, and never an error without a text. */
function expectClear({ status, body }: RawAnswer): void {
  expect(status).toBeGreaterThanOrEqual(200);
  if (status >= 500) expect(Buffer.from(body).toString()).toContain('"errors"');
}
