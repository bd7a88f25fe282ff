import { type Answer, ask } from "./http.ts";

/** A plain client's conversation through a gateway. */
export interface Conversation {
  readonly accessToken: string;
  readonly session: string;
  /** `apis.chatbot`, as the authentication answer named it. */
  readonly base: string;
  say(body: object): Promise<Answer>;
  get(path: string): Promise<Answer>;
}

export interface Account {
  readonly apiKey?: string;
  readonly secret?: string;
  readonly lang?: string;
}

/** Logs in, follows `apis.chatbot`, and starts a conversation. */
export async function startConversation(
  url: string,
  { apiKey = "demo-key", secret = "demo-secret", lang }: Account = {},
): Promise<Conversation> {
  const json = { "content-type": "application/json", "x-inbenta-key": apiKey };
  const login = await ask(`${url}/v1/auth`, { headers: json, body: JSON.stringify({ secret }) });
  const accessToken = textAt(login.json(), "accessToken");
  const base = textAt(login.json(), "apis", "chatbot");
  const authorized = { ...json, authorization: `Bearer ${accessToken}` };
  const started = await ask(`${base}/v1/conversation`, {
    headers: authorized,
    body: JSON.stringify(lang === undefined ? {} : { lang }),
  });
  const session = textAt(started.json(), "sessionToken");
  const headers = { ...authorized, "x-inbenta-session": `Bearer ${session}` };
  return {
    accessToken,
    session,
    base,
    say: (body) => ask(`${base}/v1/conversation/message`, { headers, body: JSON.stringify(body) }),
    get: (path) => ask(`${base}/v1/${path}`, { headers }),
  };
}

/** The value at the end of a path, or undefined. */
export function valueAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value;
  for (const step of path) {
    found = typeof found === "object" && found !== null ? Reflect.get(found, step) : undefined;
  }
  return found;
}

/** @throws Error when there is no string */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const found = valueAt(value, ...path);
  if (typeof found !== "string") {
    throw new Error(`no text at ${path.join(".")} in ${JSON.stringify(value)}`);
  }
  return found;
}

/** The one answer of a message response: its flags and its text. */
export function answerIn(answer: Answer): { readonly flags: unknown; readonly message: string } {
  const body = answer.json();
  return {
    flags: valueAt(body, "answers", 0, "flags"),
    message: textAt(body, "answers", 0, "message"),
  };
}
