// The chat page. It is an ordinary client of the API: it logs in at /v1/auth below its own address,
// follows `apis.chatbot`, and knows nothing of a gateway but that it may hand over to a person. The
// engine's own words come from the history, which a gateway leaves as it is.
import { safe } from "./?file=safe.js";
import { createSigns, listen } from "./?file=stream.js";
import { element, fill } from "./?file=parts.js";
import { createPanel } from "./?file=why.js";

const byId = (id) => document.getElementById(id);
const log = byId("log");
const composer = byId("composer");
const input = byId("message");
const instances = byId("instance");
const languages = byId("language");

/** Where to send messages, and with which credentials: `{base, headers}`, or null before login. */
let access = null;
/** The session token, or null when the next message begins a new conversation. */
let session = null;
/** Under which name this tab keeps its conversation, and how many turns of it. */
const storageKey = "afterword.conversation";
const mostKept = 100;
/** Requests go out one after the other, in the order in which they were asked for. */
let queue = Promise.resolve();
/** Grows with every new conversation: what still arrives for an earlier one is dropped. */
let conversation = 0;
/** Ends the event stream of this conversation; null while no agent was offered. */
let listening = null;
/** Where agents are heard, and the id of the last event: `{path, last}`, or null. */
let events = null;
/** What the page tells the agent beside messages. */
const signs = createSigns((sign) => {
  const headers = { "x-inbenta-session": `Bearer ${session}`, "content-type": "application/json" };
  const address = new URL(`.${events?.path}`, document.baseURI);
  return fetch(address, { method: "POST", headers, body: JSON.stringify(sign) });
});
/** Who the agent is, as far as the gateway says it. */
let agent = "";
/** What was said so far, in order: `{body, shown, answers, engine}`; see `keep`. */
let turns = [];

const { config, texts } = await start();
const kept = readKept();
fillSwitches();
const why = createPanel(texts, {
  language: () => languages.value,
  changed: () => restart(),
  link,
  access: () => access && { ...access, language: languages.value, session },
  situation,
});
void showStanding();
// Somebody comes back, perhaps from a text that was changed.
addEventListener("focus", () => void showStanding());
byId("restart").addEventListener("click", () => restart());
languages.addEventListener("change", () => restart());
instances.addEventListener("change", () => restart({ login: true }));
composer.addEventListener("submit", (event) => {
  event.preventDefault();
  const message = input.value;
  input.value = "";
  input.focus();
  say({ message }, message);
});
input.addEventListener("input", () => signs.typed(input.value));
byId("access-form").addEventListener("submit", (event) => {
  event.preventDefault();
  restart({ login: true });
});
if (kept !== null && !askedByAddress()) resume(kept);
else if (config.demo.length > 0) restart({ login: true });
else askForAccess();
const said = askedByAddress() ? new URL(location.href).searchParams.get("say") : "";
if (said !== "" && config.demo.length > 0) say({ message: said }, said);

/** An address that repeats a state begins a conversation of its own. */
function askedByAddress() {
  const { searchParams } = new URL(location.href);
  return (
    searchParams.has("say") && performance.getEntriesByType("navigation")[0]?.type !== "reload"
  );
}

/** The address that repeats this state, with what the panel adds. */
function link(more) {
  const address = new URL(location.pathname, location.href);
  const bot = config.demo.find(({ apiKey }) => apiKey === instances.value)?.project;
  const given = [["lang", languages.value], ...(bot === undefined ? [] : [["bot", bot]]), ...more];
  address.search = new URLSearchParams(given).toString();
  return address.href;
}

/** What a preset answer of the engine becomes. Nothing was sent. */
function situation(key, { places, trace }) {
  const [place] = places;
  const turn = { trace, engine: [], answers: [] };
  const part = turnPart();
  const box = element("article", "answer");
  box.append(
    words("reader", texts.readerSees, place?.reader ?? "", [key]),
    words("engine", texts.engineWould, place?.engine ?? "", []),
  );
  part.append(box);
  part.scrollIntoView({ block: "end" });
  why.show(turn);
}

/** What the page needs to know, and its words in the browser's language, or English. */
async function start() {
  try {
    const found = await readPart("config.json");
    const tags = navigator.languages.flatMap((tag) => [tag, tag.split("-")[0]]);
    const tag = tags.find((one) => found.words.includes(one)) ?? "en";
    const texts = await readPart(`words-${tag}.json`);
    document.documentElement.lang = tag;
    document.documentElement.dir = directionOf(tag);
    document.title = texts.title;
    for (const part of document.querySelectorAll("[data-word]")) {
      part.textContent = texts[part.dataset.word];
    }
    for (const part of document.querySelectorAll("[data-label]")) {
      part.setAttribute("aria-label", texts[part.dataset.label]);
    }
    return { config: found, texts };
  } catch (error) {
    composer.hidden = true;
    byId("unstarted").hidden = false;
    throw error;
  }
}

async function readPart(name) {
  const response = await fetch(new URL(`?file=${name}`, document.baseURI));
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response.json();
}

function directionOf(tag) {
  return ["ar", "he"].includes(tag.split("-")[0]) ? "rtl" : "ltr";
}

function fillSwitches() {
  // Chromium has no words in these languages.
  const ownNames = { eu: "euskara", gl: "galego" };
  const names = new Intl.DisplayNames([document.documentElement.lang], { type: "language" });
  for (const code of config.languages) {
    const own = ownNames[code] ?? new Intl.DisplayNames([code], { type: "language" }).of(code);
    const name = names.of(code);
    languages.append(new Option(own === name ? own : `${own} (${name})`, code));
  }
  const notes = { modern: texts.modern };
  for (const { project, apiKey } of config.demo) {
    instances.append(new Option(notes[project] ?? project, apiKey));
  }
  instances.parentElement.hidden = config.demo.length === 0;
  const { searchParams } = new URL(location.href);
  const wanted = (askedByAddress() ? null : kept?.language) ?? searchParams.get("lang");
  if (config.languages.includes(wanted)) languages.value = wanted;
  const bot = config.demo.find(({ project }) => project === searchParams.get("bot"));
  if (kept !== null && !askedByAddress()) instances.value = kept.instance;
  else if (bot !== undefined) instances.value = bot.apiKey;
}

/**
 * What a reload brings back: the conversation itself, wherever it is, goes on at the server. It is
 * this tab's alone, and gone when the tab is closed.
 */
function keep() {
  const { value: language } = languages;
  const { value: instance } = instances;
  const all = { access, session, language, instance, events, turns: turns.slice(-mostKept) };
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(all));
  } catch {
    // The storage is full, or switched off: the page works, and forgets when it is loaded again.
    sessionStorage?.removeItem(storageKey);
  }
}

/** Null: nothing is kept, or it was with a bot that is no longer here. */
function readKept() {
  try {
    const all = JSON.parse(sessionStorage.getItem(storageKey));
    const isHere =
      config.demo.length === 0
        ? all.instance === ""
        : config.demo.some(({ apiKey }) => apiKey === all.instance);
    return isHere && all.access !== null && Array.isArray(all.turns) ? all : null;
  } catch {
    return null;
  }
}

function resume(all) {
  ({ access, session, turns } = all);
  nameLanguage();
  // Before the answers that lead there: the stream goes on behind the last event.
  if (all.events !== null) hearAgents(all.events.path, all.events.last);
  for (const turn of turns) {
    const part = turnPart(turn.shown);
    if (turn.answers !== undefined) show(turn, part);
    else part.append(failure(new Error(texts.loadedAgain), turn));
  }
  endChoices(turns.length - 1);
  log.lastElementChild?.scrollIntoView({ block: "end" });
}

/** What a gateway says of itself; a backend alone has nothing at this address. */
async function showStanding() {
  const response = await fetch("_afterword/ready").catch(() => null);
  const { disabled, reload, content } = response?.ok ? await response.json() : {};
  const mistakes = reload?.state === "failed" ? reload.diagnostics : [];
  const lines = [
    ...(disabled ? [texts.disabled] : []),
    ...(mistakes.length > 0 ? [texts.notInForce] : []),
    ...mistakes.map(({ file, line, message = "" }) => `${file}:${line} ${message}`),
    ...(content?.state === "failed" ? [texts.contentNotInForce, content.detail] : []),
  ];
  const shown = byId("standing");
  // The same is not announced twice.
  if (shown.dataset.lines === lines.join("\n")) return;
  shown.dataset.lines = lines.join("\n");
  shown.classList.toggle("notice", lines.length > 0);
  shown.replaceChildren(
    ...lines.map((text) => {
      const line = element("div", "", text);
      line.dir = "auto";
      return line;
    }),
  );
}

function askForAccess() {
  const address = new URL("v1/auth", document.baseURI);
  byId("recipe").textContent =
    `curl -X POST ${address} -H 'x-inbenta-key: <API KEY>' \\\n` +
    `  -H 'content-type: application/json' -d '{"secret":"<SECRET>"}'`;
  showAccess(true);
  byId("api-key").focus();
}

function showAccess(asked) {
  byId("access").hidden = !asked;
  composer.hidden = asked;
}

function restart({ login = false } = {}) {
  conversation += 1;
  session = null;
  listening?.abort();
  listening = null;
  events = null;
  signs.restart();
  showSigns("typing", { typing: false });
  turns = [];
  if (login) access = null;
  log.replaceChildren();
  nameLanguage();
  const nobody = config.demo.length === 0 && byId("access-token").value.trim() === "";
  if (!nobody) say({ message: "" });
}

/** For screen readers, fonts and the direction of what is said. */
function nameLanguage() {
  for (const element of [log, input]) {
    element.lang = languages.value;
    element.dir = directionOf(languages.value);
  }
}

/** Sends a message; `shown` is what the reader is seen to say. */
function say(body, shown) {
  const turn = { body, shown };
  turns.push(turn);
  signs.sent();
  showSigns("read", { read: false });
  endChoices(turns.length - 1);
  const part = turnPart(shown);
  part.scrollIntoView({ block: "end" });
  answer(turn, part);
}

/** Asks, once what was asked before is answered. The answers stand below their question. */
function answer(turn, part) {
  const mine = conversation;
  part.setAttribute("aria-busy", "true");
  keep();
  queue = after(queue, async () => {
    if (mine !== conversation) return;
    try {
      const taken = await takeTurn(turn.body);
      if (mine !== conversation) return;
      Object.assign(turn, taken);
      show(turn, part);
      why.show(turn);
    } catch (error) {
      if (mine === conversation) part.append(failure(error, turn));
    } finally {
      part.removeAttribute("aria-busy");
      part.lastElementChild?.scrollIntoView({ block: "end" });
      if (mine === conversation) keep();
    }
  });
}

/** A place for what the reader says, if anything, and the answers to it. */
function turnPart(shown = "") {
  const part = element("div", "turn");
  if (shown.trim() !== "") {
    // The words find their own direction; the bubble keeps to its side of the conversation.
    const words = element("span", "", shown);
    words.dir = "auto";
    words.lang = log.lang;
    const said = ours(element("div", "said"));
    said.setAttribute("role", "group");
    said.setAttribute("aria-label", texts.youSaid);
    said.append(words);
    part.append(said);
  }
  log.append(part);
  return part;
}

/** The options of answers before this turn are no longer asked for. */
function endChoices(count) {
  for (const part of [...log.children].slice(0, count))
    for (const button of part.querySelectorAll(".choices button")) button.disabled = true;
}

/** Why there is no answer, and a button that asks again. */
function failure(error, turn) {
  const box = ours(element("div", "notice"));
  box.dir = "auto";
  box.setAttribute("role", "alert");
  const row = element("div", "chips");
  const again = element("button", "", texts.again);
  again.type = "button";
  again.addEventListener("click", () => {
    const part = box.parentElement;
    box.remove();
    answer(turn, part);
  });
  row.append(again);
  box.append(element("div", "", fill(texts.notAnswered, { reason: error.message })), row);
  return box;
}

async function after(earlier, work) {
  await earlier;
  await work();
}

/**
 * One message as any client sends it, an expired session or token included; then the engine's words
 * for its answers.
 */
async function takeTurn(body) {
  for (let attempt = 0; ; attempt++) {
    access ??= await logIn();
    session ??= await begin();
    const answer = await call("POST", "conversation/message", body);
    const refused = answer.status === 401 || answer.status === 403;
    const expired = answer.status === 400;
    if ((refused || expired) && attempt === 0) {
      session = null;
      if (refused) access = null;
      continue;
    }
    if (answer.body.errors) throw new Error(answer.body.errors[0].message);
    const answers = answer.body.answers ?? [answer.body];
    const said = answers.filter((one) => !isHandOver(one)).length;
    const { body: history = null } =
      (await call("GET", "conversation/history").catch(() => null)) ?? {};
    if (!Array.isArray(history)) return { answers, engine: null, trace: answer.trace };
    const spoken = history.filter(({ user }) => user === "bot");
    return { answers, engine: said === 0 ? [] : spoken.slice(-said), trace: answer.trace };
  }
}

/** A conversation with the language and the variables that were chosen; its session token. */
async function begin() {
  const { sessionToken } = (await call("POST", "conversation", { lang: languages.value })).body;
  session = sessionToken;
  const variables = why.variables();
  if (Object.keys(variables).length > 0) {
    await call("POST", "conversation/variables/multiple", { variables });
  }
  return sessionToken;
}

async function logIn() {
  if (config.demo.length > 0) {
    const { apiKey, domainKey } = config.demo.find((one) => one.apiKey === instances.value);
    const { apis, accessToken } = await ask("v1/auth", {
      method: "POST",
      headers: { "content-type": "application/json", "x-inbenta-key": apiKey },
      // A browser logs in with a domain key: a secret must never be in one.
      body: JSON.stringify({ secret: domainKey }),
    });
    return accessTo(apis, apiKey, accessToken);
  }
  const key = byId("api-key").value.trim();
  const token = byId("access-token").value.trim();
  const { headers } = accessTo({}, key, token);
  showAccess(true);
  const { apis } = await ask("v1/apis", { headers });
  showAccess(false);
  return accessTo(apis, key, token);
}

function accessTo(apis, apiKey, token) {
  return {
    base: apis.chatbot,
    headers: { "x-inbenta-key": apiKey, authorization: `Bearer ${token}` },
  };
}

async function ask(path, init) {
  const response = await reach(new URL(path, document.baseURI), init);
  const body = await readBody(response);
  if (!response.ok)
    throw new Error(body.errors?.[0]?.message ?? fill(texts.refused, { status: response.status }));
  return body;
}

async function call(method, path, body) {
  const headers = { ...access.headers, ...why.headers() };
  if (session !== null) headers["x-inbenta-session"] = `Bearer ${session}`;
  if (body !== undefined) headers["content-type"] = "application/json";
  const response = await reach(`${access.base}/v1/${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const trace = JSON.parse(response.headers.get("x-afterword-trace") ?? "null");
  return { status: response.status, body: await readBody(response), trace };
}

/** A browser says only that it failed, each in words of its own. */
async function reach(address, init) {
  try {
    return await fetch(address, init);
  } catch {
    throw new Error(texts.noServer);
  }
}

/** Proxies answer with pages of their own, and a rating with nothing at all. */
async function readBody(response) {
  const text = await response.text();
  if (text === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(fill(texts.notJson, { status: response.status }));
  }
}

/** Said by the gateway or an agent, beside the engine. */
function isHandOver({ attributes }) {
  return attributes?.AFTERWORD_EVENTS !== undefined;
}

function hearAgents(path, last = null) {
  if (listening !== null || session === null) return;
  listening = new AbortController();
  events = { path, last };
  const address = new URL(`.${path}`, document.baseURI);
  void listen({ address, session, last }, listening.signal, (event, data, id) => {
    if (id !== undefined) events.last = id;
    showSigns(event, data);
    if (event === "answer") {
      signs.came(id);
      const turn = { answers: [data], engine: [] };
      turns.push(turn);
      show(turn, turnPart());
      log.lastElementChild?.scrollIntoView({ block: "end" });
    }
    keep();
  });
}

/** What an agent does beside writing: comes, types, reads. */
function showSigns(event, data) {
  if (event === "holder") {
    agent = data.name ?? "";
    signs.holder(data.holder === "person");
  }
  if (event === "typing") {
    const name = agent === "" ? texts.somebody : agent;
    byId("typing").textContent = data.typing ? fill(texts.isWriting, { name }) : "";
  }
  if (event === "read") {
    log.querySelector(".read-mark")?.remove();
    const said = [...log.querySelectorAll(".said")].at(-1);
    if (data.read) said?.after(ours(element("div", "who read-mark", texts.readMark)));
  }
}

/** Whose words an answer beside the bot's has: an agent's, or Afterword's own. */
function speakerOf({ attributes: { AFTERWORD_AGENT: name } }) {
  return name === undefined ? "Afterword" : name === "" ? texts.besideBot : name;
}

function whyButton(turn) {
  const made = ours(element("button", "why-button", texts.why));
  made.type = "button";
  made.addEventListener("click", () => {
    why.show(turn);
    why.open();
  });
  return made;
}

function show(turn, part) {
  const { answers, engine } = turn;
  const spoken = engine === null ? null : [...engine];
  for (const answer of answers) {
    const box = element("article", "answer");
    const reader = answer.message ?? "";
    if (isHandOver(answer)) {
      hearAgents(answer.attributes.AFTERWORD_EVENTS);
      box.append(words("reader", speakerOf(answer), reader, []));
      const chosen = choicesOf(answer);
      if (chosen.length > 0) box.append(chips(chosen, "choices"));
      part.append(box);
      continue;
    }
    const original = spoken?.shift()?.message ?? "";
    const flags = Array.isArray(answer.flags) ? answer.flags : [];
    // Default content has no flag; it is recognised by its title.
    const title = answer.intent?.type === "AIML" ? answer.attributes?.inbMainTitle : undefined;
    const same = spoken !== null && original === reader;
    box.append(
      words("reader", texts.readerSees, reader, flags),
      words(
        "engine",
        spoken === null ? texts.engineUnknown : same ? texts.engineSame : texts.engineSaid,
        same ? "" : original,
        flags.length === 0 && title ? [fill(texts.titled, { title })] : [],
      ),
    );
    const { rateCode } = answer.parameters?.contents?.trackingCode ?? {};
    if (rateCode) box.append(ratingPart(rateCode));
    const related = answer.parameters?.contents?.related;
    if (related?.relatedContents?.length > 0) box.append(relatedPart(related));
    const choices = choicesOf(answer);
    if (choices.length > 0) box.append(chips(choices, "choices"));
    if (turn.trace) box.append(whyButton(turn));
    for (const { parameters } of answer.actions ?? []) {
      const action = `${parameters.callback} ${JSON.stringify(parameters.data ?? {})}`;
      const asked = ours(element("p", "notice", fill(texts.botAsks, { action })));
      asked.dir = "auto";
      box.append(asked);
    }
    part.append(box);
  }
}

function words(kind, label, html, badges) {
  const part = element("div", `words ${kind}`);
  const who = ours(element("div", "who", label));
  for (const badge of badges) who.append(element("span", "badge", badge));
  const text = element("div", "text");
  text.dir = "auto";
  text.append(safe(html));
  part.append(who, text);
  return part;
}

function relatedPart({ relatedTitle, relatedContents }) {
  const part = element("div", "related");
  const choices = relatedContents.map(({ id, title }) => ({
    label: title,
    body: { message: title, option: id },
  }));
  part.append(element("div", "title", relatedTitle), chips(choices));
  return part;
}

/** Options of a question, and values of a form's list: each with what is sent for it. */
function choicesOf({ type, options, actionField }) {
  const [yes, no] = config.polar[languages.value] ?? config.polar.en;
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

function chips(choices, kind = "") {
  const row = element("div", `chips ${kind}`);
  for (const { label, body } of choices) {
    const chip = element("button", "", label);
    chip.type = "button";
    chip.dir = "auto";
    chip.addEventListener("click", () => say(body, label));
    row.append(chip);
  }
  return row;
}

function ratingPart(code) {
  const row = ours(element("div", "chips rating"));
  for (const [label, name, value] of [
    ["\u{1f44d}", texts.helped, 1],
    ["\u{1f44e}", texts.notHelped, 2],
  ]) {
    const chip = element("button", "", label);
    chip.type = "button";
    chip.title = name;
    chip.setAttribute("aria-label", name);
    chip.addEventListener("click", async () => {
      const data = { code, value, comment: null };
      const rated = await call("POST", "tracking/events", { type: "rate", data }).catch(() => null);
      const taken = rated !== null && rated.status < 300;
      row.querySelector(".who")?.remove();
      if (taken) row.replaceChildren();
      row.append(ours(element("span", "who", taken ? texts.thanks : texts.notRated)));
    });
    row.append(chip);
  }
  return row;
}

/** Said by the page itself, amid the conversation in the reader's language. */
function ours(part) {
  part.lang = document.documentElement.lang;
  return part;
}
