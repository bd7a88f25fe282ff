// The panel beside the conversation copies links, commands and tests.
import { createButton, createElement } from "./?file=parts.js";

/** Fields of a message that describe the reader. */
export const HEADERS = {
  channel: "x-afterword-channel",
  environment: "x-inbenta-env",
  userType: "x-inbenta-user-type",
};

/**
 * Creates the buttons that copy the data with which a turn can be repeated.
 *
 * @param page the functions `{createLink, getAccess}`
 * @param panel the functions `{valueOf, listGiven, getTurn}`
 */
export function createCopies(words, page, { valueOf, listGiven, getTurn }) {
  const listMessage = () => (getTurn()?.shown?.trim() ? [["say", getTurn().shown]] : []);
  const copies = createElement("div", "chips");
  for (const [label, getText] of [
    [words.copyLink, () => page.createLink([...listGiven(), ...listMessage()])],
    [words.copyCurl, () => curlOf(page.getAccess(), getTurn(), valueOf)],
    [words.copyTest, () => testOf(getTurn())],
  ]) {
    const button = createButton(label, async () => {
      const text = getText();
      button.textContent = text === "" ? words.whyAbout : words.copied;
      if (text !== "") await navigator.clipboard.writeText(text);
      setTimeout(() => (button.textContent = label), 2000);
    });
    copies.append(button);
  }
  return copies;
}

/** Writes commands that ask the same from a shell. */
function curlOf(access, turn, valueOf) {
  if (turn?.body === undefined || access === null) return "";
  const { base, headers, language, session } = access;
  // A key for browsers is refused outside of the page that it belongs to.
  const { origin } = location;
  const shared = Object.entries({ ...headers, origin, "content-type": "application/json" });
  const more = Object.entries(HEADERS).flatMap(([field, name]) =>
    valueOf(field) === "" ? [] : [[name, valueOf(field)]],
  );
  const toLines = (given) =>
    given.map(([name, value]) => `  -H ${quote(`${name}: ${value}`)} \\\n`);
  return [
    `# ${language}: this session was begun with {"lang":"${language}"}`,
    `curl -s ${quote(`${base}/v1/conversation/message`)} \\`,
    `${toLines([...shared, ["x-inbenta-session", `Bearer ${session}`], ...more]).join("")}  -d ${quote(JSON.stringify(turn.body))}`,
    "",
  ].join("\n");
}

function quote(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Writes a test of the library that expects the rewritten answer. */
function testOf(turn) {
  const step = turn?.trace?.steps.find(({ before, after }) => before && after);
  if (step === undefined) return "";
  const { instance, locale, channel } = turn.trace;
  const flags = step.flag === null ? [] : [step.flag];
  const engine = JSON.stringify({ answers: [{ message: JSON.parse(step.before), flags }] });
  const context = JSON.stringify({ instance, locale, channel });
  return `import assert from "node:assert/strict";
import { test } from "node:test";
import { createRewriter } from "afterword";
import { loadConfig } from "afterword/node";

test(${JSON.stringify(`${step.flag ?? "related-title"} in ${locale}`)}, async () => {
  const config = await loadConfig("config/afterword.yaml");
  const engine = new TextEncoder().encode(${JSON.stringify(engine)});
  const { body } = createRewriter({ config }).rewrite(engine, ${context});
  const [answer] = JSON.parse(new TextDecoder().decode(body)).answers;
  assert.equal(answer.message, ${step.after});
});
`;
}
