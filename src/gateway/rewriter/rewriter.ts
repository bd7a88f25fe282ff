import type { Config, InstanceConfig } from "../../config/config.ts";
import { decide } from "../../direct-answers/decide.ts";
import { needlesOf } from "../../direct-answers/gate.ts";
import type { Gate, InstanceRules, Say, Trace, TraceStep } from "../../direct-answers/types.ts";
import { compileNeedles, mayHold } from "../../json/needles.ts";
import { splice } from "../../json/splice.ts";
import { createLineTable, type LineTable } from "../../locales/lines.ts";
import { createNegotiators, type Negotiated, type Negotiator } from "../../locales/negotiate.ts";
import { isSameLanguage } from "../../locales/relatives.ts";
import { languageOf, parseTag } from "../../locales/tag.ts";
import type { LineContext } from "../../locales/types.ts";
import { createLineContext, type RewriteContext } from "./line-context.ts";

/** Rewrites the direct answers in response bodies of POST /conversation/message. */
export interface Rewriter {
  /**
   * Never throws: after any fault of the body, the context or Afterword's own code it returns the
   * original, and the trace's `gate` has the reason: `unknown-instance` when the context names an
   * instance that the configuration does not have.
   *
   * @param body the response body, decoded from any content coding
   *
   * @example
   * const { body, changed } = createRewriter({ config }).rewrite(bytes, { locale: "fr", channel:
   * "web" });
   */
  rewrite(body: Uint8Array, context?: RewriteContext): Rewritten;
  /** Returns the rewriter of the instance of this name; null when there is none. */
  forInstance(name: string): InstanceRewriter | null;
  /** Returns the rewriter of an instance that is part of this configuration. */
  ofInstance(instance: InstanceConfig): InstanceRewriter | null;
}

export interface RewriterOptions {
  readonly config: Config;
  /** Milliseconds since the epoch, for `{{date}}`. */
  readonly now?: () => number;
}

export interface Rewritten {
  /** The very same array when nothing changed. */
  readonly body: Uint8Array;
  readonly changed: boolean;
  readonly trace: Trace;
}

/** Rewrites for one instance. */
export interface InstanceRewriter {
  readonly instance: InstanceConfig;
  readonly lines: LineTable;
  /** Chooses the language of its lines. */
  readonly negotiate: Negotiator;
  /** False if the body has nothing to edit, so that `rewrite` is not needed. A cheap search. */
  readonly mayEdit: (body: Uint8Array) => boolean;
  /** As {@link Rewriter.rewrite}. Calls `mayEdit` unless `isSearched` says that the caller did. */
  rewrite(body: Uint8Array, context?: RewriteContext): Rewritten;
}

/** Creates a configuration's rewriter. Keep one per snapshot, because it caches what it compiles. */
export function createRewriter({ config, now = Date.now }: RewriterOptions): Rewriter {
  const negotiatorOf = memoize(createNegotiators());
  const linesOf = memoize(createLineTable);
  const gateOf = createGates();
  const ofInstance = memoize(createInstanceRewriter);

  return {
    ofInstance,
    forInstance,
    rewrite(body, context = {}) {
      try {
        const name = context.instance ?? defaultName(config);
        const rewriter = forInstance(name);
        if (rewriter !== null) return rewriter.rewrite(body, context);
        const unknown = name !== "" && instanceByName(config, name) === null;
        return leaveUntouched(body, unknown ? "unknown-instance" : "error", name);
      } catch {
        return leaveUntouched(body, "error", "");
      }
    },
  };

  function forInstance(name: string): InstanceRewriter | null {
    const instance = instanceByName(config, name);
    return instance === null ? null : ofInstance(instance);
  }

  function createInstanceRewriter(instance: InstanceConfig): InstanceRewriter | null {
    const set = config.tableSets[instance.tableSet];
    if (set === undefined) return null;
    const rewriter: InstanceRewriter = {
      instance,
      lines: linesOf(set),
      negotiate: negotiatorOf(set),
      mayEdit: gateOf(instance.rules),
      rewrite(body, context = {}) {
        try {
          // Untyped callers pass anything. `instanceof` would refuse the arrays of another realm.
          if (ArrayBuffer.isView(body) && body.BYTES_PER_ELEMENT === 1) {
            return rewriteBody(body, context, rewriter);
          }
        } catch {
          // This is a bug in Afterword. The reader gets the original.
        }
        return leaveUntouched(body, "error", instance.name);
      },
    };
    return rewriter;
  }

  function rewriteBody(
    body: Uint8Array,
    context: RewriteContext,
    { instance, lines, negotiate, mayEdit }: InstanceRewriter,
  ): Rewritten {
    const { line, negotiated } = createLineContext(context, instance, config, negotiate, now);
    const keepOriginal = (gate: Gate | null, steps: readonly TraceStep[]): Rewritten => ({
      body,
      changed: false,
      trace: traceOf(gate, steps, line, negotiated, context),
    });
    if (body.length > config.limits.transformBytes) return keepOriginal("size", []);
    const detail = context.detail === true;
    if (!detail && context.isSearched !== true && !mayEdit(body)) return keepOriginal("bytes", []);
    const say: Say = (key, count) => lines.render(key, line, count);
    const { gate, edits, steps } = decide(body, instance.rules, say, detail);
    if (edits.length === 0) return keepOriginal(gate, steps);
    const trace = traceOf(gate, steps, line, negotiated, context);
    return { body: splice(body, edits), changed: true, trace };
  }
}

/** Instances with equal rules share a gate, because there may be thousands of instances. */
function createGates(): (rules: InstanceRules) => InstanceRewriter["mayEdit"] {
  const gates = new Map<string, InstanceRewriter["mayEdit"]>();
  return memoize((rules) => {
    const spec = needlesOf(rules);
    const key = JSON.stringify(spec);
    const known = gates.get(key);
    if (known !== undefined) return known;
    const needles = compileNeedles(spec);
    const gate = (body: Uint8Array): boolean => mayHold(body, needles);
    gates.set(key, gate);
    return gate;
  });
}

/** Returns the original with the reason, and a trace without steps. */
function leaveUntouched(body: Uint8Array, gate: Gate, instance: string): Rewritten {
  const trace = { gate, locale: "", localeReason: "", instance, channel: "", steps: [] };
  return { body, changed: false, trace };
}

function traceOf(
  gate: Gate | null,
  steps: readonly TraceStep[],
  { facts, channel }: LineContext,
  { locale, source, reason }: Negotiated,
  asked: RewriteContext,
): Trace {
  // The source that named the language, and how a table was found for it: `conversation exact`.
  const localeReason = source === "none" ? reason : `${source} ${reason}`;
  const unserved = findUnserved(locale, source, asked);
  const trace = { gate, locale, localeReason, instance: facts.instance ?? "", channel, steps };
  return unserved === null ? trace : { ...trace, unserved };
}

/** Returns the language that was asked for, if the texts are in another one; else null. */
function findUnserved(
  locale: string,
  source: Negotiated["source"],
  { locale: header, lang }: RewriteContext,
): string | null {
  // This saves parsing: most conversations name a language that has texts.
  if (source === "header" || (source === "conversation" && !header)) {
    const named = source === "header" ? header : lang;
    if (!named || named === locale || languageOf(named) === languageOf(locale)) return null;
  }
  const tag = parseTag(header || lang || "");
  if (tag === null) return null;
  const { language } = tag.likely;
  return isSameLanguage(language, languageOf(locale)) ? null : language;
}

/** The instance of that name, or null. */
export function instanceByName(config: Config, name: string): InstanceConfig | null {
  return indexOf(config).get(name) ?? null;
}

const indexOf = memoize((config: Config): ReadonlyMap<string, InstanceConfig> => {
  const byName = new Map<string, InstanceConfig>();
  for (const instance of config.instances) {
    if (!byName.has(instance.name)) byName.set(instance.name, instance);
  }
  return byName;
});

const defaultName = memoize((config: Config): string => {
  const all = config.instances.find(({ match }) => Object.keys(match).length === 0);
  return (all ?? config.instances[0])?.name ?? "";
});

function memoize<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<K, V>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}
