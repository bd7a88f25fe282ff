import { createInstance, type i18n } from "i18next";
import type { PluralCategory } from "../../locales/types.ts";
import type { WrittenPhrase } from "../schema/messages.ts";

/** The plural categories of a language, each with a number that falls into it. */
export interface PluralForms {
  readonly samples: ReadonlyMap<PluralCategory, number>;
  /** Categories that a count (a whole number below 1,000) can have, and `other`, the default. */
  readonly needed: readonly PluralCategory[];
}

const known = new Map<string, PluralForms>();

/** CLDR's cardinal categories of a locale; a language CLDR does not know has `other` alone. */
export function readPluralForms(locale: string): PluralForms {
  let forms = known.get(locale);
  if (forms === undefined) {
    forms = findCategories(new Intl.PluralRules(locale));
    known.set(locale, forms);
  }
  return forms;
}

/**
 * Numbers that cover all below 1,000, since CLDR's rules look at the last two digits and at a few
 * small numbers. 0 comes last, because i18next prefers a `zero` form for it even in languages
 * without that category.
 */
const WHOLE = [...Array.from({ length: 129 }, (_, index) => index + 1), 0];
/** French `many` begins at a million; Czech `many` and Russian `other` are for fractions. */
const RARE = [1_000_000, 1.5, 0.5, 10.1];

function findCategories(rules: Intl.PluralRules): PluralForms {
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

/**
 * Compiles a text for each plural category of a language. A missing category gets the text of
 * `other`. i18next chooses the forms while files load, never later.
 */
export function compilePluralTexts(
  locale: string,
  written: NonNullable<WrittenPhrase["plural"]>,
): ReadonlyMap<PluralCategory, string> {
  const { samples } = readPluralForms(locale);
  const forms = new Map<string, string | undefined>(Object.entries(written));
  const names = [...samples.keys(), ...forms.keys()];
  const resources = Object.fromEntries(
    names.map((name) => [`line#${name}`, forms.get(name) ?? written.other]),
  );
  loader ??= createQuietInstance();
  loader.removeResourceBundle(locale, "texts");
  loader.addResourceBundle(locale, "texts", resources, false, true, { silent: true });
  const texts = new Map<PluralCategory, string>();
  for (const [category, count] of samples) {
    const options = { lng: locale, ns: "texts", count, skipInterpolation: true } as const;
    // i18next would return the name of a key that has no text.
    if (loader.exists("line", options)) texts.set(category, loader.t("line", options));
  }
  return texts;
}

// Created on first use, because few files have plural forms.
let loader: i18n | null = null;

/** Creates an instance of its own, without interpolation, nesting or fallback between languages. */
function createQuietInstance(): i18n {
  const instance = createInstance();
  // Without a backend and with initAsync off, init is synchronous.
  void instance.init({
    lng: "en",
    fallbackLng: false,
    load: "currentOnly",
    cleanCode: false,
    resources: {},
    ns: [],
    initAsync: false,
    keySeparator: false,
    nsSeparator: false,
    pluralSeparator: "#",
    returnEmptyString: false,
  });
  return instance;
}
