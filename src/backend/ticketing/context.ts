import type { MailConfig } from "../../config/config.ts";
import type { Access } from "../auth/access.ts";
import type { BackendDatabase } from "../storage/tables/database.ts";
import type { HookTransport } from "../webhooks/hook-transport.ts";

/** The options of functions that write to tickets. */
export type WritingOptions = Pick<
  TicketingOptions,
  "database" | "now" | "random" | "mediaTypes" | "mail"
>;

/** The options that the routes of case management share. Callers supply time and randomness. */
export interface TicketingOptions {
  readonly access: Access;
  readonly database: BackendDatabase;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Bytes from a cryptographic source. */
  readonly random: (length: number) => Uint8Array;
  readonly bodyLimit: number;
  /** The spelling that is sent where the specification and the deployed service differ. */
  readonly wire: "deployed" | "seed";
  /** Calls registered addresses; null if none can be registered. */
  readonly hooks: HookTransport | null;
  /** Types for uploads, as in the chat's `allowedMediaTypes`. Default `TICKETING_MEDIA_TYPES`. */
  readonly mediaTypes?: readonly string[];
  /** Sends answers by e-mail. Default: no answer is sent. */
  readonly mail?: MailConfig;
}
