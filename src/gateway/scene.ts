import type { Config, InstanceConfig } from "../config/config.ts";
import type { Negotiated, Negotiator } from "../locales/negotiate.ts";
import type { LineContext } from "../locales/types.ts";
import { requestSeed, typedQuestion, type MessageRequest } from "./typed-question.ts";

/**
 * What is known of a conversation when one of its messages is answered. Anything may be missing;
 * nothing is trusted.
 */
export interface SceneContext {
  /** The tag asked for with x-afterword-locale: stronger than the conversation's own. */
  readonly locale?: string | null | undefined;
  /** x-afterword-channel; without it the source decides, then the instance. */
  readonly channel?: string | null | undefined;
  /** Conversation variables in any case; those that the instance does not list are not used. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  readonly session?: string | null | undefined;
  /**
   * Body of the message that is answered: its bytes, or what was read of it. For `{{query}}` and
   * for choosing variants.
   */
  readonly request?: MessageRequest | null | undefined;
  readonly env?: string | null | undefined;
  readonly userType?: string | null | undefined;
  /** x-inbenta-source */
  readonly source?: string | null | undefined;
  /** The language the conversation was started in. */
  readonly lang?: string | null | undefined;
  /** The Accept-Language value; used when the configuration says so. */
  readonly acceptLanguage?: string | null | undefined;
}

/** Where a line is said: the scene, and how its locale was found. */
export interface Setting {
  readonly scene: LineContext;
  readonly negotiated: Negotiated;
}

/** Puts together what lines need to know. Nothing is parsed before a line asks for it. */
export function createSetting(
  context: SceneContext,
  instance: InstanceConfig,
  config: Config,
  negotiate: Negotiator,
  now: () => number,
): Setting {
  const negotiated = negotiate({
    header: context.locale,
    conversation: context.lang,
    instance: instance.language,
    acceptLanguage: config.acceptLanguage ? context.acceptLanguage : null,
  });
  const channel = channelOf(context, instance);
  const request = context.request ?? null;
  let query: string | null | undefined;
  const scene: LineContext = {
    locale: negotiated.locale,
    channel,
    facts: {
      instance: instance.name,
      channel,
      env: context.env ?? null,
      userType: context.userType ?? null,
      source: context.source ?? null,
      lang: context.lang ?? null,
    },
    variables: listedVariables(context.variables, instance.variables),
    query: () => (query === undefined ? (query = typedQuestion(request)) : query),
    seed: () => [context.session ?? "", ...requestSeed(request)],
    now,
  };
  return { scene, negotiated };
}

function channelOf(context: SceneContext, instance: InstanceConfig): string {
  if (typeof context.channel === "string" && context.channel !== "") return context.channel;
  const source = typeof context.source === "string" ? context.source.trim().toLowerCase() : "";
  return own(instance.channels, source) ?? instance.channel;
}

// Sources and channels are said by clients: `constructor` is none of ours.
function own<T>(record: { readonly [name: string]: T }, name: string): T | null {
  return Object.hasOwn(record, name) ? (record[name] ?? null) : null;
}

function listedVariables(
  variables: SceneContext["variables"],
  listed: readonly string[],
): ReadonlyMap<string, string> {
  if (variables === undefined || listed.length === 0) return NO_VARIABLES;
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(variables)) {
    const key = name.toLowerCase();
    if (typeof value === "string" && listed.includes(key)) values.set(key, value);
  }
  return values;
}

const NO_VARIABLES: ReadonlyMap<string, string> = new Map<string, string>();
