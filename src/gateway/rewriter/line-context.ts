import type { Config, InstanceConfig } from "../../config/config.ts";
import type { Negotiated, Negotiator } from "../../locales/negotiate.ts";
import type { LineContext } from "../../locales/types.ts";
import { createFieldReader } from "./request-text.ts";

/** The facts of a message besides its response body. Any may be missing, and none is trusted. */
export interface RewriteContext {
  /** An instance's name; default: the one that matches everything, else the first. */
  readonly instance?: string | null | undefined;
  /** Adds `before` and `after` to the trace, and a step for answers without anything to edit. */
  readonly detail?: boolean | undefined;
  /** True after `mayEdit` returned true, so that the body is not searched twice. */
  readonly isSearched?: boolean | undefined;
  /** The tag in x-afterword-locale, which takes precedence over the conversation's own. */
  readonly locale?: string | null | undefined;
  /** x-afterword-channel; without it the source decides, then the instance. */
  readonly channel?: string | null | undefined;
  /** Conversation variables in any case; those that the instance does not list are not used. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  readonly session?: string | null | undefined;
  /** The answered message's body, bytes or parsed: for `{{query}}` and choosing variants. */
  readonly request?: MessageRequest | null | undefined;
  readonly env?: string | null | undefined;
  readonly userType?: string | null | undefined;
  /** x-inbenta-source */
  readonly source?: string | null | undefined;
  /** The language the conversation was started in. */
  readonly lang?: string | null | undefined;
  /** Accept-Language, used only if the configuration turns it on. */
  readonly acceptLanguage?: string | null | undefined;
}

/** Collects the facts that lines need. The question is not parsed before a line asks for it. */
export function createLineContext(
  context: RewriteContext,
  instance: InstanceConfig,
  config: Config,
  negotiate: Negotiator,
  now: () => number,
): { readonly line: LineContext; readonly negotiated: Negotiated } {
  const negotiated = negotiate({
    header: context.locale,
    conversation: context.lang,
    instance: instance.language,
    acceptLanguage: config.acceptLanguage ? context.acceptLanguage : null,
  });
  const channel = channelOf(context, instance);
  const request = context.request ?? null;
  let query: string | null | undefined;
  const line: LineContext = {
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
    variables: readListedVariables(context.variables, instance.variables),
    query: () => (query === undefined ? (query = readTypedQuestion(request)) : query),
    seed: () => [context.session ?? "", ...requestSeed(request)],
    now,
  };
  return { line, negotiated };
}

/** The body of POST /conversation/message: its bytes, or the members that were already parsed. */
type MessageRequest =
  | Uint8Array
  | { readonly message?: unknown; readonly option?: unknown; readonly directCall?: unknown };

/**
 * Reads the text that the reader typed, or null. The request's `message` counts only when neither
 * `option` nor `directCall` has a value: clients send a message along with a clicked option, and
 * then it is not what was asked. Any doubt gives null.
 */
export function readTypedQuestion(request: MessageRequest | null): string | null {
  if (request === null) return null;
  const { message, option, directCall } =
    request instanceof Uint8Array ? Object.fromEntries(readFields(request)) : request;
  if (hasValue(option) || hasValue(directCall)) return null;
  return typeof message === "string" && message.trim() !== "" ? message : null;
}

/** Reads whether the reader clicked an option, and the text that the reader typed otherwise. */
export function readChoiceAndText(request: Uint8Array): {
  readonly isOption: boolean;
  readonly typed: string | null;
} {
  const fields = Object.fromEntries(readFields(request));
  return { isOption: hasValue(fields["option"]), typed: readTypedQuestion(fields) };
}

/** Bytes and texts that are the same when a client sends the same message again. */
function requestSeed(request: MessageRequest | null): readonly (string | Uint8Array)[] {
  if (request === null) return [];
  if (request instanceof Uint8Array) return [request];
  return [request.message, request.option, request.directCall].map((value) =>
    typeof value === "string" || typeof value === "number" ? String(value) : "",
  );
}

const readFields = createFieldReader(["message", "option", "directCall"]);

// `false` and 0 are values: a client that sends them clicked something.
function hasValue(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

function channelOf(context: RewriteContext, instance: InstanceConfig): string {
  if (typeof context.channel === "string" && context.channel !== "") return context.channel;
  const source = typeof context.source === "string" ? context.source.trim().toLowerCase() : "";
  // A client may send any source, such as `constructor`.
  const mapped = Object.hasOwn(instance.channels, source) ? instance.channels[source] : undefined;
  return mapped ?? instance.channel;
}

function readListedVariables(
  variables: RewriteContext["variables"],
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
