import {
  candidatesOf,
  coverageState,
  ENGINE_LINES,
  localesOf,
} from "../../config/check/coverage.ts";
import type {
  Cell,
  KeyFacts,
  LineDetails,
  Preview,
  Reader,
  Texts,
  Wording,
} from "../../api/console.ts";
import type { InstanceConfig } from "../../config/config.ts";
import { FLAG_FACTS } from "../../direct-answers/flags.ts";
import { OWN_LINES, ownLineUse } from "../../locales/own-lines.ts";
import type { Line, Phrase, Template } from "../../locales/types.ts";
import type { Snapshot } from "../core.ts";
import { bodyOf } from "./situations.ts";

/** @param own true: the gateway's own lines too, which it says while it hands over */
export function textsOf(
  { config }: Snapshot,
  instance: InstanceConfig,
  channel: string,
  own: boolean,
): Texts {
  const locales = localesOf(config, instance);
  const keys = own ? [...ENGINE_LINES, ...OWN_LINES] : ENGINE_LINES;
  const cell = (key: string, locale: string): Cell => {
    const candidates = candidatesOf(config, instance, channel, locale, key);
    const state = coverageState(instance, key, locale, candidates);
    const text = candidates.flatMap(wordingsOf).at(0)?.text ?? null;
    const from = state === "inherited" ? candidates[0]?.locale : undefined;
    return { state, text, ...(from !== undefined && { from }) };
  };
  return {
    instance: instance.name,
    channel,
    fallback: config.tableSets[instance.tableSet]?.fallback ?? "en",
    keys: keys.map(factsOf),
    locales,
    cells: Object.fromEntries(
      keys.map((key) => [
        key,
        Object.fromEntries(locales.map((locale) => [locale, cell(key, locale)])),
      ]),
    ),
  };
}

export function lineDetails(
  snapshot: Snapshot,
  instance: InstanceConfig,
  channel: string,
  locale: string,
  key: string,
): LineDetails {
  const candidates = candidatesOf(snapshot.config, instance, channel, locale, key);
  const negotiate = snapshot.rewriter.textsOf(instance)?.negotiate;
  const readers = READERS.flatMap((tag): Reader[] => {
    const found = negotiate?.({ header: tag });
    return found === undefined ? [] : [{ tag, locale: found.locale, reason: found.reason }];
  });
  const preview = (kind: Preview["kind"]): Preview => ({
    kind,
    text: previewOf(snapshot, instance, channel, locale, key, QUESTIONS[kind]),
  });
  return {
    ...factsOf(key),
    instance: instance.name,
    channel,
    locale,
    state: coverageState(instance, key, locale, candidates),
    wordings: candidates.flatMap((line) => wordingsOf(line).map((one) => named(key, one))),
    previews: bodyOf(key) === null ? [] : [preview("typed"), preview("clicked"), preview("long")],
    readers: readers.filter((reader) => reader.locale === locale),
  };
}

/** Tags that readers send, of which no language has a table of its own, or several could speak. */
const READERS =
  "ar-EG ar-MA ast bg br de-AT de-CH en-AU en-GB es-MX fr-CA fr-CH fur ga gsw hr lb nb nds nn no oc pt pt-AO pt-PT qu ro-MD rm scn sk sr sv-FI uk wa wuu yue zh-CN zh-HK zh-TW".split(
    " ",
  );

const QUESTIONS: Readonly<Record<Preview["kind"], Readonly<Record<string, string>>>> = {
  typed: { message: "Do you sell <elephants> & co?" },
  clicked: { message: "Yes", option: "yes" },
  long: { message: "elephants ".repeat(40).trim() },
};

function previewOf(
  { rewriter }: Snapshot,
  instance: InstanceConfig,
  channel: string,
  locale: string,
  key: string,
  request: Readonly<Record<string, string>>,
): string | null {
  const body = bodyOf(key);
  if (body === null) return null;
  const { trace } = rewriter.rewrite(new TextEncoder().encode(body), {
    instance: instance.name,
    locale,
    channel: channel === "" ? null : channel,
    request,
    detail: true,
  });
  const said = trace.steps.find(({ after }) => after !== undefined)?.after;
  return said === undefined ? null : String(JSON.parse(said));
}

function factsOf(key: string): KeyFacts {
  const flag = FLAG_FACTS.find(({ name }) => name === key);
  if (flag !== undefined) return { key, engine: flag.text, use: flag.returnedWhen };
  return { key, engine: null, use: ownLineUse(key) ?? "The title above related contents." };
}

type Unnamed = Omit<Wording, "rule"> & { readonly below: string };

function named(key: string, { below, ...wording }: Unnamed): Wording {
  return { ...wording, rule: `${key}${below}` };
}

/** All texts of a line: what has conditions first, as it is tried first. */
function wordingsOf({ when = [], say, origin, locale }: Line): readonly Unnamed[] {
  const from = { origin, locale };
  return [
    ...(say === undefined ? [] : textsOfPhrase(say).map((text) => ({ ...text, ...from }))),
    ...when.flatMap(({ when: fields, ...phrase }, index) =>
      textsOfPhrase(phrase).map(({ below, ...text }) => ({
        ...text,
        ...from,
        below: `.when[${index}]${below}`,
        when: fields,
      })),
    ),
  ];
}

function textsOfPhrase({ text, variants = [], plural = {} }: Phrase): readonly Written[] {
  return [
    ...(text === undefined ? [] : [written(text, "")]),
    ...variants.map((variant, index) => written(variant, `.variants[${index}]`)),
    ...Object.entries(plural).map(([category, form]) => written(form, `.plural.${category}`)),
  ];
}

type Written = Pick<Unnamed, "text" | "format" | "below">;

function written({ parts, format }: Template, below: string): Written {
  const text = parts.map((part) => (typeof part === "string" ? part : `{{${part.slot}}}`));
  return { text: text.join(""), format, below };
}
