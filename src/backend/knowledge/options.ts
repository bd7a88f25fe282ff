import type { Context } from "hono";
import type { Access } from "../auth/access.ts";
import type { KnowledgeBase } from "../chatbot/knowledge-base.ts";
import type { ChangingContent } from "../chatbot/live-base.ts";
import type { Content } from "../content/types.ts";
import type { Project } from "../projects.ts";
import type { BackendDatabase } from "../storage/tables/database.ts";

/** What the knowledge routes are made of. Time and randomness come from outside. */
export interface KnowledgeOptions {
  readonly access: Access;
  readonly database: BackendDatabase;
  /** The same content that `base` was made of. */
  readonly content: Content | ChangingContent;
  /** The engine that searches it, as conversations use it: `liveBase(content, report)`. */
  readonly base: () => KnowledgeBase;
  readonly projects: readonly Project[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Bytes from a cryptographic source. */
  readonly random: (length: number) => Uint8Array;
  readonly bodyLimit: number;
  /**
   * Status of a search that finds nothing. Default 404, as specified; some clients want 200 with
   * `results: []`.
   */
  readonly emptySearch?: 404 | 200;
  /** True: events carry the reader's IP address. Default false. */
  readonly logIp?: boolean;
  /**
   * True: events carry the reader's browser (`User-Agent`) and the SDK version that the session
   * named. Default false.
   */
  readonly logUserAgent?: boolean;
  /** The reader's IP address, or null; used with `logIp` only. Default: nobody knows it. */
  readonly peer?: (c: Context) => string | null;
  /** Told what went wrong beside a request. Default: nobody. */
  readonly report?: (error: unknown) => void;
}
