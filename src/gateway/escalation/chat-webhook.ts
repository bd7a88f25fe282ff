import { signHmacHex } from "../../json/bytes.ts";
import { parseJson } from "../../json/values.ts";
import { memberOf, readTextMember } from "../../api/call/read.ts";
import type { ChatSign } from "../../escalation/records/signs.ts";
import type { Core } from "../core.ts";
import type { GatewayRequest } from "../exchange/request.ts";
import { readAhead } from "../upstream/forward.ts";
import { refuse } from "../exchange/errors.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { fieldOf } from "../exchange/headers.ts";
import { answerNotFound } from "../own-routes.ts";

/**
 * POST /_afterword/webhooks/chat/<instance>: receives an event of a chat. Afterword looks the
 * change up instead of reading it from the event, so that duplicate, late and unordered events do
 * no harm. Only signs of typing and reading are taken from the event, and they expire.
 *
 * @param changed called with the id of the chat
 */
export async function answerChatWebhook(
  core: Core,
  { exchange }: GatewayRequest,
  name: string,
  changed: (chat: string, sign: ChatSign | null) => Promise<void>,
): Promise<void> {
  const instance = core.snapshot().config.instances.find((one) => one.name === name);
  const secret = instance?.escalation.chat.hookSecret ?? null;
  if (secret === null) return answerNotFound(exchange);
  if (exchange.method !== "POST") {
    return refuse(exchange, 405, "This route takes POST.", ["Allow", "POST"]);
  }
  const offered = fieldOf(exchange.headers, "x-hook-secret");
  if (offered !== null) {
    if (!(await isEqual(core, offered, secret))) return answerNotFound(exchange);
    return accept(exchange, ["X-Hook-Secret", secret]);
  }
  const read = await exchange.body?.peek(readAhead);
  if (read === undefined || read.rest !== null) {
    return refuse(exchange, 413, "An event is smaller than this.");
  }
  const signature = fieldOf(exchange.headers, "x-hook-signature") ?? "";
  if (!(await isSigned(core, read.bytes, secret, signature))) {
    core.metrics.count("afterword_webhooks_refused_total");
    return refuse(exchange, 401, "The signature does not fit.");
  }
  // The answer goes out first, so that a slow chat service does not delay its own delivery.
  accept(exchange, []);
  const event = parseJson(new TextDecoder().decode(read.bytes));
  const data = memberOf(event, "data");
  const chat = readTextMember(data, "chatId") ?? readTextMember(memberOf(data, "message"), "chat");
  if (chat !== null) await changed(chat, signIn(event));
}

function accept(exchange: Exchange, extra: readonly string[]): void {
  exchange.reply.send(
    200,
    "OK",
    ["Content-Length", "0", "Cache-Control", "no-store", ...extra],
    null,
  );
}

function signIn(event: unknown): ChatSign | null {
  const data = memberOf(event, "data");
  const person = readTextMember(data, "userId");
  const message = readTextMember(memberOf(data, "message"), "id");
  const trigger = readTextMember(event, "trigger");
  if (person === null) return null;
  if (trigger === "users:activity") {
    return { kind: "typing", person, typing: readTextMember(data, "type") === "writing" };
  }
  if (trigger === "messages:read" && message !== null) return { kind: "read", person, message };
  return null;
}

async function isSigned(
  core: Core,
  bytes: Uint8Array,
  secret: string,
  signature: string,
): Promise<boolean> {
  const mac = await signHmacHex(secret, new Uint8Array(bytes));
  return isEqual(core, signature.toLowerCase().replace(/^sha256=/u, ""), mac);
}

/** Compares digests, so that the response time does not reveal the secret. */
async function isEqual({ platform }: Core, one: string, other: string): Promise<boolean> {
  return (await platform.digest(one)) === (await platform.digest(other));
}
