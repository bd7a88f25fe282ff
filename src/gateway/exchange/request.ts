import type { Config, InstanceConfig, UpstreamConfig } from "../../config/config.ts";
import type { Recognition } from "../../locales/recognition.ts";
import type { Locale } from "../../locales/types.ts";
import type { Rewriter } from "../rewriter/rewriter.ts";
import type { Exchange, RequestHead } from "./exchange.ts";
import type { Target } from "./target.ts";

/** A configuration that is prepared for requests. It is only replaced as a whole. */
export interface Snapshot {
  readonly config: Config;
  readonly rewriter: Rewriter;
  /** Gets an instance's recognition of readers' words, with its owner's words. Never rejects. */
  readonly recognitionOf: (instance: InstanceConfig, locale: Locale) => Promise<Recognition>;
  /** Paths that may precede the routes: publicUrl's and the instances'. */
  readonly prefixes: readonly string[];
  readonly findInstance: (head: RequestHead) => InstanceConfig | null;
}

/** A request that has been classified and matched. */
export interface GatewayRequest {
  readonly exchange: Exchange;
  readonly target: Target;
  readonly snapshot: Snapshot;
  /** Null if no instance matches, and the request passes untouched. */
  readonly instance: InstanceConfig | null;
  readonly upstream: UpstreamConfig;
  /** Monotonic milliseconds. */
  readonly started: number;
}
