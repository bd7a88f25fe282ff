import type { Flag } from "../direct-answers/flags.ts";

/** Compiled `escalation`: when and how a conversation leaves the bot. Durations in milliseconds. */
export interface EscalationConfig {
  readonly mode: "off" | "signal" | "managed";
  readonly triggers: TriggerConfig;
  /** `ask`: a polar question first. `direct`: the ladder begins at once. */
  readonly offer: "ask" | "direct";
  /** Time without offers after a no, hand-back or ticket; readers may still ask for a person. */
  readonly coolDown: number;
  /** The most escalations of one conversation, which prevents loops. */
  readonly atMost: number;
  readonly identity: IdentityConfig;
  /** Null if always open. */
  readonly hours: HoursConfig | null;
  /** Tried in this order. If all fail, the reader is told "not now". */
  readonly ladder: readonly HandoffStep[];
  readonly chat: ChatHandOver;
  readonly ticket: TicketHandOver;
}

export type HandoffStep = "agents" | "queue" | "ticket";

/** One member for each kind of trigger. A count of 0 and an empty list mean never. */
export interface TriggerConfig {
  /** Number of consecutive answers without result, by flag or recognized default content. */
  readonly noResults: number;
  /** Number of consecutive answers with a flag of an error. */
  readonly errors: number;
  /** Number of consecutive negative ratings. */
  readonly negativeRatings: number;
  readonly negative: readonly string[];
  /** Direct-answer flags that ask for a person at once. */
  readonly flags: readonly Flag[];
  /** The engine's own `escalate` flag. */
  readonly escalateFlag: boolean;
  /** Values of `attributes.DIRECT_CALL` and `.DYNAMIC_REDIRECT` of an answer or an option. */
  readonly directCalls: readonly string[];
  /** Values of `actions[].parameters.callback`. */
  readonly callbacks: readonly string[];
  /** The reader's own words, by language; Afterword has some for each of its languages. */
  readonly words: boolean;
  /** More such phrases of the owner, by language or `*`. */
  readonly moreWords: { readonly [language: string]: readonly string[] };
  /** The operator's own rules: all given fields must hold. */
  readonly rules: readonly TriggerRule[];
}

export interface TriggerRule {
  readonly name: string;
  /** A member of `flags`. */
  readonly flag?: string | undefined;
  /** Title of the matched intent, trimmed, any letter case. */
  readonly title?: string | undefined;
  /** An attribute of the answer and its value, any letter case. */
  readonly attribute?: { readonly name: string; readonly value: string } | undefined;
  /** Score of the intent below this. */
  readonly scoreBelow?: number | undefined;
  /** The least number of turns of the reader so far. */
  readonly turns?: number | undefined;
  /** Conditions: `channel`, `lang`, `env`, `userType`, `source`, `variables.<name>`. */
  readonly when: { readonly [field: string]: string };
}

export interface IdentityConfig {
  /** The reader is asked for these, in this order, unless they are known. */
  readonly ask: readonly ("name" | "email")[];
  readonly consent: boolean;
  /** Conversation variables with name and e-mail address. */
  readonly variables: { readonly name: string | null; readonly email: string | null };
  /** Claims of the caller's signed token with name, e-mail address and id. */
  readonly claims: { readonly name: string; readonly email: string; readonly id: string };
}

export interface HoursConfig {
  /** IANA zone. */
  readonly zone: string;
  /**
   * Minutes since midnight, end exclusive (1440: day's end; more: on the next day), by the ISO
   * weekday 1 (Monday) to 7 on which the window begins.
   */
  readonly weekly: { readonly [weekday: string]: readonly (readonly [from: number, to: number])[] };
  /** `YYYY-MM-DD`, or `MM-DD` for every year. */
  readonly holidays: readonly string[];
}

export interface ChatHandOver {
  /** The room of each language, or of `*`; null if the instance's room takes every chat. */
  readonly rooms: { readonly [language: string]: string | number } | null;
  readonly source: string | number;
  /** How long an agent is looked for before the next step, in milliseconds. */
  readonly assignTimeout: number;
  /** How long a chat waits in the queue before the next step, in milliseconds. */
  readonly queueTimeout: number;
  /** How often an open chat is looked at while a reader listens. */
  readonly poll: number;
  /** Secret of the webhooks at POST /_afterword/webhooks/chat/<instance>; null if there is none. */
  readonly hookSecret: string | null;
  /** A survey after a chat: its id, or null. */
  readonly survey: string | null;
}

export interface TicketHandOver {
  /** Fields that are copied into every ticket, such as a queue or a category. */
  readonly fields: { readonly [name: string]: string | number | boolean };
  /** Conversation URL in the owner's system, with `{conversation}`; null if tickets have none. */
  readonly link: string | null;
  /** True if the ticket service answers readers by e-mail. */
  readonly email: boolean;
}

/** The settings of an owner who writes nothing under `escalation`: nothing happens. */
export const DEFAULT_ESCALATION: EscalationConfig = {
  mode: "off",
  triggers: {
    noResults: 2,
    errors: 0,
    negativeRatings: 0,
    // Ids of the vendor's samples: 1 is yes, 2 is no (chatbot.md, 3.7).
    negative: ["2"],
    flags: [],
    escalateFlag: true,
    directCalls: ["escalationOffer", "escalationStart"],
    callbacks: ["escalationStart", "escalateToAgent"],
    words: true,
    moreWords: {},
    rules: [],
  },
  offer: "ask",
  coolDown: 600_000,
  atMost: 5,
  identity: {
    ask: ["name", "email"],
    consent: false,
    variables: { name: null, email: null },
    claims: { name: "name", email: "email", id: "sub" },
  },
  hours: null,
  ladder: ["agents", "queue", "ticket"],
  chat: {
    rooms: null,
    source: 3,
    assignTimeout: 60_000,
    queueTimeout: 600_000,
    poll: 1000,
    hookSecret: null,
    survey: null,
  },
  ticket: { fields: {}, link: null, email: false },
};
