import type { MailConfig } from "../../config/config.ts";
import type { ProductOptions } from "../options.ts";
import type { HookTransport } from "../webhooks/hook-transport.ts";

/** The options of functions that write to tickets. */
export type WritingOptions = Pick<
  TicketingOptions,
  "database" | "now" | "random" | "mediaTypes" | "mail"
>;

/** The options that the routes of case management share. */
export interface TicketingOptions extends ProductOptions {
  /** The spelling that is sent where the specification and the deployed service differ. */
  readonly wire: "deployed" | "seed";
  /** Calls registered addresses; null if none can be registered. */
  readonly hooks: HookTransport | null;
  /** Types for uploads, as in the chat's `allowedMediaTypes`. Default `TICKETING_MEDIA_TYPES`. */
  readonly mediaTypes?: readonly string[];
  /** Sends answers by e-mail. Default: no answer is sent. */
  readonly mail?: MailConfig | undefined;
}
