import type { MailConfig } from "../../config/config.ts";
import type { Access } from "../auth/access.ts";
import type { BackendDatabase } from "../storage/tables/database.ts";
import type { HookTransport } from "../webhooks/hook-transport.ts";

/** The options of writing to a ticket. */
export type WritingOptions = Pick<
  TicketingOptions,
  "database" | "now" | "random" | "mediaTypes" | "mail"
>;

/** The options that the routes of case management share. Time and randomness come from outside. */
export interface TicketingOptions {
  readonly access: Access;
  readonly database: BackendDatabase;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Bytes from a cryptographic source. */
  readonly random: (length: number) => Uint8Array;
  readonly bodyLimit: number;
  /** Which spelling is emitted where the specification and the deployed service differ. */
  readonly wire: "deployed" | "seed";
  /** How registered addresses are called, or null: then none can be registered. */
  readonly hooks: HookTransport | null;
  /** Types for uploads, as in the chat's `allowedMediaTypes`. Default `TICKETING_MEDIA_TYPES`. */
  readonly mediaTypes?: readonly string[];
  /** How answers leave by e-mail. Default: they do not. */
  readonly mail?: MailConfig;
}
