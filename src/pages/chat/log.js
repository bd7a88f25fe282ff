// The conversation as it is shown: turns, answers beside the engine's own words, and their buttons.
// `page` is what the page lends: `texts`, and the functions `answer`, `say`, `rate`, `explain`,
// `hearAgents` and `polarLabels`.
import { choicesOf, isHandOver } from "./?file=client.js";
import { element, fill } from "./?file=parts.js";
import { safe } from "./?file=safe.js";

export const log = document.getElementById("log");

/** A place for what the reader says, if anything, and the answers to it. */
export function turnPart(page, shown = "") {
  const part = element("div", "turn");
  if (shown.trim() !== "") {
    // The words find their own direction; the bubble keeps to its side of the conversation.
    const words = element("span", "", shown);
    words.dir = "auto";
    words.lang = log.lang;
    const said = ours(element("div", "said"));
    said.setAttribute("role", "group");
    said.setAttribute("aria-label", page.texts.youSaid);
    said.append(words);
    part.append(said);
  }
  log.append(part);
  return part;
}

/** The options of answers before this turn are no longer asked for. */
export function endChoices(count) {
  for (const part of [...log.children].slice(0, count))
    for (const button of part.querySelectorAll(".choices button")) button.disabled = true;
}

/** Why there is no answer, and a button that asks again. */
export function failure({ texts, answer }, error, turn) {
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

/** Whose words an answer beside the bot's has: an agent's, or Afterword's own. */
function speakerOf(texts, { attributes: { AFTERWORD_AGENT: name } }) {
  return name === undefined ? "Afterword" : name === "" ? texts.besideBot : name;
}

function whyButton({ texts, explain }, turn) {
  const made = ours(element("button", "why-button", texts.why));
  made.type = "button";
  made.addEventListener("click", () => explain(turn));
  return made;
}

/** Shows the answers of a turn, each beside the words that the engine said. */
export function show(page, turn, part) {
  const { texts } = page;
  const { answers, engine } = turn;
  const spoken = engine === null ? null : [...engine];
  for (const answer of answers) {
    const box = element("article", "answer");
    const reader = answer.message ?? "";
    if (isHandOver(answer)) {
      page.hearAgents(answer.attributes.AFTERWORD_EVENTS);
      box.append(words("reader", speakerOf(texts, answer), reader, []));
      const chosen = choicesOf(answer, page.polarLabels());
      if (chosen.length > 0) box.append(chips(page, chosen, "choices"));
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
    if (rateCode) box.append(ratingPart(page, rateCode));
    const related = answer.parameters?.contents?.related;
    if (related?.relatedContents?.length > 0) box.append(relatedPart(page, related));
    const choices = choicesOf(answer, page.polarLabels());
    if (choices.length > 0) box.append(chips(page, choices, "choices"));
    if (turn.trace) box.append(whyButton(page, turn));
    for (const { parameters } of answer.actions ?? []) {
      const action = `${parameters.callback} ${JSON.stringify(parameters.data ?? {})}`;
      const asked = ours(element("p", "notice", fill(texts.botAsks, { action })));
      asked.dir = "auto";
      box.append(asked);
    }
    part.append(box);
  }
}

export function words(kind, label, html, badges) {
  const part = element("div", `words ${kind}`);
  const who = ours(element("div", "who", label));
  for (const badge of badges) who.append(element("span", "badge", badge));
  const text = element("div", "text");
  text.dir = "auto";
  text.append(safe(html));
  part.append(who, text);
  return part;
}

function relatedPart(page, { relatedTitle, relatedContents }) {
  const part = element("div", "related");
  const choices = relatedContents.map(({ id, title }) => ({
    label: title,
    body: { message: title, option: id },
  }));
  part.append(element("div", "title", relatedTitle), chips(page, choices));
  return part;
}

function chips(page, choices, kind = "") {
  const row = element("div", `chips ${kind}`);
  for (const { label, body } of choices) {
    const chip = element("button", "", label);
    chip.type = "button";
    chip.dir = "auto";
    chip.addEventListener("click", () => page.say(body, label));
    row.append(chip);
  }
  return row;
}

function ratingPart({ texts, rate }, code) {
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
      const rated = await rate({ code, value, comment: null }).catch(() => null);
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
export function ours(part) {
  part.lang = document.documentElement.lang;
  return part;
}
