import type { CallInput } from "../../api/call/caller.ts";
import { createChatCaller, type ChatOperationName } from "../../api/chat/caller.ts";
import { settleCall, type CallResult, readOrThrow, type SendCall } from "./call-result.ts";
import { idIn } from "./chat-answers.ts";

export interface ChatServiceOptions {
  readonly send: SendCall;
  /** The base of the live chat, without `/v1`. */
  readonly base: string;
  readonly appId: string;
  readonly secret: string;
  /** Milliseconds for a call. Default 5000. A search for an agent has 5 s more (chat.md 7). */
  readonly deadline?: number;
}

/** Calls of the live chat's API. */
export interface ChatCalls {
  /** Makes a call. Rejects if it fails. */
  readonly call: (name: ChatOperationName, input?: CallInput) => Promise<unknown>;
  /** Makes a call that waits for a webhook, and so has 5 seconds more. Rejects if it fails. */
  readonly callPatiently: ChatCalls["call"];
  /** Makes a call that creates nothing. Never rejects. */
  readonly get: (name: ChatOperationName, input?: CallInput) => Promise<CallResult<unknown>>;
  /** Makes a call whose answer has no content. Never rejects. */
  readonly run: (
    name: ChatOperationName,
    input: CallInput,
    creates?: boolean,
  ) => Promise<CallResult<null>>;
  /** Makes a call that creates a record. `wrapper` is the member of the answer that has its id. Never rejects. */
  readonly create: (
    wrapper: string,
    name: ChatOperationName,
    input: CallInput,
  ) => Promise<CallResult<{ id: string }>>;
}

export function createChatCalls(options: ChatServiceOptions): ChatCalls {
  const { send, base, appId, secret, deadline = 5000 } = options;
  const createCallerWithin = (milliseconds: number) =>
    createChatCaller({ url: base, appId, secret, send: (call) => send(call, milliseconds) });
  const { call } = createCallerWithin(deadline);
  return {
    call,
    callPatiently: (name, input) => createCallerWithin(deadline + 5000).call(name, input),
    get: (name, input) => settleCall(false, () => call(name, input)),
    run: (name, input, creates = false) =>
      settleCall(creates, async () => {
        await call(name, input);
        return null;
      }),
    create: (wrapper, name, input) =>
      settleCall(true, async () =>
        readOrThrow(`chat.${name}`, await call(name, input), (value) => idIn(value, wrapper)),
      ),
  };
}
