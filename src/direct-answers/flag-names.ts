const names = [
  "all-options-discarded",
  "character-limit-exceeded",
  "conversation-error-message",
  "end-form",
  "follow-up-question",
  "form-continue",
  "form-retry",
  "generic-error-message",
  "multiple-options",
  "no-question",
  "no-results",
  "no-subset-match",
  "refinement",
  "webhook-bad-request",
  "webhook-wrong-field",
  "welcome",
] as const;

/** The name of a direct answer as the engine puts it into `flags`. */
export type Flag = (typeof names)[number];

/** The 16 flag names, in the specification's order. */
export const FLAGS: readonly Flag[] = Object.freeze(names);

/** Earlier names of flags: accepted on the wire and, with a warning, in YAML. */
export const FLAG_ALIASES: readonly (readonly [alias: string, flag: Flag])[] = [
  ["conversation-link", "follow-up-question"],
];
