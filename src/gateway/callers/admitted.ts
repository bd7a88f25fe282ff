import type { CallerOperation } from "../../config/caller-operation.ts";
import type { CallerConfig, InstanceConfig } from "../../config/config.ts";
import type { Tokens } from "./tokens.ts";

/** A caller that may do what it asks for. */
export interface Admitted {
  readonly caller: CallerConfig;
  readonly instance: InstanceConfig;
  readonly operation: CallerOperation;
  /** Path and query below the product, put together anew. */
  readonly rest: string;
  readonly origin: string | null;
  readonly tokens: Tokens;
}
