import { createClients } from "../../../src/api/clients.ts";
import type { ConversationAnswer } from "../../../src/api/chatbot/types.ts";
import type { Scenario, Words } from "./scenarios.ts";

/** The result of one scenario. */
export interface Played {
  readonly scenario: Scenario;
  readonly language: string;
  /** The answer with the flag, as the reader got it through the gateway, or null. */
  readonly answer: ConversationAnswer | null;
  /** The engine's own answer, since its history keeps its own words. */
  readonly engine: string | null;
  /** Flags of the last response, for a scenario that failed. */
  readonly flags: readonly string[];
}

/** Runs a scenario through the gateway at `url`, as any client would, in a new conversation. */
export async function play(url: string, scenario: Scenario, words: Words): Promise<Played> {
  const { chatbot } = createClients({
    auth: { url, apiKey: "demo-key", secret: "demo-secret" },
    source: "scenarios",
  });
  const { language } = words;
  const conversation = await chatbot.start({ lang: language });
  let answers: readonly ConversationAnswer[] = [];
  for (const turn of scenario.turns(words)) answers = await conversation.send(turn);
  const at = answers.findIndex(({ flags }) => flags.includes(scenario.flag));
  const history = await conversation.history();
  // The last response's answers are the last items, in the same order.
  const items = history.slice(-answers.length);
  return {
    scenario,
    language,
    answer: answers[at] ?? null,
    engine: at < 0 ? null : (items[at]?.message ?? null),
    flags: answers.flatMap(({ flags }) => flags),
  };
}
