import type { Fact, ShownContents } from "../../src/insights/facts.ts";

/** The turn of a reader whose question found nothing. */
export function ask(question: {
  readonly at: number;
  readonly instance: string;
  readonly language: string;
  readonly session: string | null;
  readonly typed: string;
}): Extract<Fact, { kind: "turn" }> {
  const { at, instance, language, session, typed } = question;
  const source = { origin: "own", locale: language, rule: "text" } as const;
  return {
    kind: "turn",
    at,
    instance,
    session,
    isHandedOver: false,
    readRequest: () => ({ isOption: false, typed }),
    decided: {
      gate: null,
      locale: language,
      localeReason: "",
      instance,
      channel: "web",
      steps: [
        {
          at: "/answers/0/message",
          flag: "no-results",
          reason: "rewritten",
          source,
        },
      ],
    },
  };
}

/** The turn of a reader whose question a content answered. */
export function showContent(
  asked: Parameters<typeof ask>[0],
  id: number,
  shown: Partial<ShownContents> = {},
): ReturnType<typeof ask> {
  const { language } = asked;
  const isReply = async () => false;
  return {
    ...ask(asked),
    decided: "bytes",
    readContents: async () => ({ ids: [id], language, channel: "web", isReply, ...shown }),
  };
}
