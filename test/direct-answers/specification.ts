/**
 * The 16 flags of the specification (seed.md 8.2) in its order, each with the engine's default
 * English text; null where the specification only describes it. The catalogue may have further
 * flags.
 */
export const SPECIFICATION = {
  "all-options-discarded":
    "It seems like none of the options I found are helpful. Please search for another word or phrase.",
  "character-limit-exceeded": null,
  "conversation-error-message": null,
  "end-form": "Your inquiry has been submitted",
  "follow-up-question": "Please tell me how else I can help you.",
  "form-continue": "Do you want to continue with this form?",
  "form-retry": "Would you like to try to fill in this form again?",
  "generic-error-message": "The format of your answer is not valid",
  "multiple-options": "Maybe these answers will help you",
  "no-question": "Please ask me a question",
  "no-results": "Sorry, we could not find any answers to your question.",
  "no-subset-match": "It seems like you want to talk about something else",
  refinement: "Please give me some more information about what you want to know.",
  "webhook-bad-request": "Sorry, we could not complete your request",
  "webhook-wrong-field": "Sorry, we could not complete your request",
  welcome: "Hello, how can I help you?",
} as const;

export type SpecifiedFlag = keyof typeof SPECIFICATION;

export function isSpecified(name: string): name is SpecifiedFlag {
  return Object.hasOwn(SPECIFICATION, name);
}
