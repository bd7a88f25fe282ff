// The chat page. It knows nothing of a gateway but that it may hand over to a person.
import { Client } from "./?file=client.js";
import {
  addTurn,
  createFailure,
  createWords,
  endChoices,
  log,
  show,
  showReadMark,
} from "./?file=log.js";
import { createSigns, listen } from "./?file=stream.js";
import { createElement, fill, findPolarLabels } from "./?file=parts.js";
import { directionOf, showStanding, start } from "./?file=start.js";
import { Panel } from "./?file=why.js";

const byId = (id) => document.getElementById(id);
const composer = byId("composer");
const input = byId("message");
const instances = byId("instance");
const languages = byId("language");

/** The names under which this tab keeps its conversation, and how many turns of it. */
const storageKey = "afterword.conversation";
const maxKept = 100;
/** Requests go out one after the other, in the order in which they were asked for. */
let queue = Promise.resolve();
/** Grows with every new conversation, so that answers for an earlier one are dropped. */
let conversation = 0;
/** Ends the event stream of this conversation; null while no agent was offered. */
let listening = null;
/** The path of the agents' stream, and the id of the last event: `{path, last}`, or null. */
let events = null;
/** Tells the agent what the reader does beside writing. */
const signs = createSigns((sign) => {
  const session = `Bearer ${client.session}`;
  const headers = { "x-inbenta-session": session, "content-type": "application/json" };
  const address = new URL(`.${events?.path}`, document.baseURI);
  return fetch(address, { method: "POST", headers, body: JSON.stringify(sign) });
});
/** The agent's name, as far as the gateway sends it. */
let agent = "";
/** All turns so far, in order: `{body, shown, answers, engine}`; see `keep`. */
let turns = [];

const { config, texts } = await start();
const kept = readKept();
fillSwitches();
const why = new Panel(texts, {
  getLanguage: () => languages.value,
  restart: () => restart(),
  createLink,
  getAccess: () =>
    client.access && { ...client.access, language: languages.value, session: client.session },
  showSituation,
});
const client = new Client(texts, {
  logIn,
  getLanguage: () => languages.value,
  getHeaders: () => why.getHeaders(),
  getVariables: () => why.getVariables(),
});
/** The log needs these of this page. */
const page = {
  texts,
  answer,
  say,
  hearAgents,
  findPolarLabels: () => findPolarLabels(config, languages.value),
  rate: (data) => client.call("POST", "tracking/events", { type: "rate", data }),
  explain(turn) {
    why.show(turn);
    why.open();
  },
};
void showStanding(texts);
// The reader returns, perhaps from a text that was changed.
addEventListener("focus", () => void showStanding(texts));
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
input.addEventListener("input", () => signs.noteTyping(input.value));
byId("access-form").addEventListener("submit", (event) => {
  event.preventDefault();
  restart({ login: true });
});
if (kept !== null && !isAskedByAddress()) resume(kept);
else if (config.demo.length > 0) restart({ login: true });
else askForAccess();
const opening = isAskedByAddress() ? new URL(location.href).searchParams.get("say") : "";
if (opening !== "" && config.demo.length > 0) say({ message: opening }, opening);

/** An address that repeats a state begins a conversation of its own. */
function isAskedByAddress() {
  const { searchParams } = new URL(location.href);
  return (
    searchParams.has("say") && performance.getEntriesByType("navigation")[0]?.type !== "reload"
  );
}

/** Creates the address that repeats this state, with the panel's values. */
function createLink(more) {
  const address = new URL(location.pathname, location.href);
  const bot = config.demo.find(({ apiKey }) => apiKey === instances.value)?.project;
  const given = [["lang", languages.value], ...(bot === undefined ? [] : [["bot", bot]]), ...more];
  address.search = new URLSearchParams(given).toString();
  return address.href;
}

/** Shows what a preset answer of the engine becomes. Nothing was sent. */
function showSituation(key, { places, trace }) {
  const [place] = places;
  const turn = { trace, engine: [], answers: [] };
  const part = addTurn(page);
  const box = createElement("article", "answer");
  box.append(
    createWords("reader", texts.readerSees, place?.reader ?? "", [key]),
    createWords("engine", texts.engineWould, place?.engine ?? "", []),
  );
  part.append(box);
  part.scrollIntoView({ block: "end" });
  why.show(turn);
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
  const language = (isAskedByAddress() ? null : kept?.language) ?? searchParams.get("lang");
  if (config.languages.includes(language)) languages.value = language;
  const bot = config.demo.find(({ project }) => project === searchParams.get("bot"));
  if (kept !== null && !isAskedByAddress()) instances.value = kept.instance;
  else if (bot !== undefined) instances.value = bot.apiKey;
}

/**
 * Keeps the data that a reload restores. The conversation itself continues at the server. The copy
 * belongs to this tab, and is deleted when the tab is closed.
 */
function keep() {
  const { value: language } = languages;
  const { value: instance } = instances;
  const { access, session } = client;
  const all = { access, session, language, instance, events, turns: turns.slice(-maxKept) };
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(all));
  } catch {
    // The storage is full, or switched off. The page works, but a reload forgets the conversation.
    sessionStorage?.removeItem(storageKey);
  }
}

/** Null if nothing is kept, or it was with a bot that is no longer here. */
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
  ({ access: client.access, session: client.session, turns } = all);
  nameLanguage();
  // Events before these answers: the stream continues after the last event.
  if (all.events !== null) hearAgents(all.events.path, all.events.last);
  for (const turn of turns) {
    const part = addTurn(page, turn.shown);
    if (turn.answers !== undefined) show(page, turn, part);
    else part.append(createFailure(page, new Error(texts.loadedAgain), turn));
  }
  endChoices(turns.length - 1);
  log.lastElementChild?.scrollIntoView({ block: "end" });
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
  client.session = null;
  listening?.abort();
  listening = null;
  events = null;
  signs.restart();
  showSigns("typing", { typing: false });
  turns = [];
  if (login) client.access = null;
  log.replaceChildren();
  nameLanguage();
  const nobody = config.demo.length === 0 && byId("access-token").value.trim() === "";
  if (!nobody) say({ message: "" });
}

/** Names the language for screen readers and fonts, and sets the direction of the texts. */
function nameLanguage() {
  for (const element of [log, input]) {
    element.lang = languages.value;
    element.dir = directionOf(languages.value);
  }
}

/** Sends a message; `shown` is the text that the log shows for the reader. */
function say(body, shown) {
  const turn = { body, shown };
  turns.push(turn);
  signs.noteMessage();
  showSigns("read", { read: false });
  endChoices(turns.length - 1);
  const part = addTurn(page, shown);
  part.scrollIntoView({ block: "end" });
  answer(turn, part);
}

/** Sends a message once the earlier ones are answered. The answers appear below their question. */
function answer(turn, part) {
  const mine = conversation;
  part.setAttribute("aria-busy", "true");
  keep();
  const ask = async () => {
    if (mine !== conversation) return;
    try {
      const taken = await client.takeTurn(turn.body);
      if (mine !== conversation) return;
      Object.assign(turn, taken);
      show(page, turn, part);
      why.show(turn);
    } catch (error) {
      if (mine === conversation) part.append(createFailure(page, error, turn));
    } finally {
      part.removeAttribute("aria-busy");
      part.lastElementChild?.scrollIntoView({ block: "end" });
      if (mine === conversation) keep();
    }
  };
  queue = queue.then(ask);
}

/** With the demo's domain key, or what the form has: `{base, headers}`. */
async function logIn() {
  if (config.demo.length > 0)
    return client.enter(config.demo.find((one) => one.apiKey === instances.value));
  const key = byId("api-key").value.trim();
  const token = byId("access-token").value.trim();
  showAccess(true);
  const access = await client.discover(key, token);
  showAccess(false);
  return access;
}

function hearAgents(path, last = null) {
  const { session } = client;
  if (listening !== null || session === null) return;
  listening = new AbortController();
  events = { path, last };
  const address = new URL(`.${path}`, document.baseURI);
  void listen({ address, session, last }, listening.signal, (event, data, id) => {
    if (id !== "") events.last = id;
    showSigns(event, data);
    if (event === "answer") {
      signs.noteAnswer(id);
      const turn = { answers: [data], engine: [] };
      turns.push(turn);
      show(page, turn, addTurn(page));
      log.lastElementChild?.scrollIntoView({ block: "end" });
    }
    keep();
  });
}

/** Shows what an agent does beside writing: comes, types, reads. */
function showSigns(event, data) {
  if (event === "holder") {
    agent = data.name ?? "";
    signs.setHolder(data.holder === "person");
  }
  if (event === "typing") {
    const name = agent === "" ? texts.somebody : agent;
    byId("typing").textContent = data.typing ? fill(texts.isWriting, { name }) : "";
  }
  if (event === "read") {
    log.querySelector(".read-mark")?.remove();
    if (data.read) showReadMark(texts);
  }
}
