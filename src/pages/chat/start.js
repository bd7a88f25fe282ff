// The chat page begins with its words, and the state of the gateway in front of the bot.
import { readPart } from "./?file=client.js";
import { createElement } from "./?file=parts.js";

const byId = (id) => document.getElementById(id);

/** Reads the page's configuration, and its words in the browser's language, or English. */
export async function start() {
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
    byId("composer").hidden = true;
    byId("unstarted").hidden = false;
    throw error;
  }
}

export function directionOf(tag) {
  return ["ar", "he"].includes(tag.split("-")[0]) ? "rtl" : "ltr";
}

/** Shows the state that a gateway reports. A backend alone does not serve this address. */
export async function showStanding(texts) {
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
  // Unchanged lines are not announced again.
  if (shown.dataset.lines === lines.join("\n")) return;
  shown.dataset.lines = lines.join("\n");
  shown.classList.toggle("notice", lines.length > 0);
  shown.replaceChildren(
    ...lines.map((text) => {
      const line = createElement("div", "", text);
      line.dir = "auto";
      return line;
    }),
  );
}
