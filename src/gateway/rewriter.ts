import type { Config, InstanceConfig } from "../config/config.ts";
import { createGate, rememberingNeedles } from "../direct-answers/gate.ts";
import type { InstanceRules } from "../direct-answers/types.ts";
import { createNegotiators } from "../locales/negotiate.ts";
import { createLineTable } from "../locales/lines.ts";
import {
  createInstanceRewriter,
  untouched,
  type InstanceRewriter,
  type InstanceTexts,
  type RewriteContext,
  type Rewritten,
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
  /** What an instance of this very configuration has to say, and in which language. */
  textsOf(instance: InstanceConfig): InstanceTexts | null;
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
export function createRewriter({ config, now = Date.now, allocate }: RewriterOptions): Rewriter {
  const negotiatorOf = createNegotiators();
  const compileNeedles = rememberingNeedles();
  const gateOf = memoize((rules: InstanceRules) => createGate(rules, {}, compileNeedles));
  const texts = config.tableSets.map((): InstanceTexts | null => null);
  const textsOf = ({ tableSet }: InstanceConfig): InstanceTexts | null => {
    const set = config.tableSets[tableSet];
    if (set === undefined) return null;
    return (texts[tableSet] ??= { lines: createLineTable(set), negotiate: negotiatorOf(set) });
  };
  const ofInstance = (instance: InstanceConfig): InstanceRewriter | null => {
    const texts = textsOf(instance);
    if (texts === null) return null;
    const mayEdit = gateOf(instance.rules);
    return createInstanceRewriter({ config, instance, texts, mayEdit, now, allocate });
  };
  const forInstance = (name: string): InstanceRewriter | null => {
    const instance = instanceByName(config, name);
    return instance === null ? null : ofInstance(instance);
  };

  return {
    ofInstance,
    textsOf,
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
