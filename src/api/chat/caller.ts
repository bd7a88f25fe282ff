import { CallError } from "../call-error.ts";
import { bodyOf, queryOf } from "../caller.ts";
import type { CallInput } from "../caller.ts";
import type { HttpAnswer, HttpCall } from "../http-call.ts";
import { fillPath } from "../operation.ts";
import { memberOf } from "../read.ts";
import { withoutTrailing } from "../../without-trailing.ts";

/** What a chat client is made of. It has an address and credentials of its own. */
export interface ChatClientOptions {
  /** Scheme, host and port, such as `http://127.0.0.1:8000`. */
  readonly url: string;
  readonly appId: string;
  /** Server-side only. */
  readonly secret?: string | undefined;
  /** A user's or agent's own token, in place of the secret. */
  readonly token?: string | undefined;
  /**
   * Which spelling goes out where the specification and the deployed service differ. Default
   * `deployed`.
   */
  readonly wire?: "deployed" | "seed" | undefined;
  readonly send: (call: HttpCall) => Promise<HttpAnswer>;
}

export interface ChatCaller {
  /** The answer's parsed JSON. */
  call(name: string, method: HttpCall["method"], path: string, input?: CallInput): Promise<unknown>;
  /** One member of it. Throws `call-answer-invalid` where it is not there. */
  member(
    name: string,
    member: string,
    method: HttpCall["method"],
    path: string,
    input?: CallInput,
  ): Promise<unknown>;
  /** The answer itself, to be read as it comes. */
  bytes(name: string, path: string, input?: CallInput): Promise<Response>;
  /** As `bytes`, for what has no end of its own. */
  stream(name: string, path: string, input?: CallInput): Promise<Response>;
}

export function chatCaller(options: ChatClientOptions): ChatCaller {
  const base = withoutTrailing(options.url, "/");
  const credentials = {
    "x-hyper-appId": options.appId,
    ...(options.secret !== undefined && { "x-hyper-secret": options.secret }),
    ...(options.token !== undefined && { "x-hyper-token": options.token }),
  };
  const send = (
    name: string,
    method: HttpCall["method"],
    path: string,
    input: CallInput = {},
  ): Promise<HttpAnswer> => {
    const { body, type } = bodyOf(input.body);
    return options.send({
      operation: `chat.${name}`,
      method,
      url: `${base}/v1${fillPath(path, input.path ?? {})}${queryOf(input.query)}`,
      headers: {
        ...credentials,
        ...(type !== null && { "content-type": type }),
        ...(input.idempotencyKey !== undefined && { "idempotency-key": input.idempotencyKey }),
        ...input.headers,
      },
      body,
      // Closing twice is an error (a closed chat stays closed): a lost answer must not become one.
      repeatable: method === "GET" || method === "PUT" || input.idempotencyKey !== undefined,
      signal: input.signal,
      answer: input.answer,
    });
  };
  return {
    call: async (...asked) => (await send(...asked)).value,
    async member(name, member, ...asked) {
      const answer = await send(name, ...asked);
      const found = memberOf(answer.value, member);
      if (found === null) throw incomplete(name, member, answer.status);
      return found;
    },
    bytes: async (name, path, input) =>
      (await send(name, "GET", path, { ...input, answer: "bytes" })).response,
    stream: async (name, path, input) =>
      (await send(name, "GET", path, { ...input, answer: "stream" })).response,
  };
}

function incomplete(name: string, member: string, status: number): CallError {
  const operation = `chat.${name}`;
  return new CallError("call-answer-invalid", `${operation}: the answer has no \`${member}\``, {
    operation,
    status,
    wireCode: null,
    retryAfter: null,
    requestId: null,
  });
}
