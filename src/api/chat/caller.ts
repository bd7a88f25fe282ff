import { createUnusableAnswerError } from "../call/call-error.ts";
import { createCallAddress, encodeBody } from "../call/caller.ts";
import type { CallInput } from "../call/caller.ts";
import type { HttpAnswer, HttpCall } from "../call/http-call.ts";
import { memberOf } from "../call/read.ts";
import { type OperationName, routeOf } from "../call/routes.ts";
import { dropTrailing } from "../../text.ts";

/** The options of a chat client, which has its own address and credentials. */
export interface ChatClientOptions {
  /** Scheme, host and port, such as `http://127.0.0.1:8000`. */
  readonly url: string;
  readonly appId: string;
  /** Server-side only. */
  readonly secret?: string | undefined;
  /** A user's or agent's own token, in place of the secret. */
  readonly token?: string | undefined;
  /** Spelling to send where specification and deployed service differ. Default `deployed`. */
  readonly wire?: "deployed" | "seed" | undefined;
  readonly send: (call: HttpCall) => Promise<HttpAnswer>;
}

export type ChatOperationName = OperationName<"chat">;

export interface ChatCaller {
  /** The answer's parsed JSON. */
  readonly call: (name: ChatOperationName, input?: CallInput) => Promise<unknown>;
  /** A member of that JSON. Throws `call-answer-invalid` if it is missing. */
  readonly member: (name: ChatOperationName, member: string, input?: CallInput) => Promise<unknown>;
  /** The response with its body as a stream. */
  readonly bytes: (name: ChatOperationName, input?: CallInput) => Promise<Response>;
  /** As `bytes`, for an answer that does not end. */
  readonly stream: (name: ChatOperationName, input?: CallInput) => Promise<Response>;
}

export function createChatCaller(options: ChatClientOptions): ChatCaller {
  const base = dropTrailing(options.url, "/");
  const credentials = {
    "x-hyper-appId": options.appId,
    ...(options.secret !== undefined && { "x-hyper-secret": options.secret }),
    ...(options.token !== undefined && { "x-hyper-token": options.token }),
  };
  const send = async (name: ChatOperationName, input: CallInput = {}): Promise<HttpAnswer> => {
    const { body, type } = encodeBody(input.body);
    const route = routeOf("chat", name);
    const { method } = route;
    return options.send({
      operation: route.id,
      method,
      url: createCallAddress(base, route, input),
      headers: {
        ...credentials,
        ...(type !== null && { "content-type": type }),
        ...(input.idempotencyKey !== undefined && { "idempotency-key": input.idempotencyKey }),
        ...input.headers,
      },
      body,
      // DELETE closes a chat, and closing it twice is an error, so it is not sent again.
      repeatable: method === "GET" || method === "PUT" || input.idempotencyKey !== undefined,
      signal: input.signal,
      answer: input.answer,
    });
  };
  return {
    call: async (name, input) => (await send(name, input)).value,
    async member(name, member, input) {
      const answer = await send(name, input);
      const found = memberOf(answer.value, member);
      if (found === null)
        throw createUnusableAnswerError(`chat.${name}`, `has no \`${member}\``, answer);
      return found;
    },
    bytes: async (name, input) => (await send(name, { ...input, answer: "bytes" })).response,
    stream: async (name, input) => (await send(name, { ...input, answer: "stream" })).response,
  };
}

/** Creates the multipart form of a file, with `chatId`, `senderId` and the file as `media`. */
export function createUploadForm(
  file: { readonly name: string; readonly bytes: Uint8Array; readonly type?: string },
  to?: { readonly chatId: string; readonly senderId?: string },
): FormData {
  const form = new FormData();
  if (to !== undefined) form.set("chatId", to.chatId);
  if (to?.senderId !== undefined) form.set("senderId", to.senderId);
  const type = file.type === undefined ? {} : { type: file.type };
  form.set("media", new Blob([Uint8Array.from(file.bytes)], type), file.name);
  return form;
}
