import type { RawHeaders } from "../../http/types.ts";
import type { Grant } from "../../api/console-session.ts";
import { isRecord, parseJson } from "../../json/values.ts";
import { isAfterwordError } from "../../errors.ts";
import type { LabelledToken } from "../exchange/admin.ts";
import type { Console, Core } from "../core.ts";
import type { GatewayRequest } from "../exchange/request.ts";
import { type OwnStatus, sendBody, sendError } from "../exchange/errors.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { fieldOf } from "../exchange/headers.ts";
import type { AppInfo } from "../own-routes.ts";
import { createAccess, mayAct } from "./access.ts";
import type { PageName } from "../../pages/header.ts";
import { compressedFor, type PageRequest, type ServedPage } from "../../pages/served-page.ts";
import type { Send } from "./examine.ts";
import type { TextFiles } from "./files.ts";
import type { ConsoleAnswer, Refusal } from "./answer.ts";
import { refuseBy } from "./refusals.ts";
import type { Call, ConsoleOperation } from "./operation.ts";
import { describeGateway } from "./open-api.ts";
import { OPERATIONS } from "./operations.ts";

export interface ConsoleParts {
  readonly core: Core;
  readonly info: AppInfo;
  readonly tokens: () => readonly LabelledToken[];
  readonly files: TextFiles | null;
  /** Sends a request through this gateway, as a client would. */
  readonly send: Send;
  /** Null if others serve it, such as a platform's own static files. */
  readonly page: ServedPage | null;
  /** The other pages that are served to this client. Default: none is known. */
  readonly pages?: (exchange: Exchange) => readonly PageName[];
}

/**
 * The owner's page and its API. Every route of the API needs a token, on loopback too; the page
 * holds nothing, and asks for one.
 */
export function createConsole(parts: ConsoleParts): Pick<Console, "answer"> {
  const { core, info, tokens, files, send, page, pages = () => [] } = parts;
  const judge = createAccess(core.admin, tokens, core.platform);

  return {
    async answer(request, name) {
      // Without any token, the console is not served.
      if (core.admin.token === null && tokens().length === 0) return false;
      const { exchange } = request;
      const [area, version, ...part] = name.split("/");
      if (area === "console") {
        return page !== null && sendPage(exchange, page, pages, version ?? null, part.join("/"));
      }
      if (area !== "api") return false;
      const judged = await judge(exchange);
      if (judged.kind === "granted") await route(request, name.slice(4), judged.grant);
      else if (judged.kind === "wrong") {
        if (judged.isShown) noteRefused(exchange);
        sendError(exchange, 401, needsToken, CHALLENGE);
      } else {
        noteRefused(exchange);
        const message = `Too many wrong tokens came from your address: wait ${judged.seconds} s.`;
        sendError(exchange, 429, message, ["Retry-After", String(judged.seconds)]);
      }
      return true;
    },
  };

  function noteRefused({ client }: Exchange): void {
    core.refusedCredentials.note("console-token", client.address);
  }

  async function route(request: GatewayRequest, path: string, grant: Grant): Promise<void> {
    const { exchange, snapshot, target } = request;
    const method = exchange.method === "HEAD" ? "GET" : exchange.method;
    if (path === "openapi.json" && method === "GET") {
      return sendJson(exchange, describeGateway(info.version));
    }
    const fitting = OPERATIONS.flatMap((operation) => {
      const values = matchPath(operation.path, path);
      return values === null ? [] : [{ operation, values }];
    });
    const found = fitting.find(({ operation }) => operation.method.toUpperCase() === method);
    if (found === undefined) {
      if (fitting.length === 0)
        return sendError(exchange, 404, "There is nothing at this address.");
      const allow = fitting.map(({ operation }) => operation.method.toUpperCase()).join(", ");
      return sendError(exchange, 405, `This route takes ${allow}.`, ["Allow", allow]);
    }
    const { operation, values } = found;
    if (!mayAct(grant, operation.needs)) {
      return sendRefusal(exchange, refuseBy("role", { label: grant.label }));
    }
    const body = await bodyOf(exchange, operation);
    if (body === 413) return sendRefusal(exchange, refuseBy("too-large", { bytes: maxBodyBytes }));
    if (typeof body === "number") return sendError(exchange, body, bodyFaults[body]);
    const query = new URLSearchParams(target.kind === "own" ? target.query : "");
    const call = { core, info, snapshot, grant, files, send, path: values, query, body };
    const answer = await answerSafely(operation, call);
    // Several nodes may answer one page, which compares the snapshots in force.
    const { hash } = core.snapshot().config;
    const node = ["X-Afterword-Node", core.pseudonym, "X-Afterword-Snapshot", hash];
    if (answer.kind === "value") {
      // A platform that serves the page compresses by itself.
      const takes = page === null ? undefined : toPageRequest(exchange).acceptEncoding;
      const text = JSON.stringify(answer.value);
      const { bytes, coding } = await compressedFor(takes, text);
      const more = [...node, "Vary", "Accept-Encoding"];
      if (coding !== null) more.push("Content-Encoding", coding);
      return sendBytes(exchange, bytes, 200, more);
    }
    sendRefusal(exchange, answer);
  }
}

/**
 * Returns false if the page has no such part.
 *
 * @param main the page's main text for this request alone
 */
export async function sendPage(
  exchange: Exchange,
  served: ServedPage,
  pages: (exchange: Exchange) => readonly PageName[],
  version: string | null,
  part: string,
  main = "",
): Promise<boolean> {
  if (refusesMethod(exchange)) return true;
  const asked = toPageRequest(exchange);
  const answer = await (version === null
    ? served.page(asked, { pages: pages(exchange), main })
    : served.part(version, part, asked));
  if (answer === null) return false;
  await sendResponse(exchange, answer);
  return true;
}

/** Reads the part of an exchange that a page needs. */
export function toPageRequest({ target, headers }: Exchange): PageRequest {
  return {
    path: target.replace(/\?.*$/s, ""),
    acceptEncoding: fieldOf(headers, "accept-encoding") ?? undefined,
    ifNoneMatch: fieldOf(headers, "if-none-match") ?? undefined,
  };
}

/** True if it was refused, because it neither reads a page nor its head. */
export function refusesMethod(exchange: Exchange): boolean {
  if (exchange.method === "GET" || exchange.method === "HEAD") return false;
  sendError(exchange, 405, "This route takes GET or HEAD.", ["Allow", "GET, HEAD"]);
  return true;
}

/** Sends a page's answer: 200 or 304. */
export async function sendResponse(exchange: Exchange, answer: Response): Promise<void> {
  const body = new Uint8Array(await answer.arrayBuffer());
  const headers = [...answer.headers].flat();
  if (answer.status === 200) headers.push("Content-Length", String(body.length));
  const reason = answer.status === 200 ? "OK" : "Not Modified";
  const empty = exchange.method === "HEAD" || answer.status !== 200;
  exchange.reply.send(answer.status, reason, headers, empty ? null : body);
}

const needsToken =
  "This needs a token: Authorization: Bearer <token>. `afterword serve` prints one on loopback; AFTERWORD_ADMIN_TOKEN, AFTERWORD_ADMIN_TOKENS and AFTERWORD_ADMIN_TOKENS_FILE set others.";

const CHALLENGE: RawHeaders = ["WWW-Authenticate", "Bearer"];

/** Reports a fault of the store to the operator. */
async function answerSafely(operation: ConsoleOperation, call: Call): Promise<ConsoleAnswer> {
  try {
    return await operation.answer(call);
  } catch (error) {
    if (isAfterwordError(error)) return refuseBy("store", { why: error.message });
    throw error;
  }
}

function sendRefusal(exchange: Exchange, { status, message, reason, params, more }: Refusal) {
  const error = { code: status, message, ...(reason !== undefined && { reason, params }) };
  sendJson(exchange, { errors: [error], ...more }, status);
}

function sendJson(exchange: Exchange, value: unknown, status: 200 | OwnStatus = 200): void {
  sendBytes(exchange, new TextEncoder().encode(JSON.stringify(value)), status, []);
}

function sendBytes(
  exchange: Exchange,
  body: Uint8Array,
  status: 200 | OwnStatus,
  more: RawHeaders,
): void {
  const fields = ["X-Content-Type-Options", "nosniff", ...more];
  sendBody(exchange, status, "application/json", body, fields);
}

/** The values of a pattern's segments, or null for another path. */
function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | null {
  const segments = pattern.split("/");
  const given = path.split("/");
  if (segments.length !== given.length) return null;
  const values: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const part = given[index] ?? "";
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined && segment !== part) return null;
    // Keys and language tags contain no characters that are percent-encoded.
    if (name !== undefined) values[name] = part;
  }
  return values;
}

type Body = Readonly<Record<string, unknown>>;

/** Reads the body; returns a status if it is unusable. */
async function bodyOf(
  { body, headers }: Exchange,
  operation: ConsoleOperation,
): Promise<Body | 413 | 415 | 422> {
  if (operation.method === "get" || operation.method === "delete" || body === null) return {};
  // Other pages can send forms and plain texts without a preflight.
  if (!/^application\/json\b/i.test(fieldOf(headers, "content-type") ?? "")) return 415;
  const { bytes, rest } = await body.peek(maxBodyBytes);
  if (rest !== null) return 413;
  const value = parseJson(new TextDecoder().decode(bytes));
  return isRecord(value) ? value : 422;
}

/** In bytes: an answer as large as one that is rewritten, quoted. */
const maxBodyBytes = 4_194_304;

const bodyFaults = {
  415: "Send JSON, as application/json.",
  422: "The body is no JSON object.",
};
