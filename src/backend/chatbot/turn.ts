import { isBlank } from "../../locales/plain-text.ts";
import { countOf } from "../field-values.ts";
import type { ContentItem } from "../content/types.ts";
import {
  choiceByLabel,
  choiceByOption,
  isOffered,
  polarChoice,
  chosenOf,
  plainWords,
} from "./chosen.ts";
import { preset, unanswered } from "./presets.ts";
import { answerQuestion, ask, offer, type Outcome, askCheck, type OpenChecks } from "./question.ts";
import { contentOf, keepingOpen, withSession } from "./scene.ts";
import type { Scene, Turn } from "./scene.ts";
import { show } from "./show.ts";
import { type Said, type TurnRequest, isTooLong } from "./turn-request.ts";
import type { Flag } from "../../direct-answers/flags.ts";
import { answerForm } from "../forms/machine.ts";
import type { FormState } from "../forms/types.ts";
import { formContext, goOn, toAnswer } from "./form-lines.ts";
import type { OpenDialogue } from "../storage/types.ts";
import { directAnswer } from "./answer.ts";

// After this many messages that led nowhere the options are no longer on the table.
const maxMisses = 2;

/** Options or check questions that wait for the reader. */
type OpenOptions = Exclude<OpenDialogue, { kind: "form" }>;

/**
 * Answers a message that is none of the options the reader was offered (`ids`). The flag
 * `no-subset-match` says so; what the message finds in the whole of the contents follows it in the
 * same response. One that finds nothing leaves the options open for another turn. One that finds
 * some of the very options only narrows them down, and gets no flag.
 */
async function astray(
  scene: Scene,
  open: OpenOptions,
  ids: readonly number[],
  text: string,
): Promise<Turn> {
  const asked = ask(scene, text);
  const answer = directAnswer("no-subset-match", scene.texts["no-subset-match"]);
  if (asked.outcome.kind === "none") {
    const { session } = asked.scene;
    const misses = open.misses + 1;
    return {
      answers: [answer],
      session: {
        ...session,
        unanswered: session.unanswered + 1,
        open: misses < maxMisses ? { ...open, misses } : null,
      },
      said: text,
    };
  }
  const turn = await answerQuestion(asked);
  return isAmong(asked.outcome, ids) ? turn : { ...turn, answers: [answer, ...turn.answers] };
}

function isAmong(outcome: Outcome, ids: readonly number[]): boolean {
  switch (outcome.kind) {
    case "one":
      return ids.includes(outcome.result.item.id);
    case "several":
      return outcome.results.every(({ item }) => ids.includes(item.id));
    default:
      return false;
  }
}

/** Answers one request, pure but for the scene's session and the forms it submits. */
export async function takeTurn(scene: Scene, asked: TurnRequest): Promise<Turn> {
  if (asked.kind === "direct-call") return jump(scene, asked.name);
  const request = withinLimit(scene, asked);
  if (request === null) {
    return keepingOpen(scene, await preset(scene, "character-limit-exceeded", asked.text));
  }
  const { open } = scene;
  const inForm = open?.kind === "form" ? await answerInForm(scene, open.form, request) : null;
  if (inForm !== null) return inForm;
  if (isBlank(request.text)) return nothingSaid(scene);

  const related = relatedOf(scene, request);
  if (related !== null) return show(scene, related, { said: related.title });
  switch (open?.kind) {
    case "choice":
      return answerChoice(scene, open, request);
    case "checks":
      return answerCheck(scene, open, request);
    default:
      return answerQuestion(ask(scene, request.text));
  }
}

async function nothingSaid(scene: Scene): Promise<Turn> {
  const { turns, welcomed } = scene.session;
  return turns === 1 && !welcomed
    ? welcome(scene)
    : keepingOpen(scene, await preset(scene, "no-question", "", welcomed));
}

/** Null when too long. Beside an offered option a message says nothing, however long. */
function withinLimit(scene: Scene, said: Said): Said | null {
  if (!isTooLong(said.text)) return said;
  const { option } = said;
  return option !== null && isOffered(scene, option) ? { ...said, text: option } : null;
}

/** The related content of an option or a title; a question's options take precedence. */
function relatedOf(scene: Scene, { option, text }: Said): ContentItem | null {
  const { open, offered } = scene;
  const choices = open?.kind === "choice" ? open.choices : [];
  if (option !== null && choiceByOption(scene, choices, option) !== null) return null;
  const id = option === null ? null : countOf(option);
  if (id !== null && offered.includes(id)) return contentOf(scene, id);
  if (offered.length === 0 || choiceByLabel(scene, choices, text) !== null) return null;
  const wanted = plainWords(text);
  const related = offered.flatMap((one) => contentOf(scene, one) ?? []);
  return related.find(({ title }) => plainWords(title) === wanted) ?? null;
}

/** Direct calls that the engine answers itself when no visible content has the name. */
const presets: ReadonlyMap<string, Flag> = new Map([
  ["sys-welcome", "welcome"],
  ["sys-no-results", "no-results"],
]);

/** Jumps to a direct-call name, hidden too; only a dead name gives `conversation-error-message`. */
async function jump(before: Scene, name: string): Promise<Turn> {
  const scene = name === "sys-welcome" ? welcoming(before) : before;
  const named = scene.shelf.byDirectCall.get(name);
  const item = named === undefined ? null : contentOf(scene, named.id);
  const flag = presets.get(name);
  // A content in the place of a preset answer answers no question either.
  if (item !== null) return show(scene, item, { said: "", answered: flag === undefined });
  return flag === undefined
    ? keepingOpen(before, await preset(before, "conversation-error-message", ""))
    : preset(scene, flag, "");
}

/** The welcome: once before the reader's first words, and whenever a client asks for it. */
function welcome(scene: Scene): Promise<Turn> {
  return preset(welcoming(scene), "welcome", "");
}

function welcoming(scene: Scene): Scene {
  return withSession(scene, { ...scene.session, welcomed: true });
}

/** Answers the reader within a form. Null when the form is gone: nothing to answer. */
async function answerInForm(scene: Scene, state: FormState, request: Said): Promise<Turn | null> {
  const form = contentOf(scene, state.content)?.form ?? null;
  if (form === null) return null;
  const { option, text } = request;
  const polar = option === null || state.step === "asking" ? null : polarChoice(scene, option);
  const step = answerForm(formContext(scene, state.content, form), state, { text, polar });
  const went = await goOn(scene, state.content, form, step);

  let turn: Turn = { answers: [], session: went.session, said: text };
  for (const line of went.says) {
    // The only text of a form that a bot's owner customizes with a content.
    const said =
      line.flag === "follow-up-question"
        ? await preset(withSession(scene, turn.session), line.flag, text, line.caused)
        : { answers: [toAnswer(scene, line)], session: turn.session };
    turn = { ...turn, answers: [...turn.answers, ...said.answers], session: said.session };
  }
  return turn;
}

/** Answers the reply to a check question: yes shows the content, no goes on to the next. */
function answerCheck(scene: Scene, open: OpenChecks, request: Said): Promise<Turn> {
  const { option, text } = request;
  const [asked = -1, ...others] = open.contents;
  const rest = others.filter((id) => contentOf(scene, id) !== null);
  const polar = (option === null ? null : polarChoice(scene, option)) ?? polarChoice(scene, text);
  if (polar === "no") return askCheck(scene, rest, polar);
  const item = contentOf(scene, asked);
  if (polar === "yes") {
    if (item !== null) return show(scene, item, { said: polar });
    // It was removed from the contents meanwhile; without another, nothing is left of the find.
    return rest.length > 0 ? askCheck(scene, rest, polar) : unanswered(scene, "no-results", polar);
  }
  return answerOther(scene, open, text);
}

/** What is neither yes nor no may name one of the contents that wait. */
function answerOther(scene: Scene, open: OpenChecks, text: string): Promise<Turn> {
  const waiting = open.contents.flatMap((id) => contentOf(scene, id) ?? []);
  const titles = waiting.map(({ id, title }) => ({ value: id, label: title, content: id }));
  const named = chosenOf(scene, titles, { kind: "said", option: null, text });
  const item = waiting.find(({ id }) => id === named?.content);
  if (item !== undefined) return show(scene, item, { said: text });
  return astray(scene, open, open.contents, text);
}

/** Answers what the reader says after several options were offered. */
function answerChoice(
  scene: Scene,
  open: Extract<OpenDialogue, { kind: "choice" }>,
  request: Said,
): Promise<Turn> {
  // What was taken out of the contents since then can't be chosen any more.
  const choices = open.choices.filter(({ content }) => contentOf(scene, content) !== null);
  const choice = chosenOf(scene, choices, request);
  const item = choice === null ? null : contentOf(scene, choice.content);
  if (choice !== null && item !== null) return show(scene, item, { said: choice.label });
  const { text } = request;
  const waiting = open.waiting.flatMap((id) => contentOf(scene, id) ?? []);
  const [next, ...others] = waiting;
  if (next !== undefined && scene.recognition.polarOf(text, scene.session.language) === "no") {
    return others.length === 0 ? show(scene, next, { said: text }) : offer(scene, waiting, text);
  }
  const ids = [...choices.map(({ content }) => content), ...waiting.map(({ id }) => id)];
  return astray(scene, { ...open, choices }, ids, text);
}
