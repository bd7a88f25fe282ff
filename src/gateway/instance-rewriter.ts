import type { Config, InstanceConfig } from "../config/config.ts";
import { decide } from "../direct-answers/decide.ts";
import type { OpensGate } from "../direct-answers/gate.ts";
import type { Gate, InstanceRules, Trace, TraceStep } from "../direct-answers/types.ts";
import { splice } from "../json/splice.ts";
import type { Negotiator } from "../locales/negotiate.ts";
import type { Speaker, Speakers } from "../locales/speaker.ts";
import { createSetting, type SceneContext, type Setting } from "./scene.ts";

/** What is known of a message besides its response body; anything may be missing. */
export interface RewriteContext extends SceneContext {
  /**
   * Name of an instance; without it the instance that matches everything speaks, else the first.
   */
  readonly instance?: string | null | undefined;
  /**
   * Adds `before` and `after` to the trace, and a step for every answer even when nothing in the
   * body can be edited.
   */
  readonly detail?: boolean | undefined;
  /** True when `mayEdit` has been asked already, so that the body isn't searched twice. */
  readonly opened?: boolean | undefined;
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
  /**
   * False: nothing in these bytes can be edited, and `rewrite` need not be called. Only searches,
   * so it is cheap.
   */
  mayEdit(body: Uint8Array): boolean;
  /**
   * As {@link Rewriter.rewrite}. Looks for itself whether anything can be edited, unless told that
   * it can.
   */
  rewrite(body: Uint8Array, context?: RewriteContext): Rewritten;
}

/** Who speaks for an instance. */
export interface Voice {
  readonly speaker: Speaker;
  readonly negotiate: Negotiator;
}

/** What instances with equal rules have in common. */
export interface SharedParts {
  readonly config: Config;
  readonly rules: InstanceRules;
  readonly speakers: Speakers;
  readonly mayEdit: OpensGate;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly allocate: ((length: number) => Uint8Array) | undefined;
}

/**
 * Makes rewriters for instances whose parts are the same. Of ten thousand instances each is rarely
 * in the processor's caches, so that an instance adds no more than its own settings to what a
 * message has to touch.
 */
export function shareRewriter(
  parts: SharedParts,
): (instance: InstanceConfig, negotiate: Negotiator) => InstanceRewriter {
  const { config, rules, speakers, mayEdit } = parts;

  const rewriteIn = (
    body: Uint8Array,
    context: RewriteContext,
    setting: Setting,
    tableSet: number,
  ): Rewritten => {
    const traced = (gate: Gate | null, steps: readonly TraceStep[]): Trace =>
      traceOf(gate, steps, setting);
    if (body.length > config.limits.transformBytes) return kept(body, traced("size", []));
    const detail = context.detail === true;
    if (!detail && context.opened !== true && !mayEdit(body))
      return kept(body, traced("bytes", []));
    const { scene } = setting;
    const { gate, edits, steps } = decide(
      body,
      rules,
      (key, count) => speakers.say(tableSet, key, scene, count),
      detail,
    );
    if (edits.length === 0) return kept(body, traced(gate, steps));
    return { body: splice(body, edits, parts.allocate), changed: true, trace: traced(gate, steps) };
  };

  const rewriteFor = (
    instance: InstanceConfig,
    negotiate: Negotiator,
    body: Uint8Array,
    context: RewriteContext,
  ): Rewritten => {
    try {
      if (!isBytes(body)) return untouched(body, "error", instance.name);
      const setting = createSetting(context, instance, config, negotiate, parts.now);
      return rewriteIn(body, context, setting, instance.tableSet);
    } catch {
      return untouched(body, "error", instance.name);
    }
  };

  return (instance, negotiate) => ({
    instance,
    mayEdit,
    rewrite: (body, context = {}) => rewriteFor(instance, negotiate, body, context),
  });
}

// Callers without types hand in anything. By view, not by class: a test runner's realm has a
// Uint8Array of its own.
function isBytes(body: Uint8Array): boolean {
  return ArrayBuffer.isView(body) && body.BYTES_PER_ELEMENT === 1;
}

/** The original, and why, when nothing more is known. */
export function untouched(body: Uint8Array, gate: Gate, instance: string): Rewritten {
  return kept(body, { gate, locale: "", localeReason: "", instance, channel: "", steps: [] });
}

function kept(body: Uint8Array, trace: Trace): Rewritten {
  return { body, changed: false, trace };
}

function traceOf(
  gate: Gate | null,
  steps: readonly TraceStep[],
  { scene, negotiated }: Setting,
): Trace {
  return {
    gate,
    locale: negotiated.locale,
    localeReason: localeReason(negotiated),
    instance: scene.facts.instance ?? "",
    channel: scene.channel,
    steps,
  };
}

// Which source named the language, and how a table was found for it: `conversation exact`.
function localeReason({ source, reason }: Setting["negotiated"]): string {
  return source === "none" ? reason : `${source} ${reason}`;
}
