import { setImmediate } from "node:timers/promises";
import { deflateSync, gzipSync } from "node:zlib";
import type { RawConnection } from "../../../src/testing/index.ts";

/** A client's data; null if it has none. */
export type Data = Readonly<Record<string, unknown>> | null;

/** A request before its client writes it in its own form. */
export interface Plain {
  readonly method: string;
  readonly target: string;
  readonly version: "1.0" | "1.1";
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

type Encode = (data: Data) => { readonly type: string | null; readonly body: string };
type Change = (plain: Plain) => Plain;
type Send = (connection: RawConnection, plain: Plain) => Promise<void> | void;

/** One odd way of writing requests, which some client uses for all of them. */
export interface Habit {
  readonly name: string;
  /** How the client encodes its data. Default: JSON under its type. */
  readonly encode?: Encode;
  /** Further oddities of the request. Its body has no length yet. */
  readonly change?: Change;
  /** How the body is framed and sent. Default: with its length, in one write. */
  readonly send?: Send;
  /** True for a client that opens a connection for each request. */
  readonly reconnects?: boolean;
}

const form = "application/x-www-form-urlencoded";
const json = "application/json";

const asJson = (data: Data): string => JSON.stringify(data ?? {});

/** A form as PHP writes it: nested by brackets, blanks as `+`, booleans as digits, no nulls. */
function asForm(data: Data, blank = "+"): string {
  const written = pairsOf(data).map((pair) => pair.map(encodeURIComponent).join("="));
  return written.join("&").replaceAll("%20", blank);
}

function pairsOf(value: unknown, name = ""): (readonly [string, string])[] {
  if (typeof value === "boolean") return [[name, value ? "1" : "0"]];
  if (typeof value === "string" || typeof value === "number") return [[name, String(value)]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    pairsOf(member, name === "" ? key : `${name}[${key}]`),
  );
}

function asMultipart(data: Data, boundary: string): string {
  const parts = pairsOf(data).map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join("")}--${boundary}--\r\n`;
}

function withType(type: string | null, write: (data: Data) => string = asJson): Encode {
  return (data) => ({ type, body: write(data) });
}

/** Data as JSON, and no data as `nothing` under a form's type. */
function sayingNothing(nothing: string): Encode {
  return (data) =>
    data === null ? { type: form, body: nothing } : { type: json, body: asJson(data) };
}

function withFields(...more: readonly (readonly [string, string])[]): Change {
  return (plain) => ({ ...plain, fields: [...plain.fields, ...more] });
}

function renaming(rename: (name: string) => string): Change {
  return (plain) => ({
    ...plain,
    fields: plain.fields.map(([name, value]) => [rename(name), value]),
  });
}

function valuing(edit: (value: string) => string): Change {
  return (plain) => ({
    ...plain,
    fields: plain.fields.map(([name, value]) => [name, edit(value)]),
  });
}

function aiming(edit: (target: string) => string): Change {
  return (plain) => ({ ...plain, target: edit(plain.target) });
}

/** The head of a request; `more` are its last fields. */
function headOf(
  plain: Plain,
  more: readonly (readonly [string, string])[] = [],
  colon = ": ",
): string {
  const lines = [...plain.fields, ...more].map(([name, value]) => `${name}${colon}${value}\r\n`);
  return `${plain.method} ${plain.target} HTTP/${plain.version}\r\n${lines.join("")}\r\n`;
}

/** A request with the length of its body, which a GET without one does not name. */
export function withLength(plain: Plain, colon?: string): Buffer {
  const { method, body } = plain;
  const length = [["Content-Length", String(body.length)]] as const;
  const head = headOf(plain, method === "GET" && body.length === 0 ? [] : length, colon);
  return Buffer.concat([Buffer.from(head, "latin1"), body]);
}

function inChunks(size: number, extension = "", trailers = ""): Send {
  return (connection, plain) => {
    if (plain.body.length === 0) return connection.send(withLength(plain));
    connection.send(headOf(plain, [["Transfer-Encoding", "chunked"]]));
    for (let at = 0; at < plain.body.length; at += size) {
      const piece = plain.body.subarray(at, at + size);
      connection.send(`${piece.length.toString(16)}${extension}\r\n`);
      connection.send(piece);
      connection.send("\r\n");
    }
    return connection.send(`0\r\n${trailers}\r\n`);
  };
}

function coded(coding: string, encode: (body: Buffer) => Buffer): Change {
  return (plain) =>
    plain.body.length === 0
      ? plain
      : {
          ...plain,
          body: encode(plain.body),
          fields: [...plain.fields, ["Content-Encoding", coding]],
        };
}

const odd = (name: string): string =>
  name
    .split("")
    .map((sign, at) => (at % 2 === 0 ? sign.toLowerCase() : sign.toUpperCase()))
    .join("");

const toUnicodeEscapes = (text: string): string =>
  text.replaceAll(/[^\x20-\x7e]/gu, (sign) =>
    [...Array(sign.length).keys()]
      .map((at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, "0")}`)
      .join(""),
  );

/** How heads are written. */
const heads: readonly Habit[] = [
  { name: "field names in small letters", change: renaming((name) => name.toLowerCase()) },
  { name: "field names in capital letters", change: renaming((name) => name.toUpperCase()) },
  { name: "field names in mixed letters", change: renaming(odd) },
  { name: "a scheme in small letters", change: valuing((value) => value.replace(/^B/u, "b")) },
  {
    name: "a scheme in capital letters",
    change: valuing((value) => value.replace(/^Bearer/u, "BEARER")),
  },
  {
    name: "two blanks behind the scheme",
    change: valuing((value) => value.replace(/^Bearer /u, "Bearer  ")),
  },
  {
    name: "the specification's key field",
    change: renaming((name) => name.replace("x-inbenta-key", "x-vendor-key")),
  },
  { name: "both key fields at once", change: withFields(["X-Vendor-Key", "demo-key"]) },
  {
    name: "no blank behind a colon",
    send: (connection, plain) => connection.send(withLength(plain, ":")),
  },
  {
    name: "tabs and blanks around values",
    send: (connection, plain) =>
      connection.send(
        withLength(
          { ...plain, fields: plain.fields.map(([name, value]) => [name, `${value} \t`]) },
          ":\t ",
        ),
      ),
  },
  {
    name: "the fields in the opposite order",
    change: (plain) => ({ ...plain, fields: plain.fields.toReversed() }),
  },
  { name: "an empty line before each request", send: withLineBefore },
  {
    name: "cookies that nobody set",
    change: withFields(["Cookie", `a=b; c="${"d".repeat(3000)}"`]),
  },
  { name: "an empty name of itself", change: withFields(["User-Agent", ""]) },
  { name: "a wish for XML", change: withFields(["Accept", "application/xml;q=1, text/html;q=.5"]) },
  {
    name: "a wish for any compression",
    change: withFields(["Accept-Encoding", "gzip, deflate, br, zstd"]),
  },
  {
    name: "a wish for no compression",
    change: withFields(["Accept-Encoding", "identity;q=1, *;q=0"]),
  },
  { name: "a wish for trailers", change: withFields(["TE", "trailers"], ["Connection", "TE"]) },
  {
    name: "a wish for HTTP/2",
    change: withFields(
      ["Connection", "Upgrade, HTTP2-Settings"],
      ["Upgrade", "h2c"],
      ["HTTP2-Settings", "AAMAAABkAAQAoAAAAAIAAAAA"],
    ),
  },
  {
    name: "a wish for a connection that is kept",
    change: withFields(["Connection", "Keep-Alive"], ["Keep-Alive", "timeout=5"]),
  },
  {
    name: "a wish for no stored answers",
    change: withFields(
      ["Cache-Control", "no-cache"],
      ["Pragma", "no-cache"],
      ["If-None-Match", "*"],
    ),
  },
];

/** How targets are written. */
const targets: readonly Habit[] = [
  {
    name: "a slash behind every path",
    change: aiming((target) => target.replace(/(?=\?|$)/u, "/")),
  },
  {
    name: "a number against caches in every query",
    change: aiming((target) => `${target}${target.includes("?") ? "&" : "?"}_=1795886400`),
  },
  {
    name: "a question mark without a query",
    change: aiming((target) => (target.includes("?") ? target : `${target}?`)),
  },
  {
    name: "whole addresses, as to a proxy",
    change: (plain) => ({ ...plain, target: `http://${hostOf(plain)}${plain.target}` }),
  },
];

/** How connections are used. */
const connections: readonly Habit[] = [
  {
    name: "a connection for each request",
    reconnects: true,
    change: withFields(["Connection", "close"]),
  },
  { name: "HTTP/1.0", reconnects: true, change: (plain) => ({ ...plain, version: "1.0" }) },
  {
    name: "HTTP/1.0 over one connection",
    change: (plain) => ({
      ...plain,
      version: "1.0",
      fields: [...plain.fields, ["Connection", "keep-alive"]],
    }),
  },
  {
    name: "one byte after the other",
    async send({ socket, send }, plain) {
      const bytes = withLength(plain);
      // Several bytes of a long body at once, because every position matters only in the head.
      const head = bytes.length - plain.body.length;
      send(bytes.subarray(0, plain.method.length));
      socket.setNoDelay(true);
      for (let at = plain.method.length; at < bytes.length;) {
        const end = at < head ? at + 1 : at + 40;
        socket.write(bytes.subarray(at, end));
        at = end;
        await setImmediate();
      }
    },
  },
  {
    name: "head and body apart",
    async send(connection, plain) {
      const bytes = withLength(plain);
      const head = bytes.length - plain.body.length;
      connection.send(bytes.subarray(0, head));
      await setImmediate();
      connection.socket.write(bytes.subarray(head));
    },
  },
  {
    name: "a wait for leave to send a body",
    async send(connection, plain) {
      if (plain.body.length === 0) return connection.send(withLength(plain));
      const before = connection.received().length;
      connection.send(
        headOf(plain, [
          ["Content-Length", String(plain.body.length)],
          ["Expect", "100-continue"],
        ]),
      );
      while (!connection.received().slice(before).includes("100 Continue")) await setImmediate();
      connection.socket.write(plain.body);
      return undefined;
    },
  },
  {
    name: "no wait for the leave that it asked for",
    send: (connection, plain) =>
      connection.send(
        withLength({ ...plain, fields: [...plain.fields, ["Expect", "100-Continue"]] }),
      ),
  },
];

/** How bodies are written. */
const bodies: readonly Habit[] = [
  { name: "chunks of seven bytes", send: inChunks(7) },
  { name: "chunks with an extension, and a trailer", send: inChunks(64, ";a=b", "X-Sum: 1\r\n") },
  { name: "gzip", change: coded("gzip", gzipSync) },
  {
    name: "gzip under its old name, in chunks",
    change: coded("x-gzip", gzipSync),
    send: inChunks(50),
  },
  { name: "deflate", change: coded("deflate", deflateSync) },
  { name: "a coding that changes nothing", change: withFields(["Content-Encoding", "identity"]) },
  { name: "JSON under a form's type", encode: withType(form) },
  { name: "JSON as text", encode: withType("text/plain;charset=UTF-8") },
  { name: "JSON without a type", encode: withType(null) },
  { name: "JSON under an empty type", encode: withType("") },
  { name: "JSON with a comma in its type", encode: withType("application/json,charset=UTF-8") },
  {
    name: "JSON under a type in capital letters",
    encode: withType("APPLICATION/JSON; CHARSET=UTF-8"),
  },
  { name: "JSON under a type of its own", encode: withType("application/vnd.api+json") },
  { name: "JSON as a stream of bytes", encode: withType("application/octet-stream") },
  {
    name: "JSON with a byte order mark",
    encode: withType(json, (data) => `\u{feff}${asJson(data)}`),
  },
  {
    name: "JSON over many lines",
    encode: withType(
      json,
      (data) => `\r\n${JSON.stringify(data ?? {}, null, "\t").replaceAll("\n", "\r\n")}\r\n`,
    ),
  },
  {
    name: "JSON in ASCII, with slashes escaped",
    encode: withType(json, (data) =>
      toUnicodeEscapes(asJson(data)).replaceAll("/", String.raw`\/`),
    ),
  },
  {
    name: "members that nobody knows, and null",
    encode: withType(json, (data) => asJson({ ...data, _meta: { a: [] }, title2: null })),
  },
  { name: "forms with + for blanks", encode: withType(form, asForm) },
  {
    name: "forms with %20 for blanks",
    encode: withType(`${form}; charset=UTF-8`, (data) => asForm(data, "%20")),
  },
  { name: "forms without a type", encode: withType(null, asForm) },
  {
    name: "multipart",
    encode: withType("multipart/form-data; boundary=----b5c1a", (data) =>
      asMultipart(data, "----b5c1a"),
    ),
  },
  {
    name: "multipart with a boundary in quotes",
    encode: withType('multipart/form-data; charset=utf-8; boundary="b (1)?"', (data) =>
      asMultipart(data, "b (1)?"),
    ),
  },
  { name: "an empty text where it has nothing", encode: sayingNothing('""') },
  { name: "an empty list where it has nothing", encode: sayingNothing("[]") },
  { name: "null where it has nothing", encode: sayingNothing("null") },
  { name: "blanks where it has nothing", encode: sayingNothing(" \r\n") },
  { name: "no body where it has nothing", encode: sayingNothing("") },
  {
    name: "a body with every GET",
    change: (plain) =>
      plain.method === "GET"
        ? { ...plain, body: Buffer.from("[]"), fields: [...plain.fields, ["Content-Type", json]] }
        : plain,
  },
  {
    name: "a form's type and no length with every GET",
    change: (plain) =>
      plain.method === "GET"
        ? { ...plain, fields: [...plain.fields, ["Content-Type", form], ["Content-Length", "0"]] }
        : plain,
  },
];

function withLineBefore(connection: RawConnection, plain: Plain): void {
  connection.socket.write("\r\n");
  connection.send(withLength(plain));
}

function hostOf({ fields }: Plain): string {
  return fields.find(([name]) => name === "Host")?.[1] ?? "";
}

export const HABITS: readonly Habit[] = [...heads, ...targets, ...connections, ...bodies];
export { asJson };
