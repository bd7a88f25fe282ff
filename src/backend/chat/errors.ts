import { errorBodyOf } from "../../api/call/error-body.ts";
import { Refusal, toPrintable } from "../http/refusal.ts";

/** `{"error":{"code":N,"message":"…"}}`, the status as its code: chat clients read this alone. */
export function createChatError(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json(errorBodyOf("chat", status, message), {
    status,
    headers: { "cache-control": "no-store", ...headers },
  });
}

/** 404: this app has none, whatever other apps have. */
export function refuseUnknown(what: string, id: string): Refusal {
  return new Refusal(404, `There is no ${what} ${toPrintable(id)}.`);
}
