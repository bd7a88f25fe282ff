import { textAt } from "./client.ts";
import { type Answer, ask } from "./http.ts";

/** The request spellings of one kind of client. Everything else that it may send is left out. */
export interface ClientKind {
  readonly name: string;
  readonly keyHeader: string;
  readonly apiKey: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Content type of bodies; null sends none. */
  readonly type: string | null;
  readonly login: { readonly type: string | null; readonly body: string };
  /** Fields of GET requests. */
  readonly getHeaders: Readonly<Record<string, string>>;
  /** "/" for a client that ends every path with one. */
  readonly slash: "" | "/";
  /** True if `apis` is asked for with GET /v1/apis; false: taken from the answer to /v1/auth. */
  readonly asksApis: boolean;
  readonly start: { readonly lang?: string } | null;
  /** A question that the bot can answer, and has related contents for. */
  readonly question: string;
}

/** One exchange of a conversation. */
export interface Step {
  readonly name: string;
  readonly answer: Answer;
}

/**
 * The names of the messages' steps, in their order, with the flag that each brings in a project
 * without default content.
 */
export const MESSAGES: readonly (readonly [name: string, flag: string | null])[] = [
  ["first empty message", "welcome"],
  ["second empty message", "no-question"],
  ["gibberish", "no-results"],
  ["question", null],
  ["256 characters", "no-results"],
  ["257 characters", "character-limit-exceeded"],
  ["unknown direct call", "conversation-error-message"],
];

/**
 * A whole conversation of one client, in its own spellings: log in, follow `apis.chatbot`, talk,
 * refresh the token, continue.
 */
export async function converse(url: string, kind: ClientKind): Promise<readonly Step[]> {
  const steps: Step[] = [];
  const fixed = { ...kind.headers, [kind.keyHeader]: kind.apiKey };
  let token = "";
  let session = "";
  const known = (): Record<string, string> => ({
    ...fixed,
    ...(token === "" ? {} : { Authorization: `Bearer ${token}` }),
    ...(session === "" ? {} : { "x-inbenta-session": `Bearer ${session}` }),
  });
  const step = async (name: string, asked: Promise<Answer>): Promise<Answer> => {
    const answer = await asked;
    steps.push({ name, answer });
    return answer;
  };
  const post = (base: string, path: string, body: string, type = kind.type): Promise<Answer> =>
    ask(`${base}${path}${kind.slash}`, {
      method: "POST",
      headers: { ...known(), ...(type === null ? {} : { "Content-Type": type }) },
      body,
    });
  const get = (base: string, path: string): Promise<Answer> =>
    ask(`${base}${path}${kind.slash}`, { headers: { ...known(), ...kind.getHeaders } });

  const login = await step("login", post(url, "/v1/auth", kind.login.body, kind.login.type));
  token = textAt(login.json(), "accessToken");
  const apis = kind.asksApis ? await step("apis", get(url, "/v1/apis")) : login;
  const base = textAt(apis.json(), "apis", "chatbot");

  const start = kind.start === null ? "" : JSON.stringify(kind.start);
  const started = await step("start", post(base, "/v1/conversation", start));
  session = textAt(started.json(), "sessionToken");

  const say = (name: string, body: object): Promise<Answer> =>
    step(name, post(base, "/v1/conversation/message", JSON.stringify(body)));
  await say("first empty message", { message: "" });
  await say("second empty message", { message: "" });
  await say("gibberish", { message: "xyzzy plugh frobozz" });
  await say("question", { message: kind.question });
  // Characters are code points: each of these is two UTF-16 units.
  await say("256 characters", { message: "\u{1f600}".repeat(256) });

  const refreshed = await step("refresh", post(url, "/v1/refreshToken", ""));
  token = textAt(refreshed.json(), "accessToken");
  await say("257 characters", { message: "\u{1f600}".repeat(257) });
  await say("unknown direct call", { message: "", directCall: "no-such-call" });

  await step("history", get(base, "/v1/conversation/history"));
  const variable = JSON.stringify({ name: "name", value: "Ada" });
  await step("set a variable", post(base, "/v1/conversation/variables", variable));
  await step("variables", get(base, "/v1/conversation/variables"));
  const event = JSON.stringify({ type: "click", data: { code: "click.1.4" } });
  await step("tracking", post(base, "/v1/tracking/events", event));
  await step("app data", get(base, "/v1/app/data/shop"));
  return steps;
}
