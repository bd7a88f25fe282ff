/** The key of a line that the gateway itself says while it hands a conversation over. */
export type OwnLine = (typeof lines)[number][0];

// Each row has the key, the situation, and the placeholders that only this line has.
const lines = [
  ["escalation.offer", "The bot could not help: whether the reader wants a person.", []],
  ["escalation.offer-message", "No agent can come: whether the reader wants a ticket.", []],
  ["escalation.yes", "Label of the option yes.", []],
  ["escalation.no", "Label of the option no.", []],
  ["escalation.declined", "The reader wants no person.", []],
  ["escalation.ask-name", "Asks for the reader's name.", []],
  ["escalation.ask-email", "Asks for the reader's e-mail address.", []],
  ["escalation.ask-email-again", "What was typed is no e-mail address.", []],
  ["escalation.ask-consent", "Whether the conversation may be passed on.", []],
  ["escalation.cancel", "Label of the option that leaves the questions.", []],
  ["escalation.consent-refused", "The reader does not consent: nothing was passed on.", []],
  ["escalation.connecting", "An agent was asked; what is written now reaches them.", []],
  ["escalation.joined", "An agent is there.", []],
  ["escalation.queued", "How many people are ahead in the queue.", ["count"]],
  ["escalation.queued-next", "Nobody is ahead in the queue.", []],
  ["escalation.queue-changed", "More people are ahead than before; the place follows.", []],
  ["escalation.overtaken", "An agent took a later chat first; the place follows.", []],
  ["escalation.wait-longer", "The time that was said is over; the place follows.", []],
  ["escalation.wait-minutes", "About how long it takes.", ["count"]],
  ["escalation.passed-on", "A message was passed on, and nobody has joined yet.", []],
  ["escalation.closed", "The agent has left; the bot is back.", []],
  ["escalation.survey", "Asks how it was; the link follows.", []],
  ["escalation.outside-hours", "Nobody is there at this time.", []],
  ["escalation.no-agents", "Nobody is free.", []],
  ["escalation.unanswered", "An agent was there, and has not answered for long.", []],
  ["escalation.ticket", "A ticket was created; the answer comes by e-mail.", ["ticket"]],
  [
    "escalation.ticket-number",
    "A ticket was created; no answer by e-mail is promised.",
    ["ticket"],
  ],
  ["escalation.ticket-pending", "The ticket could not be created yet; it is tried again.", []],
  ["escalation.unknown", "Nobody can tell whether it got through.", []],
  ["escalation.not-now", "Nobody was reached, and nothing was created.", []],
  ["escalation.not-delivered", "A message did not reach the agent.", []],
  ["escalation.file", "Label of a file that the agent sent.", []],
  ["escalation.transcript-cut", "To the agent: the beginning is in the attached file.", []],
  ["escalation.ticket-title", "Title of a ticket.", []],
  ["escalation.who-reader", "Who wrote a line of the transcript: the reader.", []],
  ["escalation.who-bot", "Who wrote a line of the transcript: the bot.", []],
  ["escalation.who-agent", "Who wrote a line of the transcript: an agent.", []],
] as const;

/** All keys. Any other `escalation.` key in a messages file is a mistake. */
export const OWN_LINES: readonly OwnLine[] = Object.freeze(lines.map(([key]) => key));

/** Returns the situation in which a line is said, as a sentence; null if the key is unknown. */
export function findOwnLineUse(key: string): string | null {
  return byKey.get(key)?.[1] ?? null;
}

/** Lists a line's placeholders besides `query`, `date`, `maxLength` and the conversation's variables. */
export function listOwnLineSlots(key: string): readonly string[] {
  return byKey.get(key)?.[2] ?? [];
}

const byKey: ReadonlyMap<string, (typeof lines)[number]> = new Map(
  lines.map((line) => [line[0], line]),
);
