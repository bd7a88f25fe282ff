import type { PluralCategory } from "../locales/types.ts";

/** The plural categories of a language, each with a number that falls into it. */
export interface PluralForms {
  readonly samples: ReadonlyMap<PluralCategory, number>;
  /** Categories that counts (whole numbers below 1,000) can have, and `other`, the stand-in. */
  readonly needed: readonly PluralCategory[];
}

const known = new Map<string, PluralForms>();

/** CLDR's cardinal categories of a locale; a language CLDR does not know has `other` alone. */
export function pluralForms(locale: string): PluralForms {
  let forms = known.get(locale);
  if (forms === undefined) {
    forms = discover(new Intl.PluralRules(locale));
    known.set(locale, forms);
  }
  return forms;
}

/**
 * CLDR's rules look at a number's last two digits and at a few small numbers: these stand for all
 * below 1,000. 0 comes last: for it i18next prefers a `zero` form in languages that have no such
 * category.
 */
const WHOLE = [...Array.from({ length: 129 }, (_, index) => index + 1), 0];
/** French `many` begins at a million; Czech `many` and Russian `other` are for fractions. */
const RARE = [1_000_000, 1.5, 0.5, 10.1];

function discover(rules: Intl.PluralRules): PluralForms {
  const samples = new Map<PluralCategory, number>();
  const collect = (numbers: readonly number[]): void => {
    for (const number of numbers) {
      const category = rules.select(number);
      if (!samples.has(category)) samples.set(category, number);
    }
  };
  collect(WHOLE);
  const needed = new Set<PluralCategory>([...samples.keys(), "other"]);
  collect(RARE);
  return { samples, needed: [...needed] };
}
