import type { Config, InstanceConfig } from "../config/config.ts";
import { createGate, rememberingNeedles } from "../direct-answers/gate.ts";
import { createNegotiators } from "../locales/negotiate.ts";
import { createSpeakers } from "../locales/speaker.ts";
import {
  createInstanceRewriter,
  untouched,
  type InstanceRewriter,
  type RewriteContext,
  type Rewritten,
} from "./instance-rewriter.ts";

export type { InstanceRewriter, RewriteContext, Rewritten } from "./instance-rewriter.ts";

/** Rewrites the direct answers in response bodies of POST /conversation/message. */
export interface Rewriter {
  /**
   * Never throws: whatever is wrong with the body, the context or our own code gives the original back, and the trace's
   * `gate` says why.
   *
   * @param body the response body, decoded from any content coding
   * @example
   * const { body, changed } = createRewriter({ config }).rewrite(bytes, { locale: "fr", channel: "web" });
   */
  rewrite(body: Uint8Array, context?: RewriteContext): Rewritten;
  /** The rewriter of one instance, for callers that know it already; null when there is none of that name. */
  forInstance(name: string): InstanceRewriter | null;
}

export interface RewriterOptions {
  readonly config: Config;
  /** Milliseconds since the epoch, for `{{date}}`. */
  readonly now?: () => number;
}

/** A rewriter for one configuration. Build one per snapshot and keep it: what it compiles, it keeps. */
export function createRewriter({ config, now = Date.now }: RewriterOptions): Rewriter {
  const speakerOf = createSpeakers();
  const negotiatorOf = createNegotiators();
  const compileNeedles = rememberingNeedles();
  const byName = new Map<string, InstanceRewriter>();

  const forInstance = (name: string): InstanceRewriter | null => {
    const known = byName.get(name);
    if (known !== undefined) return known;
    const instance = instanceByName(config, name);
    const set = instance === null ? undefined : config.tableSets[instance.tableSet];
    if (instance === null || set === undefined) return null;
    const made = createInstanceRewriter({
      config,
      instance,
      now,
      mayEdit: createGate(instance.rules, {}, compileNeedles),
      speaker: speakerOf(set),
      negotiate: negotiatorOf(set),
    });
    byName.set(name, made);
    return made;
  };

  return {
    forInstance,
    rewrite(body, context = {}) {
      try {
        const name = context.instance ?? defaultInstance(config)?.name ?? "";
        const rewriter = forInstance(name);
        return rewriter === null ? untouched(body, "error", name) : rewriter.rewrite(body, context);
      } catch {
        return untouched(body, "error", "");
      }
    },
  };
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

function defaultInstance(config: Config): InstanceConfig | undefined {
  const all = config.instances.find(({ match }) => Object.keys(match).length === 0);
  return all ?? config.instances[0];
}

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
