import type { Asked, Script, ClientAnswer } from "./exchange.ts";
import type { Setup, Started } from "./runtime.ts";

/** One behaviour that every runtime has. The name is a sentence that goes on from the area's. */
export interface Scenario {
  readonly name: string;
  run(bed: Started): Promise<void>;
}

export interface Area {
  readonly name: string;
  /** Default: plain. */
  readonly setup?: Setup;
  readonly scenarios: readonly Scenario[];
}

export const message = "POST /prod/chatbot/v1/conversation/message";
export const start = "POST /prod/chatbot/v1/conversation";

/** A JSON answer of the engine; by default with one flagged answer. */
export function engine(body: string = flagged("no-results"), more: Partial<Script> = {}): Script {
  return { headers: ["Content-Type", "application/json"], body, ...more };
}

export const sorry = "Sorry, we could not find any answers to your question.";

export function flagged(flag: string, text: string = sorry): string {
  return `{ "answers": [ {"type":"answer", "message":${JSON.stringify(text)}, "messageList":[${JSON.stringify(text)}], "flags":["${flag}"], "n": 1.50} ] }`;
}

/** A message to an instance with a fixed base. */
export function question(more: Partial<Asked> & { readonly key?: string } = {}): Asked {
  const { key = "fixed", headers = [], ...rest } = more;
  return {
    method: "POST",
    target: "/v1/conversation/message",
    headers: ["x-inbenta-key", key, "Content-Type", "application/json", ...headers],
    body: '{"message":"where is <it>?"}',
    ...rest,
  };
}

/** Scripts the message route, sends a message, and returns the answer. */
export async function askMessage(
  { client, upstream }: Started,
  script: Script = engine(),
  asked: Asked = question(),
): Promise<ClientAnswer> {
  await upstream.script({ [message]: script });
  return client.ask(asked);
}

/**
 * A value as a text contains it: isolated, so that its direction does not affect the words around
 * it.
 */
export function put(value: string): string {
  return `\u2068${value}\u2069`;
}
