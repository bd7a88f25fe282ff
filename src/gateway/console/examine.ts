import type { DoctorFinding } from "../../api/console-health.ts";
import type { InstanceConfig } from "../../config/config.ts";
import { listMember, memberOf, textMember } from "../../api/call/read.ts";
import { judgeDefaultContent } from "./default-content.ts";
import { parseJson } from "../../json/values.ts";

/** Which instance is examined, and as whom. */
export interface Account {
  readonly instance: InstanceConfig;
  readonly apiKey: string;
  readonly secret: string;
}

/** Sends a request as a client would. */
export type Send = (request: Request) => Promise<Response>;

/**
 * An instance whose credentials are known: the one of that name, or the first. Null: there is none.
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
  /** Where clients reach it. */
  readonly url: string;
  /** What it knows last about the upstream. */
  readonly lastFailure: () => string | null;
  /** Its admin token, which opens the trace of a decision; null without one. */
  readonly adminToken: string | null;
}

/**
 * Goes the way of a client through a gateway, and stops at the first step that fails. It begins a
 * conversation, and asks one question that no content answers: the two answers show which default
 * content the engine has.
 *
 * @param send default: over the network
 */
export async function examine(
  { url, lastFailure, adminToken }: Examined,
  account: Account,
  send: Send = fetch,
): Promise<readonly DoctorFinding[]> {
  const findings: DoctorFinding[] = [];
  const { keyHeader, auth } = account.instance.upstream;
  const key = { [keyHeader]: account.apiKey };
  const json = { "content-type": "application/json" };

  const token = await post(send, `${url}/v1/auth`, { ...key, ...json }, { secret: account.secret });
  const accessToken = textMember(token.body, "accessToken");
  if (token.status !== 200 || accessToken === null) return fail("token", token, tokenCures);
  passed("token", `${auth} gave a token for ${account.instance.name}`);

  const authorized = { ...key, authorization: `Bearer ${accessToken}` };
  const apis = await call(send, `${url}/v1/apis`, { headers: authorized });
  const base = textMember(memberOf(apis.body, "apis"), "chatbot");
  if (apis.status !== 200 || base === null) return fail("discovery", apis, discoveryCures);
  if (!base.startsWith(url)) {
    return failed(
      "discovery",
      `apis.chatbot stays ${base}`,
      apis.signed ? signedCure : (lastFailure() ?? "add its host to upstream.allow"),
    );
  }
  passed("discovery", "apis.chatbot leads through Afterword");

  const { language } = account.instance;
  const started = await post(
    send,
    `${base}/v1/conversation`,
    { ...authorized, ...json },
    language === "" ? {} : { lang: language },
  );
  const session = textMember(started.body, "sessionToken");
  if (started.status !== 200 || session === null)
    return fail("conversation", started, conversationCures);
  passed(
    "conversation",
    language === "" ? "started in the engine's own language" : `started in "${language}"`,
  );

  const asking = {
    ...authorized,
    ...json,
    "x-inbenta-session": `Bearer ${session}`,
    ...(adminToken !== null && { "x-afterword-debug": `Bearer ${adminToken}` }),
  };
  for (const { message, flag } of questions) {
    const answer = await post(send, `${base}/v1/conversation/message`, asking, { message });
    const [first] = listMember(answer.body, "answers");
    if (answer.status !== 200 || first === undefined)
      return fail("message", answer, conversationCures);
    const asked = message === "" ? "" : `asked ${JSON.stringify(message)}: `;
    const flags = listMember(first, "flags").join(", ") || "none";
    const detail = `${asked}flags: ${flags}; the reader sees: ${textMember(first, "message") ?? ""}`;
    const verdict = judgeDefaultContent(account.instance, flag, first, answer.trace);
    findings.push({ step: "message", detail, ...verdict });
  }
  return findings;

  function passed(step: DoctorFinding["step"], detail: string): void {
    findings.push({ step, ok: true, detail, cure: null });
  }

  function fail(
    step: DoctorFinding["step"],
    answer: Answer,
    cures: Cures,
  ): readonly DoctorFinding[] {
    const said =
      answer.failure ??
      `HTTP ${answer.status}${answer.message === null ? "" : `: ${answer.message}`}`;
    const why = answer.status >= 500 ? lastFailure() : null;
    return failed(
      step,
      why === null ? said : `${said} (${why})`,
      cures[answer.status] ?? cures.other,
    );
  }

  function failed(
    step: DoctorFinding["step"],
    detail: string,
    cure: string,
  ): readonly DoctorFinding[] {
    return [...findings, { step, ok: false, detail, cure }];
  }
}

/** What a client sends first, and words that stand in no content, each with the flag it leads to. */
const questions = [
  { message: "", flag: "welcome" },
  { message: "zqxjkvw bqkzxpf", flag: "no-results" },
] as const;

type Cures = { readonly [status: number]: string } & { readonly other: string };

const unreachable =
  "check upstream.auth, the network and HTTPS_PROXY; for a private certificate authority set NODE_EXTRA_CA_CERTS";

const tokenCures: Cures = {
  401: "the API key or the secret is wrong: compare `credentials` with the vendor's console",
  403: "the API key is unknown to this address: compare upstream.auth and upstream.keyHeader with the vendor's documentation",
  404: "nothing answers /v1/auth there: upstream.auth must be the base address, without /v1",
  502: unreachable,
  504: `the upstream does not answer in time: ${unreachable}`,
  other: "upstream.auth does not answer as an authentication service: is it the right address?",
};

const discoveryCures: Cures = {
  ...tokenCures,
  other: "the project has no chatbot address: name one with upstream.apis.chatbot",
};

const signedCure =
  "the upstream signs this answer, so Afterword leaves it alone: set upstream.apis.chatbot, and have clients use Afterword's address instead of apis.chatbot";

const conversationCures: Cures = {
  401: "the chatbot refuses the token: are upstream.auth and the chatbot's address of the same account?",
  403: "the chatbot refuses the token: are upstream.auth and the chatbot's address of the same account?",
  404: "nothing answers there: the chatbot's base address must not contain /v1",
  502: unreachable,
  other: "the chatbot does not answer as expected: see its message",
};

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly message: string | null;
  /** Left alone by the gateway for that. */
  readonly signed: boolean;
  /** Of the gateway's decision; null where it shows none. */
  readonly trace: unknown;
  readonly failure: string | null;
}

function post(
  send: Send,
  url: string,
  headers: Record<string, string>,
  body: object,
): Promise<Answer> {
  return call(send, url, { method: "POST", headers, body: JSON.stringify(body) });
}

async function call(send: Send, url: string, init: RequestInit): Promise<Answer> {
  try {
    const signal = AbortSignal.timeout(35_000);
    const response = await send(new Request(url, { ...init, redirect: "manual", signal }));
    const text = await response.text();
    const body = parseJson(text);
    const [error] = listMember(body, "errors");
    return {
      status: response.status,
      body,
      message: textMember(error, "message") ?? textMember(body, "message"),
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
