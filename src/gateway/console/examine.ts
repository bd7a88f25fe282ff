import type { DoctorFinding } from "../../api/console-health.ts";
import type { InstanceConfig } from "../../config/config.ts";
import { readListMember, memberOf, readTextMember } from "../../api/call/read.ts";
import { judgeDefaultContent } from "./default-content.ts";
import { parseJson } from "../../json/values.ts";

/** The instance that is examined, and the credentials. */
export interface Account {
  readonly instance: InstanceConfig;
  readonly apiKey: string;
  readonly secret: string;
}

/** Sends a request as a client would. */
export type Send = (request: Request) => Promise<Response>;

/**
 * An instance whose credentials are known: the one of that name, or the first. Null if there is
 * none.
 *
 * @param embedded the secret of embedded instances that name none
 */
export function accountIn(
  instances: readonly InstanceConfig[],
  name: string | null,
  embedded: string | null = null,
): Account | null {
  for (const instance of instances) {
    if (name !== null && instance.name !== name) continue;
    const { credentials, match, upstream } = instance;
    const apiKey = credentials?.apiKey ?? match.apiKey ?? null;
    const demo = upstream.auth.startsWith("embedded:") ? embedded : null;
    const secret = credentials?.secret ?? demo;
    if (apiKey !== null && secret !== null) return { instance, apiKey, secret };
  }
  return null;
}

/** The gateway that is examined. */
export interface Examined {
  /** The address where clients reach it. */
  readonly url: string;
  /** Reads the gateway's last failure at the upstream. */
  readonly lastFailure: () => string | null;
  /** Its admin token, which opens the trace of a decision; null without one. */
  readonly adminToken: string | null;
}

/**
 * Makes a client's calls through a gateway, and stops at the first step that fails. It begins a
 * conversation, and asks one question that no content answers: the two answers show which default
 * content the engine has.
 *
 * @param send default: over the network
 */
export async function examine(
  gateway: Examined,
  account: Account,
  send: Send = fetch,
): Promise<readonly DoctorFinding[]> {
  const findings: DoctorFinding[] = [];
  const client: Client = { gateway, account, send };
  const token = keep(await takeToken(client));
  if (token === null) return findings;
  const base = keep(await discoverChatbot(client, token));
  if (base === null) return findings;
  const session = keep(await beginConversation(client, token, base));
  if (session === null) return findings;
  for (const question of questions) {
    const answer = keep(await ask(client, token, base, session, question));
    if (answer === null) return findings;
  }
  return findings;

  function keep({ finding, found }: Step): string | null {
    findings.push(finding);
    return found;
  }
}

/** The client's calls to a gateway. */
interface Client {
  readonly gateway: Examined;
  readonly account: Account;
  readonly send: Send;
}

/** One step: its description and its result; null after a failure. */
interface Step {
  readonly finding: DoctorFinding;
  readonly found: string | null;
}

async function takeToken({ gateway, account, send }: Client): Promise<Step> {
  const { instance, secret } = account;
  const answer = await postJson(send, `${gateway.url}/v1/auth`, createKeyField(account), {
    secret,
  });
  const token = readTextMember(answer.body, "accessToken");
  if (answer.status !== 200 || token === null) return fail("token", gateway, answer, tokenCures);
  const { upstream, name } = instance;
  const params = { address: upstream.auth, bot: name };
  return pass("token", `${upstream.auth} gave a token for ${name}`, token, params);
}

async function discoverChatbot({ gateway, account, send }: Client, token: string): Promise<Step> {
  const headers = createAuthorizedFields(account, token);
  const answer = await call(send, `${gateway.url}/v1/apis`, { headers });
  const base = readTextMember(memberOf(answer.body, "apis"), "chatbot");
  if (answer.status !== 200 || base === null) {
    return fail("discovery", gateway, answer, discoveryCures);
  }
  if (base.startsWith(gateway.url)) {
    return pass("discovery", "apis.chatbot leads through Afterword", base, {});
  }
  const cure = answer.signed
    ? signedCure
    : (gateway.lastFailure() ?? "add its host to upstream.allow");
  const detail = `apis.chatbot stays ${base}`;
  const finding = { step: "discovery", ok: false, detail, cure, code: null, params: {} } as const;
  return { finding, found: null };
}

async function beginConversation(
  { gateway, account, send }: Client,
  token: string,
  base: string,
): Promise<Step> {
  const { language } = account.instance;
  const headers = createAuthorizedFields(account, token);
  const body = language === "" ? {} : { lang: language };
  const answer = await postJson(send, `${base}/v1/conversation`, headers, body);
  const session = readTextMember(answer.body, "sessionToken");
  if (answer.status !== 200 || session === null) {
    return fail("conversation", gateway, answer, conversationCures);
  }
  const how = language === "" ? "in the engine's own language" : `in "${language}"`;
  return pass("conversation", `started ${how}`, session, { language: language || "–" });
}

async function ask(
  { gateway, account, send }: Client,
  token: string,
  base: string,
  session: string,
  { message, flag }: (typeof questions)[number],
): Promise<Step> {
  const headers = {
    ...createAuthorizedFields(account, token),
    "x-inbenta-session": `Bearer ${session}`,
    "x-afterword-test": "true",
    ...(gateway.adminToken !== null && { "x-afterword-debug": `Bearer ${gateway.adminToken}` }),
  };
  const answer = await postJson(send, `${base}/v1/conversation/message`, headers, { message });
  const [first] = readListMember(answer.body, "answers");
  if (answer.status !== 200 || first === undefined) {
    return fail("message", gateway, answer, conversationCures);
  }
  const asked = message === "" ? "" : `asked ${JSON.stringify(message)}: `;
  const flags = readListMember(first, "flags").join(", ") || "none";
  const shown = readTextMember(first, "message") ?? "";
  const detail = `${asked}flags: ${flags}; the reader sees: ${shown}`;
  const verdict = judgeDefaultContent(account.instance, flag, first, answer.trace);
  const params = { flags: flags === "none" ? "–" : flags, text: shown, ...verdict.params };
  return { finding: { step: "message", detail, ...verdict, params }, found: shown };
}

function createKeyField({ instance, apiKey }: Account): Record<string, string> {
  return { [instance.upstream.keyHeader]: apiKey };
}

function createAuthorizedFields(account: Account, token: string): Record<string, string> {
  return { ...createKeyField(account), authorization: `Bearer ${token}` };
}

function pass(
  step: DoctorFinding["step"],
  detail: string,
  found: string,
  params: DoctorFinding["params"],
): Step {
  return { finding: { step, ok: true, detail, cure: null, code: null, params }, found };
}

function fail(
  step: DoctorFinding["step"],
  { lastFailure }: Examined,
  { status, message, failure }: Answer,
  cures: Cures,
): Step {
  const problem = failure ?? `HTTP ${status}${message === null ? "" : `: ${message}`}`;
  const why = status >= 500 ? lastFailure() : null;
  const detail = why === null ? problem : `${problem} (${why})`;
  const { text, code = null, params = {} } = cures[status] ?? cures.other;
  return { finding: { step, ok: false, detail, cure: text, code, params }, found: null };
}

/** A client's first questions, with words that no content has, each with the flag it leads to. */
const questions = [
  { message: "", flag: "welcome" },
  { message: "zqxjkvw bqkzxpf", flag: "no-results" },
] as const;

type Cures = { readonly [status: number]: Cure } & { readonly other: Cure };

interface Cure extends Partial<Pick<DoctorFinding, "code" | "params">> {
  readonly text: string;
}

const unreachable = {
  text: "check upstream.auth, the network and HTTPS_PROXY; for a private certificate authority set NODE_EXTRA_CA_CERTS",
  code: "connection",
  params: { settings: "upstream.auth, HTTPS_PROXY, NODE_EXTRA_CA_CERTS" },
};

const tokenCures: Cures = {
  401: {
    text: "the API key or the secret is wrong: compare `credentials` with the vendor's console",
    code: "key",
  },
  403: {
    text: "the API key is unknown to this address: compare upstream.auth and upstream.keyHeader with the vendor's documentation",
    code: "address",
    params: { setting: "upstream.auth, upstream.keyHeader" },
  },
  404: {
    text: "nothing answers /v1/auth there: upstream.auth must be the base address, without /v1",
    code: "address",
    params: { setting: "upstream.auth" },
  },
  502: unreachable,
  504: { ...unreachable, text: `the upstream does not answer in time: ${unreachable.text}` },
  other: {
    text: "upstream.auth does not answer as an authentication service: is it the right address?",
    code: "address",
    params: { setting: "upstream.auth" },
  },
};

const discoveryCures: Cures = {
  ...tokenCures,
  other: {
    text: "the project has no chatbot address: name one with upstream.apis.chatbot",
    code: "no-chatbot",
    params: { setting: "upstream.apis.chatbot" },
  },
};

const signedCure =
  "the upstream signs this answer, so Afterword leaves it alone: set upstream.apis.chatbot, and have clients use Afterword's address instead of apis.chatbot";

const tokenRefused = {
  text: "the chatbot refuses the token: are upstream.auth and the chatbot's address of the same account?",
  code: "token-refused",
  params: { setting: "upstream.auth" },
};

const conversationCures: Cures = {
  401: tokenRefused,
  403: tokenRefused,
  404: {
    text: "nothing answers there: the chatbot's base address must not contain /v1",
    code: "address",
    params: { setting: "upstream.apis.chatbot" },
  },
  502: unreachable,
  other: { text: "the chatbot does not answer as expected: see its message" },
};

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly message: string | null;
  /** The gateway leaves signed answers unchanged. */
  readonly signed: boolean;
  /** The trace of the gateway's decision; null if it shows none. */
  readonly trace: unknown;
  readonly failure: string | null;
}

function postJson(
  send: Send,
  url: string,
  headers: Record<string, string>,
  body: object,
): Promise<Answer> {
  const fields = { ...headers, "content-type": "application/json" };
  return call(send, url, { method: "POST", headers: fields, body: JSON.stringify(body) });
}

async function call(send: Send, url: string, init: RequestInit): Promise<Answer> {
  try {
    const signal = AbortSignal.timeout(35_000);
    const response = await send(new Request(url, { ...init, redirect: "manual", signal }));
    const text = await response.text();
    const body = parseJson(text);
    const [error] = readListMember(body, "errors");
    return {
      status: response.status,
      body,
      message: readTextMember(error, "message") ?? readTextMember(body, "message"),
      signed: response.headers.has("x-inbenta-signature"),
      trace: parseJson(response.headers.get("x-afterword-trace") ?? "null"),
      failure: null,
    };
  } catch (error) {
    return {
      status: 0,
      body: null,
      message: null,
      signed: false,
      trace: null,
      failure: error instanceof Error ? error.message : String(error),
    };
  }
}
