import type { Config, InstanceConfig, UpstreamConfig } from "../../config/config.ts";
import type { Recognition } from "../../locales/recognition.ts";
import type { Locale } from "../../locales/types.ts";
import type { Rewriter } from "../rewriter/rewriter.ts";
import type { Exchange, RequestHead } from "./exchange.ts";
import type { Target } from "./target.ts";

/** One configuration made ready for requests. Swapped whole. */
export interface Snapshot {
  readonly config: Config;
  readonly rewriter: Rewriter;
  /**
   * Reads the words of an instance's readers of a locale, with those that its owner adds. Never
   * rejects.
   */
  readonly recognitionOf: (instance: InstanceConfig, locale: Locale) => Promise<Recognition>;
  /** Paths under which the routes may stand: that of publicUrl, and the instances' own. */
  readonly prefixes: readonly string[];
  readonly findInstance: (head: RequestHead) => InstanceConfig | null;
}

/** One request on its way through, classified and matched. */
export interface GatewayRequest {
  readonly exchange: Exchange;
  readonly target: Target;
  readonly snapshot: Snapshot;
  /** Null: no instance matches, and the request passes untouched. */
  readonly instance: InstanceConfig | null;
  readonly upstream: UpstreamConfig;
  /** Monotonic milliseconds. */
  readonly started: number;
}
