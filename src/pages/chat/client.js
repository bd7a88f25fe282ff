// An ordinary client of the API, for the pages that talk to the bot: it logs in at /v1/auth below
// its own address and follows `apis.chatbot`. The engine's own words come from the history, which
// a gateway leaves as it is.
import { fill, findPolarLabels } from "./?file=parts.js";

const root = new URL(".", import.meta.url);

/** A part of the chat page that is JSON. */
export async function readPart(name) {
  const response = await fetch(new URL(`?file=${name}`, root));
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response.json();
}

/** Talks to the bot: one conversation at a time. */
export class Client {
  #texts;
  #reader;
  /** Address and credentials of the API: `{base, headers}`; null before login. */
  access = null;
  /**
   * The session token; null when the next message begins a new conversation.
   *
   * @type {string | null}
   */
  session = null;

  /**
   * @param texts the chat page's words
   * @param reader who talks: the functions `{logIn, getLanguage, getHeaders, getVariables}`
   */
  constructor(texts, reader) {
    this.#texts = texts;
    this.#reader = reader;
  }

  /** Logs in with one of the demo's keys. */
  async enter({ apiKey, domainKey }) {
    const { apis, accessToken } = await this.#ask("v1/auth", {
      method: "POST",
      headers: { "content-type": "application/json", "x-inbenta-key": apiKey },
      // A browser logs in with a domain key: a secret must never be in one.
      body: JSON.stringify({ secret: domainKey }),
    });
    return accessTo(apis, apiKey, accessToken);
  }

  /** Follows an access token. */
  async discover(apiKey, token) {
    const { headers } = accessTo({}, apiKey, token);
    const { apis } = await this.#ask("v1/apis", { headers });
    return accessTo(apis, apiKey, token);
  }

  /**
   * Sends a message as any client does, and renews an expired session or token; then requests the
   * engine's own words for the answers.
   */
  async takeTurn(body) {
    for (let attempt = 0; ; attempt++) {
      this.access ??= await this.#reader.logIn();
      this.session ??= await this.#begin();
      const answer = await this.call("POST", "conversation/message", body);
      const refused = answer.status === 401 || answer.status === 403;
      const expired = answer.status === 400;
      if ((refused || expired) && attempt === 0) {
        this.session = null;
        if (refused) this.access = null;
        continue;
      }
      if (answer.body.errors) throw new Error(answer.body.errors[0].message);
      const answers = answer.body.answers ?? [answer.body];
      return { answers, engine: await this.#readEngine(answers), trace: answer.trace };
    }
  }

  async call(method, path, body) {
    const headers = { ...this.access.headers, ...this.#reader.getHeaders() };
    if (this.session !== null) headers["x-inbenta-session"] = `Bearer ${this.session}`;
    if (body !== undefined) headers["content-type"] = "application/json";
    const response = await reach(this.#texts, `${this.access.base}/v1/${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const trace = JSON.parse(response.headers.get("x-afterword-trace") ?? "null");
    return { status: response.status, body: await readBody(this.#texts, response), trace };
  }

  /** Gives the engine's own words for these answers; null when there is no history. */
  async #readEngine(answers) {
    const count = answers.filter((one) => !isHandOver(one)).length;
    const found = await this.call("GET", "conversation/history").catch(() => null);
    if (!Array.isArray(found?.body)) return null;
    const spoken = found.body.filter(({ user }) => user === "bot");
    return count === 0 ? [] : spoken.slice(-count);
  }

  /** Begins a conversation with the language and the variables that were chosen. */
  async #begin() {
    const lang = this.#reader.getLanguage();
    const { sessionToken } = (await this.call("POST", "conversation", { lang })).body;
    this.session = sessionToken;
    const variables = this.#reader.getVariables();
    if (Object.keys(variables).length > 0) {
      await this.call("POST", "conversation/variables/multiple", { variables });
    }
    return sessionToken;
  }

  async #ask(path, init) {
    const response = await reach(this.#texts, new URL(path, root), init);
    const body = await readBody(this.#texts, response);
    if (response.ok) return body;
    const { message } = body.errors?.[0] ?? {};
    throw new Error(message ?? fill(this.#texts.refused, { status: response.status }));
  }
}

/** Fetches. Browsers report only that it failed, each in different words. */
async function reach(texts, address, init) {
  try {
    return await fetch(address, init);
  } catch {
    throw new Error(texts.noServer);
  }
}

/** Reads JSON. Proxies answer with their own pages, and a rating has an empty answer. */
async function readBody(texts, response) {
  const text = await response.text();
  if (text === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(fill(texts.notJson, { status: response.status }));
  }
}

function accessTo(apis, apiKey, token) {
  return {
    base: apis.chatbot,
    headers: { "x-inbenta-key": apiKey, authorization: `Bearer ${token}` },
  };
}

/** True for an answer that the gateway or an agent has given, beside the engine. */
export function isHandOver({ attributes }) {
  return attributes?.AFTERWORD_EVENTS !== undefined;
}

/**
 * Gives the options of a question and the values of a form's list, each with what is sent for it.
 *
 * @param polar labels of bare yes and no
 */
export function choicesOf({ type, options, actionField }, [yes, no]) {
  const bare = type === "polarQuestion" ? { yes, no } : {};
  const offered = (options ?? []).map(({ label, value, revisitableLink }) => ({
    label: Object.hasOwn(bare, label) ? bare[label] : label,
    body: revisitableLink ? { directCall: revisitableLink } : { option: value },
  }));
  const listed = (actionField?.listValues?.values ?? []).map(({ label, option }) => ({
    label: label.join(" "),
    body: { message: String(option) },
  }));
  return [...offered, ...listed];
}

/**
 * Creates a conversation for a page that shows the engine's own words: the console's. Null when the
 * demo's keys are not available here.
 */
export async function createTalk(language) {
  const config = await readPart("config.json");
  const { demo } = config;
  if (demo.length === 0) return null;
  const texts = await readPart(`words-${language}.json`);
  let reader;
  const client = new Client(texts, {
    logIn: () => client.enter(demo.find(({ project }) => project === reader.bot) ?? demo[0]),
    getLanguage: () => reader.language,
    getHeaders: () => headersOf(reader),
    getVariables: () => reader.variables,
  });
  return {
    texts,
    /**
     * @param who `{bot, language, channel, env, userType, token, variables}`; another one begins a
     *   conversation anew
     */
    async say(message, who) {
      if (JSON.stringify(who) !== JSON.stringify(reader)) this.restart();
      reader = who;
      const turn = await client.takeTurn(message);
      const labels = findPolarLabels(config, who.language);
      const choices = turn.answers.flatMap((answer) => choicesOf(answer, labels));
      return { body: JSON.stringify({ answers: enginesOf(turn) }), choices };
    },
    restart() {
      client.session = null;
      client.access = null;
    },
  };
}

/** Gives the fields that say who the reader is. The admin token asks for the trace. */
function headersOf({ channel, env, userType, token }) {
  const given = {
    "x-afterword-channel": channel,
    "x-inbenta-env": env,
    "x-inbenta-user-type": userType,
    "x-afterword-debug": token && `Bearer ${token}`,
    // Insights count readers, and an owner who tries the bot is none.
    "x-afterword-test": "true",
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ""));
}

/**
 * Gives answers as the engine gave them. The trace has what stood in each place; without one, the
 * history has the messages.
 */
function enginesOf({ answers, engine, trace }) {
  const engineAnswers = answers.filter((one) => !isHandOver(one));
  for (const [index, { message }] of (trace ? [] : (engine ?? [])).entries()) {
    const answer = engineAnswers[index];
    if (answer === undefined || answer.message === message) continue;
    answer.message = message;
    if (Array.isArray(answer.messageList)) answer.messageList = [message];
  }
  for (const { at, before } of trace?.steps ?? []) {
    if (before === undefined) continue;
    const path = at.replace(/^\/answers\//, "").split("/");
    // A bare answer is the only one.
    if (path[0] === "") path[0] = "0";
    const name = path.pop();
    const parent = path.reduce((inner, one) => inner?.[one], engineAnswers);
    // The trace has the elements of `messageList` alone.
    const value = JSON.parse(name === "messageList" ? `[${before}]` : before);
    if (parent?.[name] !== undefined) parent[name] = value;
  }
  return engineAnswers;
}
