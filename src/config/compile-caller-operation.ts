import { type CallerOperation, readOperation } from "./caller-operation.ts";
import { CALLER_OPERATIONS } from "./caller-operations.ts";
import { didYouMean } from "./nearest.ts";
import type { Section } from "./section.ts";

/** An operation by name or `METHOD /product/path/{value}?parameter&parameter`; null if reported. */
export function compileCallerOperation(written: string, section: Section): CallerOperation | null {
  const named = CALLER_OPERATIONS.find(({ name }) => name === written);
  if (named !== undefined) return named;
  const [, method = "", product, inner = "", query = ""] = RAW.exec(written) ?? [];
  if (product !== "ticketing" && product !== "knowledge" && product !== "chat") {
    const names = CALLER_OPERATIONS.map(({ name }) => name);
    const message = `there is no operation "${written}".${didYouMean(written, names)}`;
    const hint = "Write a name such as ticketing.createTicket, or GET /ticketing/v1/things/{id}.";
    section.error("unknown-reference", message, hint);
    return null;
  }
  const operation = readOperation(written, product, method, inner + query);
  const sound =
    operation.paths.flat().every((segment) => SEGMENT.test(segment) && !/^\.+$/.test(segment)) &&
    operation.query.every((parameter) => PARAMETER.test(parameter));
  if (!sound) {
    const message = "a path is plain segments and {values}, its query names joined by &";
    section.error("invalid-value", message);
    return null;
  }
  // Two names for one thing: the table's name decides, whatever the values are called.
  const known = CALLER_OPERATIONS.find((other) => isSame(other, operation));
  return known ?? operation;
}

const RAW = /^(GET|POST|PUT|PATCH|DELETE) \/(ticketing|knowledge|chat)((?:\/[^/?#\s]+)+)(\?\S*)?$/;
const SEGMENT = /^(?:[\w.~-]+|\{[A-Za-z]\w*\})$/;
const PARAMETER = /^[\w.~[\]-]+$/;

function isSame(a: CallerOperation, b: CallerOperation): boolean {
  if (a.product !== b.product || a.method !== b.method) return false;
  const [wanted = []] = b.paths;
  return a.paths.some(
    (segments) =>
      segments.length === wanted.length &&
      segments.every((segment, index) => {
        const other = wanted[index] ?? "";
        return segment === other || (segment.startsWith("{") && other.startsWith("{"));
      }),
  );
}
