import type { Config, InstanceConfig } from "../config/config.ts";
import { createGate, rememberingNeedles } from "../direct-answers/gate.ts";
import type { InstanceRules } from "../direct-answers/types.ts";
import { createNegotiators, type Negotiator } from "../locales/negotiate.ts";
import { createSpeakers, type Speaker } from "../locales/speaker.ts";
import {
  shareRewriter,
  untouched,
  type InstanceRewriter,
  type RewriteContext,
  type Rewritten,
  type Voice,
} from "./instance-rewriter.ts";

export type { InstanceRewriter, RewriteContext, Rewritten } from "./instance-rewriter.ts";

/** Rewrites the direct answers in response bodies of POST /conversation/message. */
export interface Rewriter {
  /**
   * Never throws: whatever is wrong with the body, the context or our own code gives the original
   * back, and the trace's `gate` says why: `unknown-instance` when the context names an instance
   * that the configuration does not have.
   *
   * @param body the response body, decoded from any content coding
   * @example
   * const { body, changed } = createRewriter({ config }).rewrite(bytes, { locale: "fr", channel:
   * "web" });
   */
  rewrite(body: Uint8Array, context?: RewriteContext): Rewritten;
  /**
   * The rewriter of one instance, for callers that know its name already; null when there is none.
   */
  forInstance(name: string): InstanceRewriter | null;
  /** The same for an instance of this very configuration. */
  ofInstance(instance: InstanceConfig): InstanceRewriter | null;
  /** Who says the gateway's own lines for an instance of this very configuration. */
  voiceOf(instance: InstanceConfig): Voice | null;
}

export interface RewriterOptions {
  readonly config: Config;
  /** Milliseconds since the epoch, for `{{date}}`. */
  readonly now?: () => number;
  /** Memory for a rewritten body, whatever it holds. */
  readonly allocate?: ((length: number) => Uint8Array) | undefined;
}

/**
 * A rewriter for one configuration. Build one per snapshot and keep it: what it compiles, it keeps.
 */
export function createRewriter(options: RewriterOptions): Rewriter {
  const { config, now = Date.now, allocate } = options;
  const speakers = createSpeakers(config.tableSets);
  const negotiatorOf = createNegotiators();
  const compileNeedles = rememberingNeedles();
  const sharedBy = memoize((rules: InstanceRules) =>
    shareRewriter({
      config,
      rules,
      speakers,
      now,
      allocate,
      mayEdit: createGate(rules, {}, compileNeedles),
    }),
  );
  // Few differ: two bytes for each set are less memory to touch than a list of them would be.
  const negotiators: Negotiator[] = [];
  const numberOf = new Map<Negotiator, number>();
  const numbers = new Uint16Array(config.tableSets.length);
  const negotiatorAt = (index: number): Negotiator | null => {
    const known = negotiators[(numbers[index] ?? 0) - 1];
    if (known !== undefined) return known;
    const set = config.tableSets[index];
    if (set === undefined) return null;
    const negotiate = negotiatorOf(set);
    const number = numberOf.get(negotiate) ?? negotiators.push(negotiate);
    numberOf.set(negotiate, number);
    if (number <= MOST_NUMBERS) numbers[index] = number;
    return negotiate;
  };
  // Nothing is kept per instance: what is, is rarely in the processor's caches when there are ten
  // thousand of them.
  const ofInstance = (instance: InstanceConfig): InstanceRewriter | null => {
    const negotiate = negotiatorAt(instance.tableSet);
    return negotiate === null ? null : sharedBy(instance.rules)(instance, negotiate);
  };
  const voiceOf = ({ tableSet }: InstanceConfig): Voice | null => {
    const negotiate = negotiatorAt(tableSet);
    if (negotiate === null) return null;
    const speaker: Speaker = {
      say: (key, scene, count) => speakers.say(tableSet, key, scene, count),
    };
    return { speaker, negotiate };
  };
  const forInstance = (name: string): InstanceRewriter | null => {
    const instance = instanceByName(config, name);
    return instance === null ? null : ofInstance(instance);
  };

  return {
    ofInstance,
    voiceOf,
    forInstance,
    rewrite(body, context = {}) {
      try {
        const name = context.instance ?? defaultName(config);
        const rewriter = forInstance(name);
        if (rewriter !== null) return rewriter.rewrite(body, context);
        const unknown = name !== "" && instanceByName(config, name) === null;
        return untouched(body, unknown ? "unknown-instance" : "error", name);
      } catch {
        return untouched(body, "error", "");
      }
    },
  };
}

/** What two bytes hold; a negotiator behind that is looked for each time. */
const MOST_NUMBERS = 0xff_ff;

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
