import type { RawHeaders } from "../../http/types.ts";
import type { InstanceConfig } from "../../config/config.ts";
import { emptyMemory } from "../../conversation/memory.ts";
import { readChoice } from "../../escalation/questions.ts";
import type { EscalationRecord } from "../../escalation/stores/record.ts";
import type { ReaderRequest } from "../../escalation/turn.ts";
import type { LineContext } from "../../locales/types.ts";
import { credentialsOf } from "../upstream/discovery.ts";
import type { Core } from "../core.ts";
import type { GatewayRequest } from "../exchange/request.ts";
import type { OwnStatus } from "../exchange/errors.ts";
import { isTest } from "../exchange/headers.ts";
import { decodedLimit, readAhead } from "../upstream/forward.ts";
import { readPlainBody } from "../upstream/gates.ts";
import { createLineContext, readTypedQuestion } from "../rewriter/line-context.ts";
import { contextOf } from "../message/message.ts";
import type { Platform } from "../exchange/platform.ts";
import { createFieldReader } from "../rewriter/request-text.ts";

/** Reads the first bytes of a request, and returns a request that still sends them upstream. */
export async function withBytesRead(request: GatewayRequest): Promise<{
  readonly request: GatewayRequest;
  readonly bytes: Uint8Array;
  readonly whole: boolean;
}> {
  const { exchange } = request;
  if (exchange.body === null) return { request, bytes: new Uint8Array(0), whole: true };
  const { bytes, rest } = await exchange.body.peek(readAhead);
  const body = { length: exchange.body.length, peek: async () => ({ bytes, rest }) };
  // A spread would lose the methods of a platform's class.
  const { method, target, headers, peer, client, scheme, reply } = exchange;
  const shared = { method, target, headers, peer, client, reply };
  const read = { ...shared, body, ...(scheme !== undefined && { scheme }) };
  return { request: { ...request, exchange: read }, bytes, whole: rest === null };
}

/**
 * Reads what escalation needs of a request, which is JSON of any media type, or a form.
 *
 * @param whole false if `body` is only its beginning
 */
export async function readReaderRequest(
  platform: Pick<Platform, "digest" | "now" | "decode">,
  headers: RawHeaders,
  body: Uint8Array,
  whole: boolean,
): Promise<ReaderRequest> {
  const digest = await platform.digest(new TextDecoder("latin1").decode(body));
  const at = platform.now();
  const known = { digest, at, isTest: isTest(headers) };
  const plain = whole ? await readPlainBody(platform, headers, body, decodedLimit) : null;
  if (plain === null) {
    return { question: null, option: null, choice: null, unreadable: true, ...known };
  }
  const fields = readFields(plain);
  const option = fields.get("option") ?? null;
  return {
    question: readTypedQuestion(Object.fromEntries(fields)),
    option,
    choice: readChoice(option),
    unreadable: fields.size === 0 && !isEmptyTurn(plain),
    ...known,
  };
}

const readFields = createFieldReader(["message", "option", "directCall"]);

/** True for white space, and for an object, which then has no question. */
function isEmptyTurn(body: Uint8Array): boolean {
  const first = body.find((byte) => byte > 0x20);
  return first === undefined || first === 0x7b;
}

/**
 * Reads the reader's language and channel, and the values of placeholders.
 *
 * @param locale of the conversation's hand-over, or null. It is used while the memory of conversations
 *   fails or is late, so that no reader is answered in another language
 */
export async function readLineContext(
  core: Core,
  request: GatewayRequest,
  instance: InstanceConfig,
  body: Uint8Array,
  locale: string | null,
): Promise<LineContext> {
  const { headers } = request.exchange;
  const { snapshot } = request;
  const memory = (await core.recall.of(instance, headers)) ?? { ...emptyMemory, lang: locale };
  const rewriter = snapshot.rewriter.ofInstance(instance);
  if (rewriter === null) throw new Error(`no tables for instance ${instance.name}`);
  const context = contextOf(headers, memory, body, false);
  const now = (): number => core.platform.now();
  return createLineContext(context, instance, snapshot.config, rewriter.negotiate, now).line;
}

/** True if Afterword or an agent may answer instead of the engine, so that the engine checks no token. */
export function isAnsweredHere(
  { phase, counts }: EscalationRecord,
  { choice }: ReaderRequest,
): boolean {
  return phase.name !== "bot" || choice !== null || counts.last?.ours === true;
}

/**
 * Gives the reason why a request may not write in its conversation, or null. As for the engine, the
 * session alone is not enough: the upstream must know the token. The authentication service is
 * asked once for each token, and never for one that was issued through this gateway. If that
 * service does not answer, a conversation with a person goes on.
 */
export async function refuseToken(
  core: Pick<Core, "discovery">,
  request: GatewayRequest,
): Promise<{ readonly status: OwnStatus; readonly message: string } | null> {
  const credentials = credentialsOf(request.exchange.headers);
  if (credentials === null) {
    return { status: 401, message: "An API key and an access token are needed." };
  }
  const found = await core.discovery.find(request.upstream, credentials);
  if (found.kind !== "refusal") return null;
  const { status } = found.answer;
  if (status < 400 || status >= 500 || withoutDiscovery.has(status)) return null;
  if (status === 429) return { status, message: "Too many logins at once. Try again in a minute." };
  const message = "The access token is not known, or it has expired.";
  return { status: status === 403 ? 403 : 401, message };
}

/** Statuses of a service without `GET /v1/apis`. */
const withoutDiscovery: ReadonlySet<number> = new Set([404, 405]);
