import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseIql } from "../../src/backend/ticketing/iql/parse.ts";
import { createReporter } from "../../src/yaml/diagnostic.ts";
import { decodeSource } from "../../src/yaml/read-file.ts";
import { readMessages } from "../../src/config/load/read-messages.ts";
import { readParts } from "../../src/http/multipart.ts";
import { createSignedRoutes } from "../../src/gateway/upstream/signed-routes.ts";
import { AnswerParser } from "../../src/http/answer-parser.ts";
import { loadLlhttp } from "../../src/http/llhttp.ts";
import { scan } from "../../src/json/scan.ts";
import { compileShape } from "../../src/json/shape.ts";
import { feed, refusedChunks, refusedFields } from "../../test/http/messages.ts";
import { ADVERSARIAL } from "../../test/json/adversarial.ts";
import { reference } from "../../test/json/documents.ts";
import type { Inputs } from "./inputs.ts";

/** A reader of what strangers send, and what has to be true of it whatever they send. */
export interface Target extends Inputs {
  /** @throws Error saying what is not true */
  readonly check: (bytes: Uint8Array) => void | Promise<void>;
}

const locales = join(import.meta.dirname, "../../locales");
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");
const utf8 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");

function demand(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

const shape = compileShape({
  fields: { answers: { items: { fields: { flags: { items: {} }, message: {} } } } },
});

/** JSON of answers: read exactly when a strict parser reads it. */
const json: Target = {
  examples: [
    ...ADVERSARIAL.map(({ bytes }) => bytes).filter(({ length }) => length < 4096),
    '{"answers":[{"type":"answer","message":"Sorry","messageList":["Sorry"],"flags":["no-results"],"parameters":{"contents":{"related":{"relatedTitle":"","relatedContents":[{"id":1}]}}}}]}',
  ],
  words: [
    '"flags":',
    '"answers":[',
    "\\u0066",
    "\\ud83d",
    "{}",
    "[]",
    ",",
    '"',
    "1e5",
    "null",
    "\ufeff",
    "\\",
  ],
  check(bytes) {
    const read = scan(bytes, shape) !== null;
    demand(read === (reference(bytes) !== null), `read: ${read}, and JSON.parse does not agree`);
  },
};

/** Files of texts: whatever is wrong is reported at a place of the file. */
const yaml: Target = {
  examples: [
    ...["en", "fr", "ja"].map((name) =>
      readFileSync(join(locales, `${name}.yaml`)).subarray(0, 3000),
    ),
    "no-results:\n  text: 'x {{query}}'\n  channels: { web: { text: y, format: text } }\n  when:\n    - { userType: 3, text: z }\n",
    "welcome: { plural: { one: '{{count}} a', other: '{{count}} b' } }\nwords:\n  yes: [ja]\n",
  ],
  words: [
    "welcome:",
    "{{",
    "}}",
    "- ",
    "&a",
    "*a",
    "<<: *a",
    "!!binary",
    "? ",
    "|\n  ",
    ">-\n",
    "%YAML 1.1\n---\n",
    "\t",
    ": ",
    "{",
    "]",
    "'",
    '"',
  ],
  check(bytes) {
    const reporter = createReporter();
    const source = decodeSource("en.yaml", bytes, reporter);
    if (source !== null) readMessages(source, "en", "own", reporter);
    const lines = utf8(bytes).split(/\r\n?|\n/).length;
    for (const { line, column, message } of reporter.diagnostics()) {
      demand(line >= 1 && line <= lines + 1 && column >= 1, `no such place: ${line}:${column}`);
      demand(message !== "", "a finding that says nothing");
    }
  },
};

/** Conditions of ticket lists: a mistake is at a character of the text. */
const iql: Target = {
  examples: [
    "queue IS 2 AND (status IS NOT 3 OR title IS EMPTY)",
    'title IS "a \\" b" OR created > 2026-01-01',
    "((id >= 4))",
  ],
  words: [
    " AND ",
    " OR ",
    " IS NOT ",
    "EMPTY",
    "(",
    ")",
    '"',
    "\\",
    ">=",
    "<",
    "status",
    "9007199254740993",
  ],
  check(bytes) {
    const text = utf8(bytes);
    const parsed = parseIql(text);
    if (parsed.ok) return;
    demand(parsed.at >= 1 && parsed.at <= text.length + 1, `no such character: ${parsed.at}`);
    demand(parsed.message !== "", "a mistake that says nothing");
  },
};

const form = (...parts: readonly string[]): string =>
  `${parts.map((part) => `--b\r\n${part}\r\n`).join("")}--b--\r\n`;

/** Forms with files: what is read, another reader reads in the same parts. */
const multipart: Target = {
  examples: [
    form(
      'Content-Disposition: form-data; name="media"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nPNG',
    ),
    form(
      'Content-Disposition: form-data; name="chatId"\r\n\r\n7',
      'Content-Disposition: form-data; name="x"\r\n\r\n',
    ),
    form(
      "Content-Disposition: form-data; name=a; filename*=UTF-8''%e2%82%ac.txt\r\n\r\n\r\n--c\r\n",
    ),
  ],
  words: [
    "--b",
    "\r\n",
    "\r\n\r\n",
    "--",
    "; name=",
    "; filename=",
    "Content-Disposition: form-data",
    "Content-Type: ",
    '"',
    "\\",
    "%22",
  ],
  async check(bytes) {
    const parts = readParts(bytes, "b");
    if (parts === null) return;
    const sizes = parts.reduce((sum, { content }) => sum + content.length, 0);
    demand(sizes <= bytes.length, `${sizes} bytes in a body of ${bytes.length}`);
    const headers = { "content-type": "multipart/form-data; boundary=b" };
    const other = await new Response(Buffer.from(bytes), { headers }).formData().catch(() => null);
    if (other === null) return;
    const count = [...other].length;
    demand(count === parts.length, `${parts.length} parts, and ${count}`);
  },
};

const routes = createSignedRoutes([new Uint8Array(32).fill(7)]);
const segments = await Promise.all(
  [
    ["chatbot", "https://bot.example.com"],
    ["chat", "http://127.0.0.1:8000/a"],
  ].map(async ([product = "", base = ""]) => (await routes.segmentFor(product, base)) ?? ""),
);

/** Signed segments: only what was signed is read. */
const segment: Target = {
  examples: [...segments, ""],
  words: ["A", "-", "_", "=", "AQ", "%2d", ".", "/"],
  async check(bytes) {
    const text = utf8(bytes);
    const read = await routes.read(text);
    demand((read !== null) === segments.includes(text), `read: ${String(read !== null)}`);
  },
};

const llhttp = loadLlhttp();

/** Heads of answers: the same wherever the bytes are cut, and never an exception. */
const head: Target = {
  examples: [
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX: y\r\n\r\nhello",
    "HTTP/1.1 103 Early\r\n\r\nHTTP/1.0 200\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\nT: v\r\n\r\n",
    ...[...refusedFields, ...refusedChunks].map(
      ([, fields]) => `HTTP/1.1 200 OK\r\n${fields}\r\n5\r\nhello\r\n0\r\n\r\n`,
    ),
  ],
  words: [
    "\r\n",
    "\n",
    "Content-Length: ",
    "Transfer-Encoding: chunked\r\n",
    "HTTP/1.1 ",
    "100",
    ": ",
    "\0",
    "\x85",
    "ffffffff",
  ],
  check(bytes) {
    const whole = readAll([latin1(bytes)]);
    const pieces = readAll(latin1(bytes).split(""));
    demand(
      JSON.stringify(whole) === JSON.stringify(pieces),
      `${JSON.stringify(whole)} whole, ${JSON.stringify(pieces)} in pieces`,
    );
  },
};

function readAll(parts: readonly string[]): unknown {
  const parser = new AnswerParser(llhttp);
  parser.expect(false);
  const { progress, body } = feed(
    parser,
    parts.filter((part) => part !== ""),
  );
  const { status, reason, headers, trailers } = parser;
  // Of a broken answer, how much was read before is not said to anybody.
  return progress === "broken" ? progress : { progress, body, status, reason, headers, trailers };
}

export const TARGETS: Readonly<Record<string, Target>> = {
  json,
  yaml,
  iql,
  multipart,
  segment,
  head,
};
