import { LRUCache } from "lru-cache";
import { sha256Hex } from "../bytes.ts";
import type { ServedFiles } from "./page-files.ts";

/** What a page's answer depends on. */
export interface PageRequest {
  /** As the browser wrote it: the parts' addresses are relative to it. */
  readonly path: string;
  readonly acceptEncoding: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

export interface ServedPage {
  /** @param more elements for the page's head */
  page(request: PageRequest, more?: readonly string[]): Promise<Response>;
  /** Null: there is no such part. */
  part(version: string, name: string, request: PageRequest): Promise<Response | null>;
}

/**
 * A page at `…/<name>`, and its parts at `…/<name>/<version>/<part>`. The version is a digest of
 * them all, so a browser keeps them for good and asks for the page alone.
 *
 * @param files called once, when somebody opens the page; a failure is tried again
 */
export function servePage(name: string, files: () => Promise<ServedFiles>): ServedPage {
  let loading: Promise<Prepared> | null = null;
  const load = (): Promise<Prepared> => {
    loading ??= files()
      .then(prepare)
      .catch((error: unknown) => {
        loading = null;
        throw error;
      });
    return loading;
  };
  return {
    async page(request, more = []) {
      const page = await load();
      // Relative to what the browser asked for, so that the page works behind any path prefix.
      const base = request.path.endsWith("/") ? page.version : `${name}/${page.version}`;
      return pageAnswer(request, htmlOf(page, base, more), "text/html; charset=utf-8", {
        "cache-control": "private, no-cache",
        "content-security-policy": policy,
        "cross-origin-opener-policy": "same-origin",
      });
    },
    async part(version, part, request) {
      const page = await load();
      const body = version === page.version ? page.parts.get(part) : undefined;
      if (body === undefined) return null;
      return pageAnswer(request, body, types[part.split(".").at(-1) ?? ""] ?? "text/plain", {
        "cache-control": "public, max-age=31536000, immutable",
        "content-security-policy": "default-src 'none'",
      });
    },
  };
}

const types: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
};

interface Prepared extends ServedFiles {
  readonly version: string;
}

async function prepare({ html, parts }: ServedFiles): Promise<Prepared> {
  return { html, parts, version: await digest(JSON.stringify([...parts])) };
}

function htmlOf({ html, parts }: Prepared, base: string, more: readonly string[]): string {
  // Preloaded, so that modules that import each other come all at once.
  const modules = [...parts.keys()].filter((name) => name.endsWith(".js"));
  const head = [
    ...more,
    ...modules.map((name) => `<link rel="modulepreload" href="${base}/${name}" />`),
  ];
  return html.replaceAll("{{base}}", base).replace("{{head}}", head.join("\n    "));
}

/** What a page or a part of one is answered with: checked by its tag, compressed. */
export async function pageAnswer(
  { acceptEncoding, ifNoneMatch = "" }: Omit<PageRequest, "path">,
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
  const known = ifNoneMatch.split(",").map((one) => one.trim());
  if (known.includes(etag) || known.includes("*"))
    return new Response(null, { status: 304, headers });
  const { bytes, coding } = await compressedFor(acceptEncoding, body, keptGzip);
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

/** A text as it is sent: with gzip for clients that accept it. */
interface Compressed {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly coding: "gzip" | null;
}

/** The text for a client with this `Accept-Encoding`. */
export async function compressedFor(
  acceptEncoding: string | undefined,
  text: string,
  compress = gzip,
): Promise<Compressed> {
  if (!takesGzip(acceptEncoding ?? "")) {
    return { bytes: new TextEncoder().encode(text), coding: null };
  }
  return { bytes: await compress(text), coding: "gzip" };
}

/** What was compressed once is kept. */
function keptGzip(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const kept = gzipped.get(text) ?? gzip(text);
  gzipped.set(text, kept);
  return kept;
}

// The parts of the pages, and each page in a few spellings.
const gzipped = new LRUCache<string, Promise<Uint8Array<ArrayBuffer>>>({ max: 200 });

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

async function digest(text: string): Promise<string> {
  return (await sha256Hex(text)).slice(0, 24);
}
