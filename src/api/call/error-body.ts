import { isRecord } from "../../json/values.ts";

/** The contents of an error body, in any of the known shapes. */
export interface ErrorBody {
  readonly code: number | null;
  readonly message: string | null;
}

/**
 * Creates an error body in the shape that the clients of a product read. The chatbot and
 * authentication have `errors`, the chat has `error`, and case management and knowledge have both,
 * and a top-level `message`.
 *
 * @param product its key in `apis`; an unknown product gets the shape of the chatbot
 */
export function errorBodyOf(product: string, code: number, message: string): object {
  const error = { code, message };
  switch (product) {
    case "chat":
      return { error };
    case "ticketing":
    case "knowledge":
      return { message, error, errors: [error] };
    default:
      return { errors: [error] };
  }
}

/**
 * Reads an error body: `{"errors":[{code,message}]}`, `{"error":{code,message}}`, `{"error":"…"}`,
 * a top-level `message` or `Message`, or several at once. Null if the value is none of these.
 * Some services answer an error with status 200, so the status does not tell.
 */
export function readErrorBody(value: unknown): ErrorBody | null {
  if (!isRecord(value)) return null;
  const [first] = Array.isArray(value["errors"]) ? (value["errors"] as readonly unknown[]) : [];
  const inner = isRecord(first) ? first : isRecord(value["error"]) ? value["error"] : null;
  const texts = [
    inner?.["message"],
    typeof value["error"] === "string" ? value["error"] : undefined,
    value["message"],
    value["Message"],
  ];
  const message = texts.find((text) => typeof text === "string" && text !== "");
  const code = [inner?.["code"], value["code"]].find((number) => Number.isInteger(number));
  if (inner === null && typeof message !== "string") return null;
  return {
    code: typeof code === "number" ? code : null,
    message: typeof message === "string" ? message : null,
  };
}

/** True if a body has a key that only errors have, whatever the status of its answer. */
export function isErrorBody(value: unknown): boolean {
  return isRecord(value) && (Array.isArray(value["errors"]) || isErrorMember(value["error"]));
}

function isErrorMember(value: unknown): boolean {
  return isRecord(value) || (typeof value === "string" && value !== "");
}
