import { GERMANIC } from "./person-words/germanic.ts";
import { ROMANCE } from "./person-words/romance.ts";
import { SLAVIC } from "./person-words/slavic.ts";
import { URALIC_AND_BASQUE } from "./person-words/uralic-and-basque.ts";
import { EASTERN_MEDITERRANEAN } from "./person-words/eastern-mediterranean.ts";
import { EAST_ASIAN } from "./person-words/east-asian.ts";
import { SOUTHEAST_ASIAN } from "./person-words/southeast-asian.ts";
import type { PersonWords } from "./person-words/types.ts";

/** How readers ask for a person, by primary language subtag, lower case. */
export const PERSON_WORDS: ReadonlyMap<string, PersonWords> = new Map(
  Object.entries({
    ...GERMANIC,
    ...ROMANCE,
    ...SOUTHEAST_ASIAN,
    ...EAST_ASIAN,
    ...EASTERN_MEDITERRANEAN,
    ...URALIC_AND_BASQUE,
    ...SLAVIC,
  }),
);
