import type { RawHeaders } from "../../http/types.ts";
import type { Product } from "../../api/call/routes.ts";
import { fieldOf, hasFieldPrefix, membersOf } from "./headers.ts";

/** The operation of a chatbot path, where the gateway has something to do with it. */
export type ChatbotOperation = "message" | "start" | "history" | "variables" | "events" | "other";

/** A raw target's route. `rest` is forwarded as it is: empty, or begins with `/` or `?`. */
export type Target =
  | {
      readonly kind: "auth";
      readonly operation: "auth" | "refresh" | "apis";
      readonly rest: string;
      readonly prefix: string;
    }
  | {
      readonly kind: "product";
      readonly product: Product;
      readonly operation: ChatbotOperation;
      readonly rest: string;
      readonly prefix: string;
    }
  | {
      readonly kind: "signed";
      readonly segment: string;
      readonly rest: string;
      readonly prefix: string;
    }
  | { readonly kind: "own"; readonly name: string; readonly query: string }
  | { readonly kind: "home"; readonly rest: string }
  | { readonly kind: "server-options" }
  | { readonly kind: "refused"; readonly reason: "dot-segment" | "malformed" }
  | { readonly kind: "unknown" };

/**
 * Classifies a raw request-target. Nothing is decoded and nothing is normalised: what is compared
 * here is what is forwarded, so that no two readers of the same target can disagree. `prefixes` are
 * paths (no trailing slash) under which the routes may stand, such as the path of `publicUrl` and
 * the instances' path prefixes; the longest that fits is removed.
 */
export function classify(
  method: string,
  rawTarget: string,
  headers: RawHeaders,
  prefixes: readonly string[] = [],
): Target {
  if (rawTarget === "*") return method === "OPTIONS" ? { kind: "server-options" } : malformed;
  const target = toOriginForm(rawTarget);
  if (target === null || !visibleAscii.test(target)) return malformed;
  const queryAt = target.indexOf("?");
  const fullPath = queryAt === -1 ? target : target.slice(0, queryAt);
  if (hasDotSegment(fullPath)) return { kind: "refused", reason: "dot-segment" };

  const prefix = findLongestPrefix(fullPath, prefixes);
  const path = fullPath.slice(prefix.length);
  const query = queryAt === -1 ? "" : target.slice(queryAt);
  if (path === "" || path === "/") return { kind: "home", rest: `/${query}` };
  if (isPage.test(path)) return { kind: "home", rest: path + query };
  if (path.startsWith("/_afterword/"))
    return { kind: "own", name: dropTrailingSlash(path.slice(12)), query };

  const rest = path + query;
  const authentication = authenticationPaths.get(dropTrailingSlash(path));
  if (authentication !== undefined)
    return { kind: "auth", operation: authentication, rest, prefix };
  if (path.startsWith("/r/")) return classifySigned(path, query, prefix);
  if (path.startsWith("/v1/")) {
    return speaksChat(method, headers, query)
      ? { kind: "product", product: "chat", operation: "other", rest, prefix }
      : { kind: "product", product: "chatbot", operation: operationOf(method, path), rest, prefix };
  }
  if (path === "/conversation" || path.startsWith("/conversation/")) {
    return {
      kind: "product",
      product: "chatbot",
      operation: operationOf(method, path),
      rest,
      prefix,
    };
  }
  if (unversionedChat.test(path) && speaksChat(method, headers, query)) {
    return { kind: "product", product: "chat", operation: "other", rest, prefix };
  }
  return classifyProductPath(method, path, query, prefix);
}

/** A target's path for our own routes: no prefix, query or trailing slash; not decoded. */
export function routePath(rawTarget: string, prefixes: readonly string[]): string {
  const path = (toOriginForm(rawTarget) ?? "/").replace(/[?#].*$/s, "");
  return dropTrailingSlash(path.slice(findLongestPrefix(path, prefixes).length)) || "/";
}

/** The product that a path names, or `""`: a signed segment names its own. */
export function productOf(target: Target): Product | "" {
  return target.kind === "product" ? target.product : "";
}

/** Finds the operation of a chatbot path, with or without `/v1` and trailing slash. */
export function operationOf(method: string, path: string): ChatbotOperation {
  const operation = operations.get(dropTrailingSlash(dropVersion(path)));
  if (operation === undefined) return "other";
  return operation.method === method ? operation.name : "other";
}

/** True of every path of the conversation, whatever the method. `rest` stands behind a base. */
export function isConversation(rest: string): boolean {
  return /^\/conversation(?:[/?]|$)/.test(dropVersion(rest));
}

function dropVersion(path: string): string {
  // A base that ends in a slash, joined with a path that begins with one.
  const plain = path.startsWith("//") ? path.replace(/^\/+/, "/") : path;
  return plain.startsWith("/v1/") ? plain.slice(3) : plain;
}

/** The backend's pages: for agents, and for those who write clients. */
const isPage = /^\/(?:desk|docs)(?:\/|$)/;

const malformed: Target = { kind: "refused", reason: "malformed" };

// RFC 3986 allows visible ASCII in a request-target, without the fragment's `#`. Bytes above it are
// common in the wild and harmless; blanks and controls cannot get through a correct parser and
// never go further.
const visibleAscii = /^[!-"$-~\u0080-\u00ff]+$/;

const authenticationPaths: ReadonlyMap<string, "auth" | "refresh" | "apis"> = new Map([
  ["/v1/auth", "auth"],
  ["/v1/refreshToken", "refresh"],
  ["/v1/apis", "apis"],
] as const);

const operations: ReadonlyMap<
  string,
  { readonly method: string; readonly name: ChatbotOperation }
> = new Map([
  ["/conversation", { method: "POST", name: "start" }],
  ["/conversation/message", { method: "POST", name: "message" }],
  ["/conversation/history", { method: "GET", name: "history" }],
  ["/conversation/variables", { method: "POST", name: "variables" }],
  ["/conversation/variables/multiple", { method: "POST", name: "variables" }],
  ["/tracking/events", { method: "POST", name: "events" }],
] as const);

const unversionedChat = /^\/(?:media|settings|surveys)(?:\/|$)/;

/** Others pass under /r/ only. */
const products: readonly Product[] = ["chatbot", "knowledge", "ticketing", "chat"];

function classifyProductPath(method: string, path: string, query: string, prefix: string): Target {
  for (const product of products) {
    const head = product.length + 1;
    if (!path.startsWith(product, 1) || (path.length > head && path[head] !== "/")) continue;
    const inner = path.slice(head);
    const operation = product === "chatbot" ? operationOf(method, inner) : "other";
    return { kind: "product", product, operation, rest: inner + query, prefix };
  }
  return { kind: "unknown" };
}

function classifySigned(path: string, query: string, prefix: string): Target {
  const end = path.indexOf("/", 3);
  const segment = end === -1 ? path.slice(3) : path.slice(3, end);
  if (segment === "") return { kind: "unknown" };
  return { kind: "signed", segment, rest: (end === -1 ? "" : path.slice(end)) + query, prefix };
}

/** Reduces absolute-form (RFC 9112 section 3.2.2) to origin-form; other forms are invalid. */
function toOriginForm(target: string): string | null {
  if (target.startsWith("/")) return target;
  const scheme = /^https?:\/\/[^/?#]*/i.exec(target);
  if (scheme === null) return null;
  const rest = target.slice(scheme[0].length);
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/**
 * True when some reader of this path could see a `.` or `..` segment: one that decodes more than
 * once, takes UTF-8 in more bytes than it needs, knows backslashes or `%u002e`, or cuts off what
 * follows a segment: `;parameters` as servlet containers do, a query, blanks, or all behind a NUL.
 */
function hasDotSegment(path: string): boolean {
  if (!/[.%\u00ae]/.test(path)) return false;
  let plain = path;
  for (let pass = 0; pass < 3; pass++)
    plain = plain.replace(/%(?:25)*(?:u00)?([\da-f]{2})/gi, decodeByte);
  return plain
    .replace(overlong, (bytes) => {
      const [high, low] = [bytes.charCodeAt(bytes.length - 2), bytes.charCodeAt(bytes.length - 1)];
      return String.fromCharCode(((high & 1) << 6) | (low & 0x3f));
    })
    .split(/[/\\]/)
    .some((segment) => /^\.\.?(?:[;?#]|\0|\s*$)/.test(segment));
}

function decodeByte(_: string, digits: string): string {
  return String.fromCharCode(Number.parseInt(digits, 16));
}

/** ASCII in two to four bytes (RFC 3629 section 10 forbids it), each byte as one character. */
const overlong =
  /(?:[\u00c0\u00c1]|\u00e0[\u0080\u0081]|\u00f0\u0080[\u0080\u0081])[\u0080-\u00bf]/g;

function findLongestPrefix(path: string, prefixes: readonly string[]): string {
  let best = "";
  for (const prefix of prefixes) {
    const fits =
      path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === "/");
    if (fits && prefix.length > best.length) best = prefix;
  }
  return best;
}

/** The chat interface is known by its credentials: headers, query, or what a preflight asks for. */
function speaksChat(method: string, headers: RawHeaders, query: string): boolean {
  if (hasFieldPrefix(headers, "x-hyper-")) return true;
  if (query !== "" && /[?&]appId=/.test(query)) return true;
  if (method !== "OPTIONS") return false;
  const asked = membersOf(fieldOf(headers, "access-control-request-headers"));
  return asked.some((name) => name.toLowerCase().startsWith("x-hyper-"));
}

function dropTrailingSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}
