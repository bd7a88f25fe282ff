// Beside the conversation: why a reader sees these words. The admin token brings the trace of each
// message, and the 16 situations from the console's API. Without it there is nothing to show.
import { HEADERS, curlOf, testOf } from "./?file=copies.js";
import { element, fill } from "./?file=parts.js";

const tokenKey = "console-token";

/**
 * @param words what the panel says
 * @param page what it knows of the chat: `{language, changed, link, access, situation}`, functions
 */
export function createPanel(words, page) {
  const panel = document.getElementById("why");
  const opener = document.getElementById("why-open");
  const state = { token: takeToken(), turn: null, situations: null, problem: "" };
  const fields = {};
  opener.textContent = words.why;
  opener.addEventListener("click", () => (panel.hidden ? open() : close()));
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape" && !panel.hidden) close();
  });

  const outcome = element("div", "outcome");
  outcome.setAttribute("aria-live", "polite");
  const gate = element("form", "gate");
  const choices = element("details", "reader-fields");
  const cases = element("details", "situations");
  build();
  fromAddress();
  if (state.token !== null) void readSituations();
  draw();

  return {
    /** Fields that the next message carries. */
    headers() {
      const headers = {};
      if (state.token !== null) headers["x-afterword-debug"] = `Bearer ${state.token}`;
      for (const [field, name] of Object.entries(HEADERS)) {
        if (valueOf(field) !== "") headers[name] = valueOf(field);
      }
      return headers;
    },
    variables: () => pairsOf(valueOf("variables")),
    /** Shows why the answers of this turn are as they are. */
    show(turn) {
      Object.assign(state, { turn, problem: "" });
      draw();
    },
    open,
  };

  function open() {
    panel.hidden = false;
    opener.setAttribute("aria-expanded", "true");
    document.body.classList.add("with-why");
    panel.focus();
  }

  function close() {
    panel.hidden = true;
    opener.setAttribute("aria-expanded", "false");
    document.body.classList.remove("with-why");
    opener.focus();
  }

  function build() {
    const title = element("h2", "", words.why);
    title.id = "why-title";
    const end = button(words.close, close);
    const head = element("div", "why-head");
    head.append(title, end);

    gate.append(element("p", "", words.tokenAbout));
    const token = element("input");
    Object.assign(token, { type: "password", autocomplete: "off", required: true });
    const submit = element("button", "", words.open);
    gate.append(labelled(words.token, token), submit);
    gate.addEventListener("submit", (event) => {
      event.preventDefault();
      state.token = token.value.trim();
      token.value = "";
      void readSituations();
    });

    choices.append(element("summary", "", words.asReader));
    for (const field of [...Object.keys(HEADERS), "variables"]) {
      const input = element(field === "variables" ? "textarea" : "input");
      input.autocomplete = "off";
      input.addEventListener("change", () => page.changed());
      fields[field] = input;
      choices.append(labelled(words[field], input));
    }
    cases.append(element("summary", "", words.situations), element("p", "", words.noSending));
    const copies = element("div", "chips");
    copies.append(
      copying(words.copyLink, () => page.link(asked())),
      copying(words.copyCurl, () => curlOf(page.access(), state.turn, valueOf)),
      copying(words.copyTest, () => testOf(state.turn)),
    );
    panel.append(head, gate, choices, copies, cases, outcome);
  }

  function valueOf(field) {
    return fields[field].value.trim();
  }

  /** What the address of this page repeats. */
  function asked() {
    const given = Object.entries(fields).map(([field, { value }]) => [field, value.trim()]);
    const said = state.turn?.shown?.trim() ? [["say", state.turn.shown]] : [];
    return [...given.filter(([, value]) => value !== ""), ...said];
  }

  function fromAddress() {
    const { searchParams } = new URL(location.href);
    let given = false;
    for (const [field, input] of Object.entries(fields)) {
      input.value = searchParams.get(field) ?? "";
      given ||= input.value !== "";
    }
    choices.open = given;
    if (given || searchParams.has("say")) open();
  }

  async function readSituations() {
    state.problem = "";
    try {
      const { situations } = await api("situations");
      state.situations = situations;
      sessionStorage.setItem(tokenKey, state.token);
      cases.querySelector(".chips")?.remove();
      const row = element("div", "chips");
      for (const { key, use, body } of situations) {
        const chip = button(key, () => void play(key, body));
        chip.title = use;
        row.append(chip);
      }
      cases.append(row);
    } catch (error) {
      state.token = null;
      state.problem = error.message;
    }
    draw();
  }

  async function play(key, body) {
    try {
      const instance = state.turn?.trace?.instance ?? (await api("session")).bots[0]?.name;
      const variables = pairsOf(valueOf("variables"));
      const asking = { body, instance, locale: page.language(), variables };
      for (const field of ["channel", "environment", "userType"]) {
        asking[field === "environment" ? "env" : field] = valueOf(field);
      }
      const explained = await api("explain", asking);
      // In front of the conversation the panel would hide what was asked for.
      if (matchMedia("(max-width: 63.99rem)").matches) close();
      page.situation(key, explained);
    } catch (error) {
      state.problem = error.message;
      draw();
    }
  }

  async function api(path, json) {
    const response = await fetch(new URL(`_afterword/api/${path}`, document.baseURI), {
      method: json === undefined ? "GET" : "POST",
      headers: {
        authorization: `Bearer ${state.token}`,
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

  function draw() {
    const { token, turn, situations, problem } = state;
    gate.hidden = token !== null;
    cases.hidden = situations === null;
    outcome.replaceChildren();
    if (problem !== "") {
      const line = element("p", "notice", problem);
      line.setAttribute("role", "alert");
      outcome.append(line);
    }
    if (turn === null) return outcome.append(element("p", "quiet", words.whyAbout));
    const { trace } = turn;
    if (!trace) {
      if (token !== null) outcome.append(element("p", "quiet", words.noTrace));
      return undefined;
    }
    const facts = element("dl");
    fact(facts, words.bot, trace.instance);
    fact(facts, words.readersLanguage, reasonOfLanguage(trace));
    fact(facts, words.channel, trace.channel);
    outcome.append(facts);
    if (trace.gate !== null) {
      outcome.append(element("p", "", fill(words.untouched, { reason: whyOf(trace.gate) })));
    }
    const list = element("ol");
    for (const step of trace.steps) if (step.twin !== true) list.append(stepPart(step));
    outcome.append(list, raw(words.traceJson, trace), raw(words.answerJson, turn.answers));
    return undefined;
  }

  function stepPart({ at, flag, reason, source }) {
    const part = element("li");
    const head = element("p");
    head.append(element("code", "", flag ?? at), ` ${whyOf(reason)}`);
    part.append(head);
    if (source !== undefined) {
      const origin = source.origin === "own" ? words.yours : words.shipped;
      part.append(element("p", "quiet", `${origin}: ${source.locale}, ${source.rule}`));
    }
    if (flag !== null && source !== undefined) {
      const link = element("a", "", words.openLine);
      link.href = new URL(`_afterword/console#/texts/${source.locale}/${flag}`, document.baseURI);
      part.append(link);
    }
    return part;
  }

  function reasonOfLanguage({ locale, localeReason }) {
    const last = localeReason.split(" ").at(-1);
    return `${nameOf(locale)}: ${named(`by-${last}`) ?? localeReason}`;
  }

  function whyOf(reason) {
    return named(`why-${reason}`) ?? reason;
  }

  function named(name) {
    return words[name.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase())];
  }

  function copying(label, text) {
    const made = button(label, async () => {
      const value = text();
      made.textContent = value === "" ? words.whyAbout : words.copied;
      if (value !== "") await navigator.clipboard.writeText(value);
      setTimeout(() => (made.textContent = label), 2000);
    });
    return made;
  }
}

/** The token that the address brings along, or that of this tab's console. */
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

function fact(list, name, value) {
  if (value) list.append(element("dt", "", name), element("dd", "", value));
}

function raw(title, value) {
  const part = element("details");
  const code = element("pre", "", JSON.stringify(value, null, 2));
  code.dir = "ltr";
  code.tabIndex = 0;
  part.append(element("summary", "", title), code);
  return part;
}

function labelled(text, control) {
  const label = element("label", "", text);
  label.append(control);
  return label;
}

function button(label, act) {
  const made = element("button", "", label);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}
