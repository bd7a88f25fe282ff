import type { EscalationConfig } from "./escalation-config.ts";

/** What holds for an owner who writes nothing under `escalation`: nothing happens. */
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
  ticket: { fields: {}, link: null },
};
