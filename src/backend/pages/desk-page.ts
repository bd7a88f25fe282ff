import { sha256Hex } from "../../bytes.ts";
import { LRUCache } from "lru-cache";
import { Hono } from "hono";
import type { Context } from "hono";
import { isFromElsewhere } from "../auth/credentials.ts";
import { DEMO_CHAT } from "../chat/demo.ts";
import { errorAnswer } from "../refusal.ts";
import type { DeskFiles } from "./desk-files.ts";

/** A text as it is sent: with gzip for clients that accept it. */
interface Compressed {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly coding: "gzip" | null;
}

/** The text for a client with this `Accept-Encoding`. What was compressed once is kept. */
async function compressedFor(
  acceptEncoding: string | undefined,
  text: string,
): Promise<Compressed> {
  if (!takesGzip(acceptEncoding ?? "")) {
    return { bytes: new TextEncoder().encode(text), coding: null };
  }
  const kept = gzipped.get(text) ?? gzip(text);
  gzipped.set(text, kept);
  return { bytes: await kept, coding: "gzip" };
}

// The parts of one desk, and its page in a few spellings.
const gzipped = new LRUCache<string, Promise<Uint8Array<ArrayBuffer>>>({ max: 100 });

/** RFC 9110, 12.5.3: a coding with the weight 0 is refused. */
function takesGzip(accepted: string): boolean {
  return accepted.split(",").some((member) => {
    const [coding = "", ...parameters] = member.split(";").map((part) => part.trim().toLowerCase());
    return coding === "gzip" && !parameters.some((one) => /^q=0(?:\.0*)?$/.test(one));
  });
}

async function gzip(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export interface DeskOptions {
  /** Called once, when somebody opens the desk; a failure is tried again. */
  readonly files: () => Promise<DeskFiles>;
  /** True while the demo app works: then its id stands in the field. */
  readonly demo: boolean;
}

/**
 * The page on which agents answer chats: GET /desk, and its parts at `/desk/<version>/<name>`. The
 * version is a digest of them all, so a browser keeps them for good and asks for the page alone.
 * The page holds no secret: agents log in with their own names, and it is an ordinary client of the
 * chat interface, found relative to its own address.
 *
 * @example
 * app.route("/", deskRoutes({ files: loadDesk, demo: false }));
 */
export function deskRoutes({ files, demo }: DeskOptions): Hono {
  const routes = new Hono({ strict: false });
  let loading: Promise<Desk> | null = null;
  const load = (): Promise<Desk> => {
    loading ??= files()
      .then(prepare)
      .catch((error: unknown) => {
        loading = null;
        throw error;
      });
    return loading;
  };
  routes.get("/desk", async (c) => {
    const desk = await load();
    // Relative to what the browser asked for, so that the page works behind any path prefix.
    const base = new URL(c.req.url).pathname.endsWith("/") ? desk.version : `desk/${desk.version}`;
    const usable = demo && !isFromElsewhere(c.req.raw.headers);
    const body = page(desk, base, usable);
    return answer(c, body, "text/html; charset=utf-8", {
      "cache-control": "private, no-cache",
      "content-security-policy": policy,
      "cross-origin-opener-policy": "same-origin",
    });
  });
  routes.get("/desk/:version/:name{.+}", async (c) => {
    const desk = await load();
    const { version, name } = c.req.param();
    const body = version === desk.version ? desk.parts.get(name) : undefined;
    if (body === undefined) return errorAnswer(c.req.path, 404, "There is nothing here.");
    return answer(c, body, types[name.split(".").at(-1) ?? ""] ?? "text/plain", {
      "cache-control": "public, max-age=31536000, immutable",
      "content-security-policy": "default-src 'none'",
    });
  });
  return routes;
}

const types: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
};

interface Desk extends DeskFiles {
  readonly version: string;
}

async function prepare({ html, parts }: DeskFiles): Promise<Desk> {
  return { html, parts, version: await digest(JSON.stringify([...parts])) };
}

function page({ html, parts }: Desk, base: string, demo: boolean): string {
  // Preloaded, so that modules that import each other come all at once.
  const modules = [...parts.keys()].filter((name) => name.endsWith(".js"));
  const head = [
    ...(demo ? [`<meta name="demo-app" content="${DEMO_CHAT.appId}" />`] : []),
    ...modules.map((name) => `<link rel="modulepreload" href="${base}/${name}" />`),
  ];
  return html.replaceAll("{{base}}", base).replace("{{head}}", head.join("\n    "));
}

async function answer(
  c: Context,
  body: string,
  type: string,
  more: Readonly<Record<string, string>>,
): Promise<Response> {
  // A weak one: the same for every content coding (RFC 9110, 8.8.3.3).
  const etag = `W/"${await digest(body)}"`;
  const headers = {
    ...more,
    etag,
    vary: "accept-encoding",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
  };
  const known = (c.req.header("if-none-match") ?? "").split(",").map((one) => one.trim());
  if (known.includes(etag) || known.includes("*"))
    return new Response(null, { status: 304, headers });
  const { bytes, coding } = await compressedFor(c.req.header("accept-encoding"), body);
  return new Response(bytes, {
    headers: {
      ...headers,
      "content-type": type,
      ...(coding !== null && { "content-encoding": coding }),
    },
  });
}

// A page that renders text as text needs no HTML sink: trusted types make browsers refuse all.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src blob: data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

async function digest(text: string): Promise<string> {
  return (await sha256Hex(text)).slice(0, 24);
}
