import { LRUCache } from "lru-cache";
import { hashSha256Hex } from "../json/bytes.ts";
import { headerOf, type PageName } from "./header.ts";

/** The files of a page, as a browser gets them. */
export interface ServedFiles {
  /**
   * The page; `{{base}}` is the parts' address, `{{folder}}` the one above it. `{{head}}` is the
   * place of further elements, `{{header}}` that of the header, `{{main}}` that of what differs
   * from request to request.
   */
  readonly html: string;
  /** By name: `desk.css`, `views/list.js`, `shared/words.js`. Imports are relative addresses. */
  readonly parts: ReadonlyMap<string, string>;
}

/** The part of a request that a page's answer depends on. */
export interface PageRequest {
  /** As the browser wrote it, because the parts' addresses are relative to it. */
  readonly path: string;
  readonly acceptEncoding: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/** The parts of a page for this request alone. */
export interface PageParts {
  /** Pages that are served beside it, for the header's links. */
  readonly pages: readonly PageName[];
  /** Elements for the page's head. */
  readonly head?: readonly string[];
  readonly main?: string;
}

export interface ServedPage {
  page(request: PageRequest, parts: PageParts): Promise<Response>;
  /** Null if there is no such part. */
  part(version: string, name: string, request: PageRequest): Promise<Response | null>;
}

/**
 * A page at `…/<name>`, and its parts at `…/<name>/<version>/<part>`. The version is a digest of
 * them all, so a browser keeps them for good and asks for the page alone. The start page has the
 * parts of the interfaces' reference.
 *
 * @param files called once, when the page is first opened; a failure is tried again
 */
export function servePage(name: PageName, files: () => Promise<ServedFiles>): ServedPage {
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
    async page(request, parts) {
      const page = await load();
      const html = htmlOf(name, page, request.path.endsWith("/"), parts);
      return answerPage(request, html, "text/html; charset=utf-8", {
        "cache-control": "private, no-cache",
        "content-security-policy": policy,
        "cross-origin-opener-policy": "same-origin",
      });
    },
    async part(version, part, request) {
      const page = await load();
      const body = version === page.version ? page.parts.get(part) : undefined;
      if (body === undefined) return null;
      return answerPage(request, body, types[part.split(".").at(-1) ?? ""] ?? "text/plain", {
        "cache-control": KEPT_FOR_GOOD,
        "content-security-policy": "default-src 'none'",
      });
    },
  };
}

/** For an address that names the version of its target. */
export const KEPT_FOR_GOOD = "public, max-age=31536000, immutable";

const types: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
};

interface Prepared extends ServedFiles {
  readonly version: string;
}

async function prepare({ html, parts }: ServedFiles): Promise<Prepared> {
  return { html, parts, version: await versionOf(parts) };
}

/** A digest of all parts: with it in their addresses, a browser may keep them for good. */
export function versionOf(parts: ReadonlyMap<string, string>): Promise<string> {
  return digest(JSON.stringify([...parts]));
}

/** @param slash true if the browser's address ends with one, and its links begin a folder below */
function htmlOf(
  name: PageName,
  { html, parts, version }: Prepared,
  slash: boolean,
  { pages, head = [], main = "" }: PageParts,
): string {
  // Relative to the browser's address, so that the page works behind any path prefix.
  const isStart = name === "start";
  const base = isStart ? `docs/${version}` : slash ? version : `${name}/${version}`;
  const up = (slash && !isStart ? 1 : 0) + (name === "console" ? 1 : 0);
  const header = headerOf({ page: name, pages, root: "../".repeat(up) || "./", parts });
  const links = listFirstModules(parts).map(
    (part) => `<link rel="modulepreload" href="${base}/${part}" />`,
  );
  return html
    .replaceAll("{{base}}", () => base)
    .replace("{{folder}}", () => base.slice(0, -version.length))
    .replace("{{head}}", () => [...head, ...links].join("\n    "))
    .replace("{{header}}", () => header)
    .replace("{{main}}", () => main);
}

/** The page names this script itself, and it is no module. */
const script = "shared/scheme.js";

/**
 * The modules that run when the page opens. They are preloaded, so that those that import each other
 * come all at once; a view that a page imports later is not among them.
 */
function listFirstModules(parts: ServedFiles["parts"]): readonly string[] {
  const found = new Set<string>();
  const follow = (name: string): void => {
    const source = parts.get(name);
    if (source === undefined || found.has(name)) return;
    found.add(name);
    for (const [, address = ""] of source.matchAll(staticImports)) {
      follow(new URL(address, `page:/${name}`).pathname.slice(1));
    }
  };
  for (const name of parts.has("main.js") ? ["main.js"] : parts.keys()) {
    if (name.endsWith(".js") && name !== script) follow(name);
  }
  return [...found].toSorted();
}

// `from "./x.js"` and `import "./x.js"`, as formatters and minifiers write them.
const staticImports = /\b(?:from|import) ?"(\.{1,2}\/[^"\n]+)"/g;

/** Answers with a page or a part of one: checked by its tag, compressed. */
export async function answerPage(
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
  const { bytes, coding } = await compressedFor(acceptEncoding, body, gzipOnce);
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

/** Compressed texts are cached. */
function gzipOnce(text: string): Promise<Uint8Array<ArrayBuffer>> {
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
  return (await hashSha256Hex(text)).slice(0, 24);
}
