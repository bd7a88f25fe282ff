import { createInstance, type i18n } from "i18next";
import { pluralForms } from "./plural-categories.ts";
import type { MessageLine, MessagesFile } from "./read-messages.ts";
import type { WrittenPhrase } from "./schema-messages.ts";

/** i18next with the texts of messages files, a namespace each. Used only while files load. */
export interface Phrasebook {
  /** Makes a file's texts known. The result asks for them. */
  open(file: MessagesFile): Pages;
}

/** The texts of one file. */
export interface Pages {
  /**
   * The text behind a resource name for a channel (i18next's context) and a count (its plural
   * forms), or null when there is none; i18next itself would answer with the name. `exact` is false
   * when the text is not one for this channel.
   */
  find(
    name: string,
    context: { readonly channel?: string; readonly count?: number },
  ): { readonly text: string; readonly exact: boolean } | null;
}

// No key, channel or category can hold these, so that a channel named `one` is no plural form.
const CONTEXT = "@";
const PLURAL = "#";

/** i18next looks through a list of all namespaces at each new one; so many of them stay quick. */
const FILES_PER_INSTANCE = 256;

/** An empty phrasebook. */
export function createPhrasebook(): Phrasebook {
  let instance = quietInstance();
  let opened = 0;
  const place = (): Place => {
    if (opened === FILES_PER_INSTANCE) {
      instance = quietInstance();
      opened = 0;
    }
    opened += 1;
    return { instance, ns: String(opened) };
  };
  return {
    // Most files have nothing to choose from and are never asked: they are made known by the first
    // question.
    open(file) {
      let pages: Pages | null = null;
      return { find: (name, context) => (pages ??= open(place(), file)).find(name, context) };
    },
  };
}

/** Where a file's texts are kept. */
interface Place {
  readonly instance: i18n;
  readonly ns: string;
}

/** An own instance: nothing global, no interpolation, no nesting, no guessing between languages. */
function quietInstance(): i18n {
  const instance = createInstance();
  // Without a backend and with initAsync off, init is done when it returns; its promise says
  // nothing more.
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
    contextSeparator: CONTEXT,
    pluralSeparator: PLURAL,
    returnEmptyString: false,
  });
  return instance;
}

function open({ instance, ns }: Place, file: MessagesFile): Pages {
  const resources = Object.fromEntries(
    [...file.lines].flatMap(([key, line]) => [...lineResources(key, line, file.locale)]),
  );
  instance.addResourceBundle(file.locale, ns, resources, false, true, { silent: true });
  return {
    find(name, { channel, count }) {
      const options = {
        lng: file.locale,
        ns,
        ...(channel === undefined ? {} : { context: channel }),
        ...(count === undefined ? {} : { count }),
        skipInterpolation: true,
      } as const;
      if (!instance.exists(name, options)) return null;
      const found = instance.t(name, { ...options, returnDetails: true });
      const exact = channel === undefined || found.exactUsedKey.startsWith(name + CONTEXT);
      return typeof found.res === "string" ? { text: found.res, exact } : null;
    },
  };
}

/** Resource names of a line's parts: `welcome`, `welcome~2` a variant, `welcome/0` a condition. */
export function variantName(name: string, index: number): string {
  return `${name}~${index}`;
}

export function conditionName(key: string, index: number): string {
  return `${key}/${index}`;
}

function* lineResources(
  key: string,
  line: MessageLine,
  locale: string,
): Generator<readonly [string, string]> {
  yield* phraseResources(key, "", line, locale);
  for (const [index, condition] of line.when.entries()) {
    yield* phraseResources(conditionName(key, index), "", condition, locale);
  }
  for (const [channel, written] of Object.entries(line.channels)) {
    yield* phraseResources(key, CONTEXT + channel, written, locale);
  }
}

function* phraseResources(
  name: string,
  suffix: string,
  phrase: WrittenPhrase,
  locale: string,
): Generator<readonly [string, string]> {
  if (phrase.text !== undefined) yield [name + suffix, phrase.text];
  for (const [index, text] of (phrase.variants ?? []).entries()) {
    yield [variantName(name, index) + suffix, text];
  }
  if (phrase.plural === undefined) return;
  // A category that is missing is said as `other`; i18next would take the plain text where there is
  // one.
  const forms = new Map<string, string | undefined>(Object.entries(phrase.plural));
  for (const category of [...pluralForms(locale).samples.keys(), ...forms.keys()]) {
    const text = forms.get(category) ?? phrase.plural.other;
    if (text !== undefined) yield [name + suffix + PLURAL + category, text];
  }
}
