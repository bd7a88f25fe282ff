import { createFieldReader } from "./request-text.ts";

/** The body of POST /conversation/message: its bytes, or what a caller has already read of it. */
export type MessageRequest =
  | Uint8Array
  | { readonly message?: unknown; readonly option?: unknown; readonly directCall?: unknown };

/**
 * What the reader typed, or null. The request's `message` counts only when neither `option` nor
 * `directCall` has a value: clients send a message along with a clicked option, and then it is not
 * what was asked. Any doubt gives null.
 */
export function typedQuestion(request: MessageRequest | null): string | null {
  if (request === null) return null;
  const { message, option, directCall } =
    request instanceof Uint8Array ? Object.fromEntries(readFields(request)) : request;
  if (hasValue(option) || hasValue(directCall)) return null;
  return typeof message === "string" && message.trim() !== "" ? message : null;
}

/** Bytes and texts that are the same when a client sends the same message again. */
export function requestSeed(request: MessageRequest | null): readonly (string | Uint8Array)[] {
  if (request === null) return [];
  if (request instanceof Uint8Array) return [request];
  return [request.message, request.option, request.directCall].map((value) =>
    typeof value === "string" || typeof value === "number" ? String(value) : "",
  );
}

const readFields = createFieldReader(["message", "option", "directCall"]);

// `false` and 0 are values: a client that sends them clicked something.
function hasValue(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}
