import { CallError, isCallError } from "../../api/call-error.ts";
import { memberOf, isRecord, numberOf, textMember } from "../../api/read.ts";
import { createTokenKeeper, type TokenAnswer, type TokenSource } from "../../api/token-keeper.ts";
import type { Answered } from "../outside.ts";
import { ask, type Link, type Question, reading } from "./ask.ts";
import type { Outside } from "./call.ts";
import { withoutTrailing } from "../../without-trailing.ts";

export interface LoginOptions {
  readonly outside: Outside;
  /** Base that serves /v1/auth and /v1/apis. */
  readonly auth: string;
  readonly apiKey: string;
  readonly secret: string;
  /** Name of the API key's header. */
  readonly keyHeader: string;
  /** False: the addresses of the products are known already. */
  readonly discovers: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds for one call. */
  readonly deadline: number;
}

/** A token, and the addresses that were named with it. */
export interface Grant {
  readonly token: string;
  readonly apis: { readonly [product: string]: string };
}

export interface Login {
  /**
   * A token that is good for a while yet. Whoever asks while one is fetched waits for that same
   * one. Never rejects.
   */
  current(): Promise<Answered<Grant>>;
  /** Forgets a token that was refused, unless another has taken its place. */
  forget(token: string): void;
}

/**
 * How long a refused login is not tried again, in milliseconds: refused calls count against the
 * key's limit.
 */
export const refusalHolds = 10_000;

/**
 * Logs in with a secret of the server's, and keeps the token: what the typed clients do
 * (api/token-keeper.ts), over the doors' own way out.
 */
export function createLogin(options: LoginOptions): Login {
  const { now } = options;
  const keeper = createTokenKeeper(sourceOf(options), now);
  let refusal: { readonly answer: Answered<Grant>; readonly at: number } | null = null;

  return {
    async current() {
      const at = now();
      // A clock that was set back must not keep a refusal for longer.
      if (refusal !== null && at >= refusal.at && at < refusal.at + refusalHolds) {
        return refusal.answer;
      }
      try {
        const { accessToken, apis } = await keeper.current();
        refusal = null;
        return { kind: "ok", value: { token: accessToken, apis } };
      } catch (error) {
        const answer = answerOf(error);
        if (answer.kind === "refused") refusal = { answer, at };
        return answer;
      }
    },
    forget: (token) => keeper.forget(token),
  };
}

function sourceOf(options: LoginOptions): TokenSource {
  const { outside, auth, apiKey, secret, keyHeader, deadline } = options;
  const headers = [keyHeader, apiKey, "Accept", "application/json"];
  const link: Link = { outside, base: auth, headers, deadline };
  const asked = async <Value>(
    question: Omit<Question, "creates">,
    reader: (value: unknown) => Value | null,
  ): Promise<Value> => {
    const whole = { ...question, creates: false };
    const answer = reading(await ask(link, whole), whole, reader);
    if (answer.kind === "ok") return answer.value;
    const status = answer.kind === "refused" ? answer.status : null;
    const facts = { operation: question.name, wireCode: null, retryAfter: null, requestId: null };
    const code = status === null ? "call-failed" : "call-refused";
    throw new CallError(code, answer.problem, { ...facts, status });
  };

  return {
    issue: () =>
      asked({ name: "auth.login", method: "POST", path: "/v1/auth", json: { secret } }, tokenIn),
    refresh: (token) =>
      asked(
        {
          name: "auth.refresh",
          method: "POST",
          path: "/v1/refreshToken",
          headers: bearer(token),
        },
        tokenIn,
      ),
    discover: (token) =>
      options.discovers
        ? asked(
            { name: "auth.apis", method: "GET", path: "/v1/apis", headers: bearer(token) },
            apisIn,
          )
        : Promise.resolve({}),
  };
}

function bearer(token: string): readonly string[] {
  return ["Authorization", `Bearer ${token}`];
}

function answerOf(error: unknown): Exclude<Answered<Grant>, { kind: "ok" }> {
  if (!isCallError(error)) return { kind: "failed", sent: false, problem: "auth.login: failed" };
  const { status, message: problem } = error;
  return status === null
    ? { kind: "failed", sent: false, problem }
    : { kind: "refused", status, problem };
}

function tokenIn(value: unknown): TokenAnswer | null {
  const accessToken = textMember(value, "accessToken");
  if (accessToken === null) return null;
  const life = numberOf(memberOf(value, "expires_in"));
  const end = numberOf(memberOf(value, "expiration"));
  return {
    accessToken,
    ...(life !== null && life > 0 && { expires_in: life }),
    ...(end !== null && end > 0 && { expiration: end }),
  };
}

function apisIn(value: unknown): Grant["apis"] | null {
  const apis = memberOf(value, "apis");
  if (!isRecord(apis) || Array.isArray(apis)) return null;
  const named = Object.entries(apis).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(named.map(([product, base]) => [product, withoutTrailing(base, "/")]));
}
