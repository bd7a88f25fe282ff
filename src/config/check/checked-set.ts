import type { InstanceConfig } from "../config.ts";
import type { Layer } from "../load/load-messages.ts";

/** A set of texts, with the data that the checks need. */
export interface CheckedSet {
  /** The owner's own files, by locale. */
  readonly own: Layer;
  /** The tables that come with Afterword, by locale. */
  readonly shipped: Layer;
  /** The instances that speak with this set. */
  readonly instances: readonly InstanceConfig[];
  readonly fallback: string;
}
