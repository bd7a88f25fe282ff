// A form for each operation that a browser may send with the demo credentials. It is made from the
// operation's curl call when it is opened.
import { base } from "./docs.js";

const JSON_TYPE = { "content-type": "application/json" };
const KEY = { "x-vendor-key": "demo-key" };
/** For values that are not words. */
const PLAIN = { spellcheck: false, autocomplete: "off" };

/** The values of the variables of a curl call. */
const values = {
  KEY: () => "demo-key",
  APP: () => "demo-app",
  async TOKEN() {
    const secret = document.querySelector("main").dataset.demo;
    return (await post("/v1/auth", KEY, { secret })).accessToken;
  },
  async SESSION() {
    const headers = { ...KEY, authorization: `Bearer ${await valueOf("TOKEN")}` };
    return (await post("/chatbot/v1/conversation", headers, { lang: "en" })).sessionToken;
  },
  async PERSON() {
    const app = { "x-hyper-appId": "demo-app" };
    return (await post("/chat/v1/users", app, { name: "Ana" })).session.token;
  },
};
const known = new Map();

/** Bodies that the demo accepts, where the sample of the shape is refused. */
const bodies = {
  "auth.authorize": { secret: document.querySelector("main").dataset.demo },
  "chat.loginAgent": { login: "demo-agent", password: "demo-agent" },
};

/** Operations whose answer has a credential, which later calls of the page send. */
const issued = {
  "chatbot.start": ["SESSION", (answer) => answer.sessionToken],
  "chat.createUser": ["PERSON", (answer) => answer.session.token],
  "chat.loginAgent": ["AGENT", (answer) => answer.session.token],
};

for (const part of document.querySelectorAll("article")) {
  // Browsers must not have servers' secrets.
  if (part.dataset.browser === "never") continue;
  const curl = part.querySelector("pre code").textContent;
  const person = part.dataset.browser === "agent" ? "AGENT" : "PERSON";
  const call = curl.replace(
    /x-hyper-(?:secret: \$SECRET|token: \$AGENT)/,
    `x-hyper-token: $${person}`,
  );
  const details = make("details", {}, make("summary", { textContent: "Try it" }));
  details.addEventListener("toggle", () => details.append(form(part, call)), { once: true });
  part.append(details);
}

function form(part, curl) {
  const method = part.querySelector(".method").textContent;
  const path = part.querySelector("h3 code").textContent;
  const [, query = ""] = /^curl [^?"]*"[^?"]*(\?[^"]*)"/.exec(curl) ?? [];
  const [sample = null] = optionsOf(curl, "-d '");
  const address = make("input", { ...PLAIN, value: path + query });
  const places = path.match(/\{\w+\}/g) ?? [];
  if (places.length > 0) {
    // The browser shows the title, and sends nothing, while a place is left.
    address.pattern = String.raw`[^\{\}]*`;
    address.title = `Put a value in the place of ${places.join(" and ")}`;
  }
  const value = bodyOf(part.id, sample);
  const body = make("textarea", { rows: 5, spellcheck: false, value });
  const button = make("button", { textContent: "Send" });
  const state = make("p", { role: "status" });
  const answer = make("code", {});
  const about = { role: "group", ariaLabel: `What came back: ${part.id}` };
  const shown = make("pre", { ...about, tabIndex: 0, hidden: true }, answer);
  const fields = [make("label", {}, `Address ${method} `, address)];
  if (sample !== null) fields.push(make("label", {}, "Body ", body));
  if (part.dataset.browser === "agent") fields.push(...createTokenFields());
  const made = make("form", {}, ...fields, button, state, shown);
  made.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    state.textContent = "Sending…";
    try {
      const token = made.querySelector("input.agent");
      if (token !== null) known.set("AGENT", token.value.trim());
      const headers = await headersOf(curl);
      const sent = sample === null ? {} : { body: body.value };
      const response = await fetch(base + address.value, { method, headers, ...sent });
      const lines = [...response.headers].map(([name, line]) => `${name}: ${line}`);
      const text = await textOf(response);
      answer.textContent = `${lines.join("\n")}\n\n${text}`;
      shown.hidden = false;
      state.textContent = `${response.status} ${response.statusText}`;
      if (response.ok && part.id in issued) {
        keepToken(...issued[part.id], JSON.parse(text));
        state.textContent += ". Later calls of this page use its token.";
      }
      // A token has expired, or the backend began anew.
      if (response.status === 401) for (const name of variablesOf(curl)) known.delete(name);
    } catch (error) {
      state.textContent = `The call failed: ${error.message}`;
    }
    button.disabled = false;
  });
  return made;
}

function bodyOf(id, sample) {
  if (id in bodies) return JSON.stringify(bodies[id]);
  return sample === null ? "" : sample.replaceAll(String.raw`'\''`, "'");
}

/** The field for the token that operations for agents need. A login on the page fills it in. */
function createTokenFields() {
  const token = make("input", { ...PLAIN, className: "agent", required: true });
  token.value = known.get("AGENT") ?? "";
  const login = make("a", { href: "#chat.loginAgent", textContent: "Log in as an agent" });
  const hint = make("p", {}, "Only agents may call this. ", login, " to fill in the token.");
  return [hint, make("label", {}, "Agent's token ", token)];
}

function keepToken(name, read, answer) {
  known.set(name, read(answer));
  if (name !== "AGENT") return;
  for (const field of document.querySelectorAll("input.agent")) field.value = known.get(name);
}

function variablesOf(curl) {
  return Array.from(curl.matchAll(/\$(\w+)/g), ([, name]) => name);
}

/** The call's headers, with demo values for its variables. */
async function headersOf(curl) {
  const headers = {};
  for (const header of optionsOf(curl, '-H "')) {
    const [name, text] = header.split(": ");
    const [from, variable] = /\$(\w+)/.exec(text) ?? [];
    headers[name] = from === undefined ? text : text.replace(from, await valueOf(variable));
  }
  return headers;
}

/** Lists the values of the call's lines with this beginning, without the quotes. */
function optionsOf(curl, beginning) {
  const lines = curl.split(" \\\n  ").filter((line) => line.startsWith(beginning));
  return lines.map((line) => line.slice(beginning.length, -1));
}

async function valueOf(name) {
  if (!known.has(name)) known.set(name, await values[name]());
  return known.get(name);
}

async function post(path, headers, body) {
  const sent = { headers: { ...headers, ...JSON_TYPE }, body: JSON.stringify(body) };
  return (await fetch(base + path, { method: "POST", ...sent })).json();
}

async function textOf(response) {
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("text/event-stream")) {
    await response.body.cancel();
    return "(events, as they happen)";
  }
  if (!/json|text/.test(type)) return `(${(await response.blob()).size} bytes)`;
  const text = await response.text();
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function make(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}
