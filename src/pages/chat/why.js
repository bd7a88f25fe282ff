// The panel beside the conversation says why a reader sees these words. The admin token brings the
// trace of each message, and the 16 situations from the console's API. Without it there is nothing
// to show.
import { HEADERS, createCopies } from "./?file=copies.js";
import { createButton, createLabel, createElement, fill } from "./?file=parts.js";

const tokenKey = "console-token";

/** The panel beside the conversation. */
export class Panel {
  #words;
  #page;
  #panel = document.getElementById("why");
  #opener = document.getElementById("why-open");
  #reader;
  #gate;
  #cases;
  #outcome = createElement("div", "outcome");
  #token = takeToken();
  /** The turn that is explained; null before the first. */
  #turn = null;
  #problem = "";

  /**
   * @param words what the panel says
   * @param page what it knows of the chat: the functions `{getLanguage, restart, createLink,
   *   getAccess, showSituation}`
   */
  constructor(words, page) {
    this.#words = words;
    this.#page = page;
    this.#reader = createReaderFields(words, () => page.restart());
    this.#gate = createGate(words, (token) => {
      this.#token = token;
      void this.#readSituations();
    });
    this.#cases = createElement("details", "situations");
    this.#cases.hidden = true;
    this.#cases.append(createElement("summary", "", words.situations));
    this.#cases.append(createElement("p", "", words.noSending));
    this.#outcome.setAttribute("aria-live", "polite");
    const title = createElement("h2", "", words.why);
    title.id = "why-title";
    const head = createElement("div", "why-head");
    head.append(
      title,
      createButton(words.close, () => this.close()),
    );
    const { valueOf, listGiven } = this.#reader;
    const copies = createCopies(words, page, { valueOf, listGiven, getTurn: () => this.#turn });
    this.#panel.append(head, this.#gate, this.#reader.part, copies, this.#cases, this.#outcome);
    this.#opener.textContent = words.why;
    this.#opener.addEventListener("click", () => (this.#panel.hidden ? this.open() : this.close()));
    document.addEventListener("keydown", ({ key }) => {
      if (key === "Escape" && !this.#panel.hidden) this.close();
    });
    const { searchParams } = new URL(location.href);
    const isGiven = this.#reader.fillFrom(searchParams);
    if (isGiven || searchParams.has("say")) this.open();
    if (this.#token !== null) void this.#readSituations();
    this.#draw();
  }

  /** Gives the fields that the next message carries. */
  getHeaders() {
    const headers = {};
    if (this.#token !== null) headers["x-afterword-debug"] = `Bearer ${this.#token}`;
    for (const [field, name] of Object.entries(HEADERS)) {
      const value = this.#reader.valueOf(field);
      if (value !== "") headers[name] = value;
    }
    return headers;
  }

  getVariables() {
    return pairsOf(this.#reader.valueOf("variables"));
  }

  /** Shows why the answers of this turn are as they are. */
  show(turn) {
    this.#turn = turn;
    this.#problem = "";
    this.#draw();
  }

  open() {
    this.#panel.hidden = false;
    this.#opener.setAttribute("aria-expanded", "true");
    document.body.classList.add("with-why");
    this.#panel.focus();
  }

  close() {
    this.#panel.hidden = true;
    this.#opener.setAttribute("aria-expanded", "false");
    document.body.classList.remove("with-why");
    this.#opener.focus();
  }

  async #readSituations() {
    this.#problem = "";
    try {
      const { situations } = await this.#ask("situations");
      sessionStorage.setItem(tokenKey, this.#token);
      this.#cases.querySelector(".chips")?.remove();
      const row = createElement("div", "chips");
      for (const { key, use, body } of situations) {
        const chip = createButton(key, () => void this.#play(key, body));
        chip.title = use;
        row.append(chip);
      }
      this.#cases.append(row);
      this.#cases.hidden = false;
    } catch (error) {
      this.#token = null;
      this.#problem = error.message;
    }
    this.#draw();
  }

  async #play(key, body) {
    try {
      const session = async () => (await this.#ask("session")).bots[0]?.name;
      const instance = this.#turn?.trace?.instance ?? (await session());
      const explained = await this.#ask("explain", {
        body,
        instance,
        locale: this.#page.getLanguage(),
        variables: this.getVariables(),
        channel: this.#reader.valueOf("channel"),
        env: this.#reader.valueOf("environment"),
        userType: this.#reader.valueOf("userType"),
      });
      // A panel in front of the conversation would hide the answer.
      if (matchMedia("(max-width: 63.99rem)").matches) this.close();
      this.#page.showSituation(key, explained);
    } catch (error) {
      this.#problem = error.message;
      this.#draw();
    }
  }

  /** Asks the console's API. */
  async #ask(path, json) {
    const words = this.#words;
    const response = await fetch(new URL(`_afterword/api/${path}`, document.baseURI), {
      method: json === undefined ? "GET" : "POST",
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(json !== undefined && { "content-type": "application/json" }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    }).catch(() => null);
    if (response === null) throw new Error(words.unreachable);
    const body = await response.json().catch(() => ({}));
    if (response.ok) return body;
    if (response.status === 401 || response.status === 404) throw new Error(words.tokenWrong);
    throw new Error(fill(words.failed, { reason: body.errors?.[0]?.message ?? response.status }));
  }

  #draw() {
    const words = this.#words;
    this.#gate.hidden = this.#token !== null;
    this.#outcome.replaceChildren();
    if (this.#problem !== "") {
      const line = createElement("p", "notice", this.#problem);
      line.setAttribute("role", "alert");
      this.#outcome.append(line);
    }
    if (this.#turn === null) this.#outcome.append(createElement("p", "quiet", words.whyAbout));
    else if (this.#turn.trace) this.#outcome.append(...listTrace(words, this.#turn));
    else if (this.#token !== null) this.#outcome.append(createElement("p", "quiet", words.noTrace));
  }
}

/** Asks for the admin token, without which there is no trace. */
function createGate(words, enter) {
  const gate = createElement("form", "gate");
  const token = createElement("input");
  Object.assign(token, { type: "password", autocomplete: "off", required: true });
  gate.append(createElement("p", "", words.tokenAbout), createLabel(words.token, token));
  gate.append(createElement("button", "", words.open));
  gate.addEventListener("submit", (event) => {
    event.preventDefault();
    enter(token.value.trim());
    token.value = "";
  });
  return gate;
}

/** Creates the fields that describe the reader. */
function createReaderFields(words, onChange) {
  const part = createElement("details", "reader-fields");
  part.append(createElement("summary", "", words.asReader));
  const fields = {};
  for (const field of [...Object.keys(HEADERS), "variables"]) {
    const input = createElement(field === "variables" ? "textarea" : "input");
    input.autocomplete = "off";
    input.addEventListener("change", onChange);
    fields[field] = input;
    part.append(createLabel(words[field], input));
  }
  const valueOf = (field) => fields[field].value.trim();
  return {
    part,
    valueOf,
    /** Gives the fields that are filled in, with their values. */
    listGiven: () =>
      Object.keys(fields).flatMap((field) =>
        valueOf(field) === "" ? [] : [[field, valueOf(field)]],
      ),
    /** Fills the fields from an address; true when it has any of them. */
    fillFrom(searchParams) {
      for (const [field, input] of Object.entries(fields)) {
        input.value = searchParams.get(field) ?? "";
      }
      part.open = Object.values(fields).some(({ value }) => value !== "");
      return part.open;
    },
  };
}

/** Lists the contents of a trace: the reader, and the reason for each text. */
function listTrace(words, { trace, answers }) {
  const facts = createElement("dl");
  addFact(facts, words.bot, trace.instance);
  addFact(facts, words.readersLanguage, describeLanguage(words, trace));
  addFact(facts, words.channel, trace.channel);
  const steps = createElement("ol");
  for (const step of trace.steps) if (step.twin !== true) steps.append(createStep(words, step));
  const sayUntouched = () => fill(words.untouched, { reason: whyOf(words, trace.gate) });
  return [
    facts,
    ...(trace.gate === null ? [] : [createElement("p", "", sayUntouched())]),
    steps,
    createSource(words.traceJson, trace),
    createSource(words.answerJson, answers),
  ];
}

function createStep(words, { at, flag, reason, source }) {
  const part = createElement("li");
  const head = createElement("p");
  head.append(createElement("code", "", flag ?? at), ` ${whyOf(words, reason)}`);
  part.append(head);
  if (source !== undefined) {
    const origin = source.origin === "own" ? words.yours : words.shipped;
    part.append(createElement("p", "quiet", `${origin}: ${source.locale}, ${source.rule}`));
  }
  if (flag !== null && source !== undefined) {
    const link = createElement("a", "", words.openLine);
    link.href = new URL(`_afterword/console#/texts/${source.locale}/${flag}`, document.baseURI);
    part.append(link);
  }
  return part;
}

function describeLanguage(words, { locale, localeReason }) {
  const last = localeReason.split(" ").at(-1);
  return `${nameOf(locale)}: ${findWord(words, `by-${last}`) ?? localeReason}`;
}

function whyOf(words, reason) {
  return findWord(words, `why-${reason}`) ?? reason;
}

function findWord(words, name) {
  return words[name.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase())];
}

/** Takes the token that the address brings along, or that of this tab's console. */
function takeToken() {
  const brought = decodeURIComponent(location.hash.slice(1));
  if (brought === "") return sessionStorage.getItem(tokenKey);
  history.replaceState(null, "", location.pathname + location.search);
  return brought;
}

function pairsOf(text) {
  const pairs = text.split("\n").flatMap((line) => {
    const at = line.indexOf("=");
    return at < 1 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()]];
  });
  return Object.fromEntries(pairs);
}

function nameOf(tag) {
  try {
    return `${new Intl.DisplayNames([document.documentElement.lang], { type: "language" }).of(tag)} (${tag})`;
  } catch {
    return tag;
  }
}

function addFact(list, name, value) {
  if (value) list.append(createElement("dt", "", name), createElement("dd", "", value));
}

function createSource(title, value) {
  const part = createElement("details");
  const code = createElement("pre", "", JSON.stringify(value, null, 2));
  code.dir = "ltr";
  code.tabIndex = 0;
  part.append(createElement("summary", "", title), code);
  return part;
}
