// The log shows the conversation: turns, answers beside the engine's own words, and their buttons.
// `page` is what the page lends: `texts`, and the functions `answer`, `say`, `rate`, `explain`,
// `hearAgents` and `findPolarLabels`.
import { choicesOf, isHandOver } from "./?file=client.js";
import { createButton, createElement, fill } from "./?file=parts.js";
import { sanitize } from "./?file=safe.js";

export const log = document.getElementById("log");

/** Adds a turn to the log: the reader's words, if any, and the answers to them. */
export function addTurn(page, shown = "") {
  const part = createElement("div", "turn");
  if (shown.trim() !== "") {
    // The words find their own direction; the bubble keeps to its side of the conversation.
    const words = createElement("span", "", shown);
    words.dir = "auto";
    words.lang = log.lang;
    const bubble = markOurs(createElement("div", "said"));
    bubble.setAttribute("role", "group");
    bubble.setAttribute("aria-label", page.texts.youSaid);
    bubble.append(words);
    part.append(bubble);
  }
  log.append(part);
  return part;
}

/** Marks the reader's last message as read. What was not answered did not get to the agent. */
export function showReadMark(texts) {
  const isAtEnd = Math.ceil(scrollY + innerHeight) >= document.body.scrollHeight;
  const sent = [...log.children].filter((turn) => turn.querySelector(":scope > .notice") === null);
  const bubble = sent.flatMap((turn) => [...turn.querySelectorAll(".said")]).at(-1);
  bubble?.after(markOurs(createElement("div", "who read-mark", texts.readMark)));
  if (isAtEnd) log.lastElementChild?.scrollIntoView({ block: "end" });
}

/** Switches off the options of earlier turns: their answers are no longer asked for. */
export function endChoices(count) {
  for (const part of [...log.children].slice(0, count))
    for (const button of part.querySelectorAll(".choices button")) button.disabled = true;
}

/** Says why there is no answer, beside a button that asks again. */
export function createFailure({ texts, answer }, error, turn) {
  const box = markOurs(createElement("div", "notice"));
  box.dir = "auto";
  box.setAttribute("role", "alert");
  const row = createElement("div", "chips");
  const again = createButton(texts.again, () => {
    const part = box.parentElement;
    box.remove();
    answer(turn, part);
  });
  row.append(again);
  box.append(createElement("div", "", fill(texts.notAnswered, { reason: error.message })), row);
  return box;
}

/** Names the author of an answer that is not the bot's: an agent, or Afterword itself. */
function speakerOf(texts, { attributes: { AFTERWORD_AGENT: name } }) {
  return name === undefined ? "Afterword" : name === "" ? texts.besideBot : name;
}

function createWhyButton({ texts, explain }, turn) {
  const made = markOurs(createButton(texts.why, () => explain(turn)));
  made.className = "why-button";
  return made;
}

/** Shows the answers of a turn, each beside the words that the engine said. */
export function show(page, turn, part) {
  const { texts } = page;
  const { answers, engine } = turn;
  const spoken = engine === null ? null : [...engine];
  for (const answer of answers) {
    const box = createElement("article", "answer");
    const reader = answer.message ?? "";
    if (isHandOver(answer)) {
      page.hearAgents(answer.attributes.AFTERWORD_EVENTS);
      box.append(createWords("reader", speakerOf(texts, answer), reader, []));
      const chosen = choicesOf(answer, page.findPolarLabels());
      if (chosen.length > 0) box.append(createChips(page, chosen, "choices"));
      part.append(box);
      continue;
    }
    const original = spoken?.shift()?.message ?? "";
    const flags = Array.isArray(answer.flags) ? answer.flags : [];
    // Default content has no flag; it is recognised by its title.
    const title = answer.intent?.type === "AIML" ? answer.attributes?.inbMainTitle : undefined;
    const same = spoken !== null && original === reader;
    box.append(
      createWords("reader", texts.readerSees, reader, flags),
      createWords(
        "engine",
        spoken === null ? texts.engineUnknown : same ? texts.engineSame : texts.engineSaid,
        same ? "" : original,
        flags.length === 0 && title ? [fill(texts.titled, { title })] : [],
      ),
    );
    const { rateCode } = answer.parameters?.contents?.trackingCode ?? {};
    if (rateCode) box.append(createRating(page, rateCode));
    const related = answer.parameters?.contents?.related;
    if (related?.relatedContents?.length > 0) box.append(createRelated(page, related));
    const choices = choicesOf(answer, page.findPolarLabels());
    if (choices.length > 0) box.append(createChips(page, choices, "choices"));
    if (turn.trace) box.append(createWhyButton(page, turn));
    for (const { parameters } of answer.actions ?? []) {
      const action = `${parameters.callback} ${JSON.stringify(parameters.data ?? {})}`;
      const asked = markOurs(createElement("p", "notice", fill(texts.botAsks, { action })));
      asked.dir = "auto";
      box.append(asked);
    }
    part.append(box);
  }
}

export function createWords(kind, label, html, badges) {
  const part = createElement("div", `words ${kind}`);
  const who = markOurs(createElement("div", "who", label));
  for (const badge of badges) who.append(createElement("span", "badge", badge));
  const text = createElement("div", "text");
  text.dir = "auto";
  text.append(sanitize(html));
  part.append(who, text);
  return part;
}

function createRelated(page, { relatedTitle, relatedContents }) {
  const part = createElement("div", "related");
  const choices = relatedContents.map(({ id, title }) => ({
    label: title,
    body: { message: title, option: id },
  }));
  part.append(createElement("div", "title", relatedTitle), createChips(page, choices));
  return part;
}

function createChips(page, choices, kind = "") {
  const row = createElement("div", `chips ${kind}`);
  for (const { label, body } of choices) {
    const chip = createButton(label, () => page.say(body, label));
    chip.dir = "auto";
    row.append(chip);
  }
  return row;
}

function createRating({ texts, rate }, code) {
  const row = markOurs(createElement("div", "chips rating"));
  for (const [label, name, value] of [
    ["\u{1f44d}", texts.helped, 1],
    ["\u{1f44e}", texts.notHelped, 2],
  ]) {
    const chip = createButton(label, async () => {
      const rated = await rate({ code, value, comment: null }).catch(() => null);
      const taken = rated !== null && rated.status < 300;
      row.querySelector(".who")?.remove();
      if (taken) row.replaceChildren();
      row.append(markOurs(createElement("span", "who", taken ? texts.thanks : texts.notRated)));
    });
    chip.title = name;
    chip.setAttribute("aria-label", name);
    row.append(chip);
  }
  return row;
}

/** Marks the page's own words within the conversation in the reader's language. */
export function markOurs(part) {
  part.lang = document.documentElement.lang;
  return part;
}
