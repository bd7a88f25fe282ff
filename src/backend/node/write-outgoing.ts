import { ServerResponse } from "node:http";
import type { AnswerWriter } from "../json-answer.ts";

/**
 * Writes head and text at once, for an app that Node's listener serves; false where there is no
 * listener, or no client any more.
 */
export const writeOutgoing: AnswerWriter = (env, { status, headers }, text) => {
  const outgoing: unknown =
    typeof env === "object" && env !== null ? Reflect.get(env, "outgoing") : null;
  if (!(outgoing instanceof ServerResponse) || outgoing.headersSent || outgoing.destroyed) {
    return false;
  }
  const fields = Object.fromEntries(headers);
  outgoing.writeHead(status, { ...fields, "content-length": Buffer.byteLength(text) });
  outgoing.end(text);
  return true;
};
