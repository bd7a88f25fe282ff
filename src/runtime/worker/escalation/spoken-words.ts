import type { PersonWords } from "../../../escalation/person-words/types.ts";
import type { PolarPhrases } from "../../../locales/polar-phrases.ts";
import { spokenForm } from "../../../locales/spoken-form.ts";

/**
 * Words as they are compared, each once: what accents, punctuation and second spellings weigh stays behind. To whoever reads
 * them they are the same, because that form's own form is itself. For the build.
 *
 * @param language primary subtag, lower case
 */
export function spokenPerson(words: PersonWords, language: string): PersonWords {
  const spoken = (phrases: string): string =>
    listed(phrases, (phrase) => {
      const bare = spokenForm(phrase.replace("~", person), language).replace(person, "~");
      return bare !== "" && phrase.endsWith(rest) ? bare + rest : bare;
    });
  return {
    ...words,
    person: spoken(words.person),
    ask: spoken(words.ask),
    alone: spoken(words.alone),
    before: spoken(words.before),
    after: spoken(words.after),
  };
}

/** The same of yes, no and cancel. */
export function spokenPolar({ yes, no, cancel }: PolarPhrases, language: string): PolarPhrases {
  const spoken = (phrases: string): string =>
    listed(phrases, (phrase) => spokenForm(phrase, language));
  return { yes: spoken(yes), no: spoken(no), cancel: spoken(cancel) };
}

function listed(phrases: string, form: (phrase: string) => string): string {
  return [...new Set(phrases.split("|").map(form))].join("|");
}

/** A letter that no language of ours has, in the place of the sign for a person. */
const person = "\ua66e";
const rest = "…";
