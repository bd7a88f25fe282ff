import {
  candidatesOf,
  findCoverageState,
  ENGINE_LINES,
  localesOf,
} from "../../config/check/coverage.ts";
import type {
  Cell,
  KeyFacts,
  LineDetails,
  Preview,
  Reader,
  Review,
  Texts,
  Wording,
} from "../../api/console.ts";
import type { Config, InstanceConfig } from "../../config/config.ts";
import type { Bot } from "../../api/console-session.ts";
import { FLAG_FACTS } from "../../direct-answers/flags.ts";
import { OWN_LINES, listOwnLineSlots, findOwnLineUse } from "../../locales/own-lines.ts";
import { PLACEHOLDERS } from "../../locales/slots.ts";
import type { Line, Phrase, Template } from "../../locales/types.ts";
import type { Core } from "../core.ts";
import type { Snapshot } from "../exchange/request.ts";
import type { ReviewedText, StoredReview } from "./files.ts";
import { bodyOf } from "./situations.ts";

/** Describes an instance for the choices of the page; its channels are those with texts or rules of their own. */
export function describeBot(config: Config, instance: InstanceConfig): Bot {
  const { name, language, variables, channel, channels, formats } = instance;
  const named = [channel, ...Object.values(channels), ...Object.keys(formats)];
  return {
    name,
    language,
    locales: localesOf(config, instance),
    channels: [...new Set(named)].filter((one) => one !== "").toSorted(),
    variables,
  };
}

/** @param own true: also the gateway's own lines, for handing over */
export function textsOf(
  { config }: Snapshot,
  instance: InstanceConfig,
  channel: string,
  own: boolean,
): Texts {
  const locales = localesOf(config, instance);
  const keys = own ? [...ENGINE_LINES, ...OWN_LINES] : ENGINE_LINES;
  const createCell = (key: string, locale: string): Cell => {
    const candidates = candidatesOf(config, instance, channel, locale, key);
    const state = findCoverageState(instance, key, locale, candidates);
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
        Object.fromEntries(locales.map((locale) => [locale, createCell(key, locale)])),
      ]),
    ),
  };
}

export function createLineDetails(
  snapshot: Snapshot,
  instance: InstanceConfig,
  channel: string,
  locale: string,
  key: string,
): Omit<LineDetails, "hash"> {
  const candidates = candidatesOf(snapshot.config, instance, channel, locale, key);
  const negotiate = snapshot.rewriter.ofInstance(instance)?.negotiate;
  const readers = READERS.flatMap((tag): Reader[] => {
    const found = negotiate?.({ header: tag });
    return found === undefined ? [] : [{ tag, locale: found.locale, reason: found.reason }];
  });
  const plain = findPlainChannel(instance);
  const preview = (kind: Preview["kind"]): Preview => ({
    kind,
    text: previewOf(
      snapshot,
      instance,
      kind === "plain" ? plain : channel,
      locale,
      key,
      QUESTIONS[kind],
    ),
  });
  const previews: readonly Preview["kind"][] =
    bodyOf(key) === null
      ? []
      : ["typed", "clicked", "long", ...(plain === "" ? [] : ["plain" as const])];
  return {
    ...factsOf(key),
    instance: instance.name,
    channel,
    locale,
    state: findCoverageState(instance, key, locale, candidates),
    placeholders: [...PLACEHOLDERS, ...listOwnLineSlots(key), ...instance.variables],
    wordings: candidates.flatMap((line) => wordingsOf(line).map((one) => nameWording(key, one))),
    previews: previews.map(preview),
    readers: readers.filter((reader) => reader.locale === locale),
  };
}

/** Tags that readers send and that have no table of their own, or match several. */
const READERS =
  "ar-EG ar-MA ast bg br de-AT de-CH en-AU en-GB es-MX fr-CA fr-CH fur ga gsw hr lb nb nds nn no oc pt pt-AO pt-PT qu ro-MD rm scn sk sr sv-FI uk wa wuu yue zh-CN zh-HK zh-TW".split(
    " ",
  );

/** The first channel with texts without markup, or an empty text. */
function findPlainChannel({ formats }: InstanceConfig): string {
  return Object.keys(formats).find((name) => name !== "" && formats[name] === "text") ?? "";
}

const QUESTIONS: Readonly<Record<Preview["kind"], Readonly<Record<string, string>>>> = {
  typed: { message: "Do you sell <elephants> & co?" },
  clicked: { message: "Yes", option: "yes" },
  long: { message: "elephants ".repeat(40).trim() },
  plain: { message: "Do you sell <elephants> & co?" },
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
  const text = trace.steps.find(({ after }) => after !== undefined)?.after;
  return text === undefined ? null : String(JSON.parse(text));
}

function factsOf(key: string): KeyFacts {
  const flag = FLAG_FACTS.find(({ name }) => name === key);
  if (flag !== undefined) return { key, engine: flag.text, use: flag.returnedWhen };
  return { key, engine: null, use: findOwnLineUse(key) ?? "The title above related contents." };
}

/** Finds the texts that a language itself has in an instance, in every channel; null for none. */
function spokenOf(
  { tableSets }: Config,
  { tableSet }: InstanceConfig,
  locale: string,
  key: string,
): string | null {
  const channels = tableSets[tableSet]?.channels ?? {};
  const names = Object.keys(channels).toSorted();
  const spoken = names.flatMap((channel) => {
    const lines = (channels[channel]?.[locale]?.lines[key] ?? []).filter(
      (line) => line.locale === locale,
    );
    // A line with a text for everybody hides all lines after it.
    const last = lines.findIndex(({ say }) => say !== undefined);
    const reachable = lines.slice(0, last === -1 ? undefined : last + 1);
    return reachable.length === 0
      ? []
      : [[channel, ...reachable.map(({ when, say }) => ({ when, say }))]];
  });
  return spoken.length === 0 ? null : JSON.stringify(spoken);
}

/** Reads the texts of a line for a review; null if there are none. */
export async function readReviewable(
  { platform }: Core,
  { config }: Snapshot,
  instance: InstanceConfig,
  locale: string,
  key: string,
): Promise<ReviewedText | null> {
  const from = config.tableSets[instance.tableSet]?.fallback ?? "en";
  const spoken = spokenOf(config, instance, locale, key);
  if (spoken === null) return null;
  const source = await platform.digest(spokenOf(config, instance, from, key) ?? "");
  return { locale, key, text: await platform.digest(spoken), from, source };
}

/** Lists the reviews that still hold for the present texts of an instance. */
export async function reviewsOf(
  core: Core,
  snapshot: Snapshot,
  instance: InstanceConfig,
  stored: readonly StoredReview[],
): Promise<readonly Review[]> {
  const found = stored.map(async (review): Promise<Review[]> => {
    const { locale, key, label: by, at } = review;
    const now = await readReviewable(core, snapshot, instance, locale, key);
    if (now?.text !== review.text || now.from !== review.from) return [];
    const sourceChanged = locale !== now.from && now.source !== review.source;
    return [{ key, locale, by, at: new Date(at).toISOString(), sourceChanged }];
  });
  return (await Promise.all(found)).flat();
}

type Unnamed = Omit<Wording, "rule"> & { readonly below: string };

function nameWording(key: string, { below, ...wording }: Unnamed): Wording {
  return { ...wording, rule: `${key}${below}` };
}

/** All texts of a line: those without conditions first. */
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
    ...(text === undefined ? [] : [writeTemplate(text, "")]),
    ...variants.map((variant, index) => writeTemplate(variant, `.variants[${index}]`)),
    ...Object.entries(plural).map(([category, form]) => writeTemplate(form, `.plural.${category}`)),
  ];
}

type Written = Pick<Unnamed, "text" | "format" | "below">;

function writeTemplate({ parts, format }: Template, below: string): Written {
  const text = parts.map((part) => (typeof part === "string" ? part : `{{${part.slot}}}`));
  return { text: text.join(""), format, below };
}
