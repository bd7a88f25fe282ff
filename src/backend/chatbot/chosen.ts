import { countOf } from "../http/request-body.ts";
import type { OpenChoice } from "../storage/types.ts";
import { POLAR_VALUES } from "./answer.ts";
import { closestOf } from "./question.ts";
import type { TurnContext } from "./turn-context.ts";
import type { WrittenMessage } from "./turn-request.ts";

/**
 * Finds the choice that the reader means, or null. The message may be the choice's value (a number
 * or text), its label, a yes or no in any language for such a choice, a word that only its label
 * has, or a question that its content answers.
 */
export function chosenOf(
  context: TurnContext,
  choices: readonly OpenChoice[],
  request: WrittenMessage,
): OpenChoice | null {
  const { option, text } = request;
  return (
    (option === null ? null : choiceByOption(context, choices, option)) ??
    choiceByLabel(context, choices, text) ??
    (context.recognition.polarOf(text, context.session.language) === null
      ? byMeaning(context, choices, text)
      : null)
  );
}

/** Finds the choice with an option's value or label. */
export function choiceByOption(
  context: TurnContext,
  choices: readonly OpenChoice[],
  option: string,
): OpenChoice | null {
  return byValue(choices, option) ?? choiceByLabel(context, choices, option);
}

/** True when an option was offered, so that it takes precedence over the message. */
export function isOffered(context: TurnContext, option: string): boolean {
  const { open, offered } = context;
  const id = countOf(option);
  if (id !== null && offered.includes(id)) return true;
  switch (open?.kind) {
    case "choice":
      return choiceByOption(context, open.choices, option) !== null;
    case "checks":
      return readPolarChoice(context, option) !== null;
    case "form":
      return open.form.step !== "asking" && readPolarChoice(context, option) !== null;
    default:
      return false;
  }
}

/** Reads yes or no from the value or the word of an option; null for any other option. */
export function readPolarChoice(context: TurnContext, option: string): "yes" | "no" | null {
  const choice = choiceByOption(context, yesOrNo, option);
  return choice === null ? null : context.recognition.polarOf(choice.label, "en");
}

const yesOrNo: readonly OpenChoice[] = (["yes", "no"] as const).map((label) => ({
  label,
  value: POLAR_VALUES[label],
  content: 0,
}));

function byValue(choices: readonly OpenChoice[], option: string): OpenChoice | null {
  const value = countOf(option);
  return (
    choices.find((choice) => choice.value === value) ??
    // Some clients send 0 for no, whatever they received.
    (value === 0 ? findOnly(choices.filter(({ label }) => label === "no")) : null)
  );
}

/**
 * Finds the choice with this label, or the only one with the same meaning when the text is a yes or
 * no in other words.
 */
export function choiceByLabel(
  context: TurnContext,
  choices: readonly OpenChoice[],
  text: string,
): OpenChoice | null {
  const typed = toPlainWords(text);
  const same = choices.find(({ label }) => toPlainWords(label) === typed);
  if (same !== undefined) return same;
  const { language } = context.session;
  const polar = context.recognition.polarOf(text, language);
  return polar === null
    ? null
    : findOnly(
        choices.filter(({ label }) => context.recognition.polarOf(label, language) === polar),
      );
}

/** Finds the only choice by the words of its label, or by its content, unless another content fits better. */
function byMeaning(
  context: TurnContext,
  choices: readonly OpenChoice[],
  text: string,
): OpenChoice | null {
  const ids = choices.map(({ content }) => content);
  const [elsewhere] = context.index
    .search(text, context.audience)
    .hits.filter(({ id }) => !ids.includes(id));
  const worded = byWords(choices, text);
  if (worded !== null) return elsewhere?.exact === true ? null : worded;
  const best = findOnly(closestOf(context.index.among(text, ids)));
  return best === null || (elsewhere !== undefined && elsewhere.score > best.score)
    ? null
    : findOnly(choices.filter(({ content }) => content === best.id));
}

/** Finds the only choice whose label has every word of the message. */
function byWords(choices: readonly OpenChoice[], text: string): OpenChoice | null {
  const words = toPlainWords(text).split(" ");
  return findOnly(
    choices.filter(({ label }) => {
      const own = new Set(toPlainWords(label).split(" "));
      return words.every((word) => own.has(word));
    }),
  );
}

function findOnly<T>(found: readonly T[]): T | null {
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** Folds case, punctuation and compatibility forms. A text without letters and digits keeps its signs. */
export function toPlainWords(text: string): string {
  const folded = text.normalize("NFKC").toLowerCase();
  const words = folded.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ").trim();
  return words === "" ? folded.trim() : words;
}
