import {
  CALLER_OPERATIONS,
  type CallerOperation,
  type CallerProduct,
} from "../../config/caller-operations.ts";

/** The result for a request. `rest` is its target, rebuilt from the decoded values. */
export type RequestedOperation =
  | { readonly kind: "operation"; readonly operation: CallerOperation; readonly rest: string }
  /** `line` is the entry for `operations`, with `{…}` instead of values; null for a bad path. */
  | { readonly kind: "unknown"; readonly line: string | null }
  /** A known operation with parameters that it does not have. */
  | { readonly kind: "query"; readonly operation: CallerOperation };

/**
 * Finds the operation of a raw path and query below a product. Segments are decoded once before the
 * comparison. The target for the upstream is rebuilt from the decoded values, so that the upstream
 * cannot interpret the raw one differently.
 *
 * @param further operations of the configuration that the table does not have
 */
export function findRequestedOperation(
  product: CallerProduct,
  method: string,
  target: string,
  further: readonly CallerOperation[],
): RequestedOperation {
  const queryAt = target.indexOf("?");
  const path = queryAt === -1 ? target : target.slice(0, queryAt);
  const query = queryAt === -1 ? "" : target.slice(queryAt + 1);
  const segments = decodeSegments(path);
  const verb = method === "HEAD" ? "GET" : method;
  if (segments === null) return { kind: "unknown", line: null };
  const found = findMostLiteral(product, verb, segments, further);
  if (found === null) return { kind: "unknown", line: lineOf(product, verb, segments) };
  const { operation, pattern } = found;
  const pairs = decodeQuery(query, operation.query);
  if (pairs === null) return { kind: "query", operation };
  const values = segments.filter((_, index) => isValue(pattern[index] ?? ""));
  const rebuilt = (operation.paths[0] ?? []).map((segment) =>
    encodeURIComponent(isValue(segment) ? (values.shift() ?? "") : segment),
  );
  const parameters = pairs.map((pair) => pair.map(encodeURIComponent).join("="));
  const rest = `/${rebuilt.join("/")}${parameters.length === 0 ? "" : `?${parameters.join("&")}`}`;
  return { kind: "operation", operation, rest };
}

/** Decodes the segments. Null if one is empty, invalid, or has characters with a special meaning. */
function decodeSegments(path: string): readonly string[] | null {
  const raw = path.replace(/\/$/, "").split("/");
  if (raw.shift() !== "" || raw.length === 0) return null;
  const segments = raw.map(decodeText);
  const sound = segments.every(
    (segment) =>
      segment !== null && segment !== "" && !/^\.+$/.test(segment) && !SPECIAL.test(segment),
  );
  return sound ? segments.filter((segment) => segment !== null) : null;
}

// Separators, escapes for a second decoding, and control characters.
// oxlint-disable-next-line no-control-regex
const SPECIAL = /[/\\%;?#\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Decodes percent-encoding. Null for damaged escapes, invalid UTF-8, and unescaped bytes. */
function decodeText(text: string): string | null {
  if (!/^[!-~]*$/.test(text)) return null;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

interface Match {
  readonly operation: CallerOperation;
  readonly pattern: readonly string[];
}

/** Finds the most literal operation that fits: `/users/public` before `/users/{id}`. */
function findMostLiteral(
  product: CallerProduct,
  method: string,
  segments: readonly string[],
  further: readonly CallerOperation[],
): Match | null {
  let best: Match | null = null;
  for (const operation of [...CALLER_OPERATIONS, ...further]) {
    if (operation.product !== product || operation.method !== method) continue;
    for (const pattern of operation.paths) {
      if (!fits(pattern, segments)) continue;
      if (best === null || isMoreLiteral(pattern, best.pattern)) best = { operation, pattern };
    }
  }
  return best;
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((part, index) => {
    const segment = segments[index] ?? "";
    if (!isValue(part)) return part === segment;
    return /^\{(?:id|\w*Id)\}$/.test(part) ? isId(segment) : segment.length <= maxValueLength;
  });
}

function isMoreLiteral(a: readonly string[], b: readonly string[]): boolean {
  for (const [index, part] of a.entries()) {
    const other = isValue(b[index] ?? "");
    if (isValue(part) !== other) return other;
  }
  return false;
}

const maxValueLength = 200;

/** True for numbers, UUIDs and random ids. The words of routes are shorter and in lower case. */
function isId(segment: string): boolean {
  return /^[\w-]{1,128}$/.test(segment) && (/[0-9A-Z_]/.test(segment) || segment.length >= 20);
}

function isValue(part: string): boolean {
  return part.startsWith("{");
}

/**
 * Decodes the parameters. Null if one is forbidden, repeated or invalid: leaving it out would change
 * the meaning of the request.
 */
function decodeQuery(query: string, allowed: readonly string[]): [string, string][] | null {
  const pairs: [string, string][] = [];
  for (const written of query.split("&")) {
    if (written === "") continue;
    const equals = written.indexOf("=");
    const [name, value] = (
      equals === -1 ? [written, ""] : [written.slice(0, equals), written.slice(equals + 1)]
    ).map((part) => decodeText(part.replaceAll("+", " ").replaceAll(" ", "%20")));
    if (name === undefined || name === null || value === undefined || value === null) return null;
    if (!allowed.includes(name) || CONTROL.test(value)) return null;
    if (pairs.some(([other]) => other === name)) return null;
    pairs.push([name, value]);
  }
  return pairs;
}

/** Writes a request as a line that keeps only the words of routes, because values may be personal. */
function lineOf(product: CallerProduct, method: string, segments: readonly string[]): string {
  const words = segments
    .slice(0, 8)
    .map((segment) => (/^(?:v\d|[a-z][a-z-]{0,30})$/.test(segment) ? segment : "{id}"));
  const verb = /^(?:GET|POST|PUT|PATCH|DELETE)$/.test(method) ? method : "GET";
  return `${verb} /${[product, ...words].join("/")}`;
}
