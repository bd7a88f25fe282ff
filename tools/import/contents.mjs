// node contents.mjs BOT [FOLDER]: makes contents.json of another bot's export (docs/import.md). It needs Node alone.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [bot = "", folder = "."] = process.argv.slice(2);

/** For each bot, its questions and answers: a list of {phrases, answer, published}. */
const BOTS = {
  botpress: readBotpress,
  dialogflow: readDialogflow,
  rasa: readRasa,
  watson: readWatson,
};

const read = BOTS[bot];
if (read === undefined) {
  console.error(`name one of ${Object.keys(BOTS).join(", ")}: node contents.mjs BOT [FOLDER]`);
  process.exit(2);
}
const contents = read()
  .filter(({ phrases, answer }) => phrases.length > 0 && answer)
  .map(({ phrases: [title, ...alternatives], answer, published }, index) => ({
    ...{ id: index + 1, title, alternatives, answer },
    ...(published === false && { published }),
  }));
writeFileSync("contents.json", `${JSON.stringify(contents, null, 2)}\n`);
console.log(`contents.json: ${contents.length}`);

/** Takes the first answer `utter_NAME` of domain.yml for the intent NAME of nlu.yml. */
function readRasa() {
  const answers = new Map();
  let name = "";
  for (const line of text("domain.yml").split("\n")) {
    name = /^ {2}utter_([^:]+):/.exec(line)?.[1] ?? name;
    const answer = /^ *-? *text: *(.*)/.exec(line)?.[1];
    if (answer !== undefined && !answers.has(name))
      answers.set(name, answer.replace(/^"(.*)"$/, "$1"));
  }
  const intents = text("nlu.yml")
    .split(/^ *- intent: */m)
    .slice(1);
  return intents.map((intent) => ({
    phrases: [...intent.matchAll(/^ +- (.+)$/gm)].map(([, phrase]) => withoutEntities(phrase)),
    answer: answers.get(intent.split("\n")[0].trim()),
  }));
}

/** `to [Berlin](city)` and `to [Berlin]{"entity": "city"}` are `to Berlin`. */
function withoutEntities(phrase) {
  return phrase.replace(/\[([^\]]+)\](\([^)]*\)|\{[^}]*\})/g, "$1");
}

/** Takes the English answers of intents/NAME.json, and the questions of intents/NAME_usersays_en.json. */
function readDialogflow() {
  const names = readdirSync(join(folder, "intents")).filter((file) => !file.includes("_usersays_"));
  return names.flatMap((file) => {
    const questions = join("intents", file.replace(/\.json$/, "_usersays_en.json"));
    if (!existsSync(join(folder, questions))) return [];
    const messages = json(join("intents", file)).responses.flatMap((one) => one.messages ?? []);
    const english = messages.filter(({ lang = "en" }) => lang === "en");
    return {
      phrases: json(questions).map(({ data }) =>
        data
          .map((part) => part.text)
          .join("")
          .trim(),
      ),
      answer: english.flatMap(({ speech = [] }) => speech)[0],
    };
  });
}

/** Takes nodes of watson.json whose condition is one intent. */
function readWatson() {
  const { intents, dialog_nodes: nodes } = json("watson.json");
  return nodes.map(({ conditions, output }) => ({
    phrases:
      intents.find((one) => `#${one.intent}` === conditions)?.examples.map((one) => one.text) ?? [],
    answer:
      output?.generic?.flatMap(({ values = [] }) => values)[0]?.text ?? output?.text?.values?.[0],
  }));
}

/** Takes the English questions and answers of qna.json. */
function readBotpress() {
  return json("qna.json").qnas.map(({ data }) => ({
    phrases: data.questions.en ?? [],
    answer: data.answers.en?.[0],
    published: data.enabled !== false,
  }));
}

function text(file) {
  return readFileSync(join(folder, file), "utf8");
}

function json(file) {
  return JSON.parse(text(file));
}
