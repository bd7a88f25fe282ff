import type { ConversationTurn } from "../../../src/api/chatbot/types.ts";
import { FLAGS } from "../../../src/direct-answers/flags.ts";
import type { Flag } from "../../../src/direct-answers/flags.ts";
import type { SpecifiedFlag } from "../../direct-answers/specification.ts";

/**
 * A demo bot's reader's messages, in one language. The contents are those of
 * config/backend/shop.<language>.yaml.
 */
export interface Words {
  readonly language: string;
  readonly no: string;
  readonly yes: string;
  /** A text that no content of a shop answers. */
  readonly nonsense: string;
  /** A single word that several contents answer. */
  readonly vague: string;
  /** Two contents answer it, each with a check question. */
  readonly lost: string;
  /** A content from which options lead on. */
  readonly size: string;
  /** A content with a form whose webhook asks for an order number. */
  readonly orderProblem: string;
  readonly inquiry: string;
}

export const WORDS: readonly Words[] = [
  {
    language: "en",
    no: "no",
    yes: "yes",
    nonsense: "Who won the chess championship?",
    vague: "Delivery",
    lost: "My parcel is missing",
    size: "Find my size",
    orderProblem: "Something is wrong with my order",
    inquiry: "My lamp is broken",
  },
  {
    language: "fr",
    no: "non",
    yes: "oui",
    nonsense: "Qui a gagné le championnat d’échecs ?",
    vague: "Livraison",
    lost: "Mon colis a disparu",
    size: "Trouver ma taille",
    orderProblem: "Il y a un problème avec ma commande",
    inquiry: "Ma lampe est cassée",
  },
  {
    language: "es",
    no: "no",
    yes: "sí",
    nonsense: "¿Quién ganó el campeonato de ajedrez?",
    vague: "Entrega",
    lost: "No encuentro mi paquete",
    size: "Encontrar mi talla",
    orderProblem: "Hay un problema con mi pedido",
    inquiry: "Mi lámpara está rota",
  },
];

/**
 * How to make the demo bot give each direct answer: the cause, and the messages. The last turn has
 * the flag.
 */
export interface Scenario {
  readonly flag: Flag;
  /** The engine's reason (seed.md, Chatbot direct answers). */
  readonly cause: string;
  turns(words: Words): readonly ConversationTurn[];
}

const say = (...messages: readonly string[]): readonly ConversationTurn[] =>
  messages.map((message) => ({ message }));

/** A client that offers a person itself sends this; a form without a webhook follows. */
const offer: ConversationTurn = { directCall: "escalationOffer" };

// Each is one code point and two UTF-16 units.
const tooLong = "\u{1f4e6}".repeat(257);

type Cause = Omit<Scenario, "flag">;

const scenarios: Readonly<Record<SpecifiedFlag, Cause> & Partial<Record<Flag, Cause>>> = {
  welcome: { cause: "The first message of a conversation is empty.", turns: () => say("") },
  "no-question": { cause: "An empty message after the welcome.", turns: () => say("", "") },
  "no-results": {
    cause: "No content comes close to the question.",
    turns: ({ nonsense }) => say(nonsense),
  },
  "character-limit-exceeded": {
    cause: "The message has 257 characters.",
    turns: () => say(tooLong),
  },
  "conversation-error-message": {
    cause: "A direct call that leads nowhere.",
    turns: () => [{ directCall: "no-such-content" }],
  },
  refinement: {
    cause: "One word, and more results than can be offered.",
    turns: ({ vague }) => say(vague),
  },
  "multiple-options": {
    cause: "A content from which several options lead on.",
    turns: ({ size }) => say(size),
  },
  "no-subset-match": {
    cause: "A message that is none of the options offered.",
    turns: ({ size, nonsense }) => say(size, nonsense),
  },
  "all-options-discarded": {
    cause: "Every check question was answered no.",
    turns: ({ lost, no }) => say(lost, no, no),
  },
  "generic-error-message": {
    cause: "An invalid e-mail address, and no error message of the bot master’s.",
    turns: ({ yes }) => [offer, ...say(yes, "Ada", "nobody")],
  },
  "form-continue": {
    cause: "The question that follows a field’s error message.",
    turns: ({ yes }) => [offer, ...say(yes, "Ada", "nobody")],
  },
  "follow-up-question": {
    cause: "The form was left after it had failed.",
    turns: ({ yes, no }) => [offer, ...say(yes, "Ada", "nobody", no)],
  },
  "end-form": {
    cause: "A form without a webhook has ended.",
    turns: ({ yes, inquiry }) => [offer, ...say(yes, "Ada", "ada@example.com", inquiry)],
  },
  "form-retry": {
    cause: "The webhook named a field of the form as invalid.",
    turns: ({ orderProblem, inquiry }) => say(orderProblem, "W-1404", inquiry),
  },
  "webhook-wrong-field": {
    cause: "The webhook named a field that the form does not have.",
    turns: ({ orderProblem, inquiry }) => say(orderProblem, "W-1405", inquiry),
  },
  "webhook-bad-request": {
    cause: "The webhook answered something that is no answer.",
    turns: ({ orderProblem, inquiry }) => say(orderProblem, "W-1500", inquiry),
  },
};

export const SCENARIOS: readonly Scenario[] = FLAGS.flatMap((flag) => {
  const scenario: Cause | undefined = scenarios[flag];
  return scenario === undefined ? [] : [{ flag, ...scenario }];
});
