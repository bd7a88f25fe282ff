import type { CallInput } from "../../api/call/caller.ts";
import { createChatCaller, type ChatOperationName } from "../../api/chat/caller.ts";
import { settleCall, type CallResult, readOrThrow, type SendCall } from "./call-result.ts";
import { idIn } from "./chat-answers.ts";

export interface ChatServiceOptions {
  readonly send: SendCall;
  /** Base of the live chat, without `/v1`. */
  readonly base: string;
  readonly appId: string;
  readonly secret: string;
  /** Milliseconds for a call. Default 5000; agent search has 5 s more for a webhook (chat.md 7). */
  readonly deadline?: number;
}

/** Calls of the live chat's interface. */
export interface ChatCalls {
  /** Rejects when the call fails. */
  readonly call: (name: ChatOperationName, input?: CallInput) => Promise<unknown>;
  /** The same, with 5 seconds more: for a call that waits for a webhook. */
  readonly callPatiently: ChatCalls["call"];
  /** A call that creates nothing. Never rejects. */
  readonly get: (name: ChatOperationName, input?: CallInput) => Promise<CallResult<unknown>>;
  /** A call that creates a record, whose id is in this member of the answer. Never rejects. */
  /** Makes a call whose answer says nothing but that it succeeded. */
  readonly run: (
    name: ChatOperationName,
    input: CallInput,
    creates?: boolean,
  ) => Promise<CallResult<null>>;
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
