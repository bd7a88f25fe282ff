/**
 * How a reader of a language asks for a person. Phrases are separated by `|`; letter case, accents
 * and punctuation do not matter, so that they are written as dictionaries do. A text asks for a
 * person when one of its clauses is, from its beginning to its end, some of `before`, one of `ask`,
 * some of `after`: what stands within other words is no wish ("travel agent prices", "agente de
 * aduanas"), and neither is one that is denied ("I don't want to talk to a human").
 *
 * To add a language, write these five and the sentences of its readers into
 * test/escalation/person-sentences.
 */
export interface PersonWords {
  /** Who is asked for, in every form that the phrases of `ask` need. */
  readonly person: string;
  /** What asks; `~` stands for one of `person`. A phrase without it asks by itself. */
  readonly ask: string;
  /** What asks only when the whole text is nothing else, but for `before` and `after`. */
  readonly alone: string;
  /**
   * What may stand before, several of them: greetings, "please", "I want to", "how can I". Never a
   * word that denies what follows, as `no` does in Spanish.
   */
  readonly before: string;
  /** What may stand behind, several of them. With `…` at its end anything may follow: "about…". */
  readonly after: string;
  /** True where readers leave out the spaces between words, or write none. */
  readonly joined?: true;
}
