import type { Config, InstanceConfig } from "../config/config.ts";
import { decide } from "../direct-answers/decide.ts";
import type { OpensGate } from "../direct-answers/gate.ts";
import type { Gate, Say, Trace, TraceStep } from "../direct-answers/types.ts";
import { splice } from "../json/splice.ts";
import type { Negotiator } from "../locales/negotiate.ts";
import type { LineTable } from "../locales/lines.ts";
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

/** The texts of an instance. */
export interface InstanceTexts {
  readonly lines: LineTable;
  readonly negotiate: Negotiator;
}

export interface InstanceRewriterOptions {
  readonly config: Config;
  readonly instance: InstanceConfig;
  readonly texts: InstanceTexts;
  readonly mayEdit: OpensGate;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly allocate: ((length: number) => Uint8Array) | undefined;
}

export function createInstanceRewriter(options: InstanceRewriterOptions): InstanceRewriter {
  const { config, instance, mayEdit, now, allocate } = options;
  const { lines, negotiate } = options.texts;

  const rewrite = (body: Uint8Array, context: RewriteContext): Rewritten => {
    const setting = createSetting(context, instance, config, negotiate, now);
    const traced = (gate: Gate | null, steps: readonly TraceStep[]): Trace =>
      traceOf(gate, steps, setting);
    if (body.length > config.limits.transformBytes) return kept(body, traced("size", []));
    const detail = context.detail === true;
    if (!detail && context.opened !== true && !mayEdit(body))
      return kept(body, traced("bytes", []));
    const say: Say = (key, count) => lines.render(key, setting.scene, count);
    const { gate, edits, steps } = decide(body, instance.rules, say, detail);
    if (edits.length === 0) return kept(body, traced(gate, steps));
    return { body: splice(body, edits, allocate), changed: true, trace: traced(gate, steps) };
  };

  return {
    instance,
    mayEdit,
    rewrite(body, context = {}) {
      try {
        return isBytes(body) ? rewrite(body, context) : untouched(body, "error", instance.name);
      } catch {
        return untouched(body, "error", instance.name);
      }
    },
  };
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
