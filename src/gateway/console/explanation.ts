import { memberOf } from "../../api/call/read.ts";
import { parseJson } from "../../json/values.ts";
import type { Explained, ExplainedText, OwnText } from "../../api/console.ts";
import type { ListedExchange } from "../../api/console-health.ts";
import { formatOf } from "../../locales/formats.ts";
import type { Trace, TraceStep } from "../../direct-answers/types.ts";
import { textOfJson } from "../message/message.ts";
import type { RecentExchange } from "../exchange/accounting.ts";
import type { Core } from "../core.ts";
import type { Snapshot } from "../exchange/request.ts";
import type { RewriteContext } from "../rewriter/line-context.ts";

/** Explains how a body would be rewritten. `written` are the owner's texts with their positions. */
export function explainBody(
  { rewriter, config }: Snapshot,
  body: string,
  written: readonly OwnText[],
  context: RewriteContext,
): Explained {
  const bytes = new TextEncoder().encode(body);
  const { changed, body: after, trace } = rewriter.rewrite(bytes, { ...context, detail: true });
  const { locale, localeReason, instance, channel, gate } = trace;
  const messageAt = messagesOf(body);
  const formats = config.instances.find(({ name }) => name === instance)?.formats ?? {};
  return {
    changed,
    bytes: { before: bytes.length, after: after.length },
    locale,
    localeReason,
    instance,
    channel,
    format: formatOf(formats, channel),
    gate,
    // `message` and `messageList` of one answer are one text.
    places: trace.steps
      .filter(({ twin }) => twin !== true)
      .map((step) => explainStep(step, written, messageAt)),
    body: new TextDecoder().decode(after),
    trace,
  };
}

function explainStep(
  { at, flag, reason, source, before, after, unexpected }: TraceStep,
  written: readonly OwnText[],
  messageAt: (at: string) => string | null,
): ExplainedText {
  const own = source?.origin === "own" ? source : null;
  const ownText = written.find(({ locale, key }) => {
    return locale === own?.locale && key === own.rule.replace(/[.[].*$/s, "");
  });
  const engine = before === undefined ? messageAt(at) : textOfJson(before);
  return {
    at,
    flag,
    reason,
    ...(source !== undefined && { source }),
    ...(ownText !== undefined && { written: { file: ownText.file, line: ownText.line } }),
    engine,
    reader: after === undefined ? engine : textOfJson(after),
    unexpected: unexpected === true,
  };
}

/** Reads an answer's text by its pointer, for steps without one; null for any other pointer. */
function messagesOf(body: string): (at: string) => string | null {
  let answers: readonly { readonly message?: unknown }[] | null = null;
  return (at) => {
    const index = /^\/answers\/(\d+)$/.exec(at)?.[1];
    if (index === undefined) return null;
    answers ??= answersIn(body);
    const message = answers[Number(index)]?.message;
    return typeof message === "string" ? message : null;
  };
}

function answersIn(body: string): readonly { readonly message?: unknown }[] {
  const { answers }: { readonly answers: readonly { readonly message?: unknown }[] } = JSON.parse(
    body.trim(),
  );
  return answers;
}

/** The most answers that are explained, because that happens in this thread and delays requests. */
const maxAnswers = 500;
export const tooManyAnswers = `An answer with more than ${maxAnswers} parts is not explained.`;

export function hasTooManyAnswers(body: string): boolean {
  const answers = memberOf(parseJson(body), "answers");
  return Array.isArray(answers) && answers.length > maxAnswers;
}

/** Counts the flags that came although default content should hide them, the most frequent first. */
export function countUnexpectedFlags(
  exchanges: readonly RecentExchange[],
): readonly { readonly flag: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const { decided } of exchanges) {
    if (typeof decided === "string" || decided === null) continue;
    for (const { flag, unexpected, twin } of decided.steps) {
      if (flag === null || unexpected !== true || twin === true) continue;
      counts.set(flag, (counts.get(flag) ?? 0) + 1);
    }
  }
  return Array.from(counts, ([flag, count]) => ({ flag, count })).toSorted(
    (one, other) => other.count - one.count,
  );
}

/** @param instance limits the list to this instance and to exchanges without one; null for all */
export function listExchanges(
  { platform, recent }: Pick<Core, "platform" | "recent">,
  instance: string | null,
): readonly ListedExchange[] {
  const [now, clock] = [platform.now(), platform.clock()];
  const isListed = (name: string | null): boolean =>
    instance === null || name === null || name === instance;
  const exchanges = recent.read().filter((one) => isListed(one.instance));
  return exchanges.map((exchange) => {
    const { method, route, status, instance, started, ended, upstreamTime, decided } = exchange;
    const trace = typeof decided === "string" ? null : decided;
    const step = findDecisive(trace);
    return {
      at: new Date(now - (clock - started)).toISOString(),
      method,
      route: PATTERNS.get(route) ?? route,
      status,
      instance,
      locale: trace?.locale ?? null,
      flag: step?.flag ?? null,
      outcome: outcomeOf(exchange, trace, step),
      milliseconds: roundMilliseconds(ended - started),
      upstream: upstreamTime === null ? null : roundMilliseconds(upstreamTime),
      trace,
    };
  });
}

function outcomeOf(
  { decided, route, instance }: RecentExchange,
  trace: Trace | null,
  step: TraceStep | undefined,
): string | null {
  if (typeof decided === "string") return decided;
  if (trace !== null) return trace.gate ?? step?.reason ?? "bytes";
  return route === "message" && instance === null ? "no-instance" : null;
}

/** Finds the step to show for a trace: the first that was rewritten, or else the first. */
function findDecisive(trace: Trace | null): TraceStep | undefined {
  const steps = trace?.steps ?? [];
  return steps.find(({ reason }) => reason === "rewritten") ?? steps[0];
}

function roundMilliseconds(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}

/** The addresses of the routes that the gateway names in its log. */
const PATTERNS: ReadonlyMap<string, string> = new Map([
  ["message", "/conversation/message"],
  ["start", "/conversation"],
  ["history", "/conversation/history"],
  ["variables", "/conversation/variables"],
  ["auth", "/v1/auth"],
  ["refresh", "/v1/refreshToken"],
  ["apis", "/v1/apis"],
  ["chatbot", "/chatbot/…"],
  ["knowledge", "/knowledge/…"],
  ["ticketing", "/ticketing/…"],
  ["chat", "/chat/…"],
  ["home", "/"],
]);
