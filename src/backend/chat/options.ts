import type { Context } from "hono";
import type { MailConfig } from "../../config/config.ts";
import type { ByteBudget } from "../../http/shares.ts";
import type { RateLimits } from "../auth/rate-limits.ts";
import type { BackendOptions } from "../options.ts";
import type { BackendDatabase } from "../storage/tables/database.ts";
import type { HookTransport } from "../webhooks/hook-transport.ts";
import type { Derivations } from "./agents/passwords.ts";
import type { Mailing } from "../mail/mailing.ts";
import type { ChatFeed } from "./events/feed.ts";
import type { StreamLimits } from "./events/stream-limits.ts";

/** The options of {@link createChatRoutes}. Time and randomness come from outside. */
export interface ChatOptions {
  readonly database: BackendDatabase;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Bytes from a cryptographic source. */
  readonly random: (length: number) => Uint8Array;
  /** Bytes that a request body may have. */
  readonly bodyLimit: number;
  /** The budget for the memory of request bodies. Default: unlimited. */
  readonly bodies?: ByteBudget;
  /** Which spelling is emitted where the specification and the deployed service differ. */
  readonly wire: "deployed" | "seed";
  /** How registered addresses are called, or null: then none can be registered. */
  readonly hooks: HookTransport | null;
  /** True if the well-known app, agent and room work. Only for a listener on loopback. */
  readonly demo: boolean;
  /** Types of files that agents may attach to tickets. Default `TICKETING_MEDIA_TYPES`. */
  readonly mediaTypes?: readonly string[];
  /** How answers to tickets leave by e-mail. Default: they do not. */
  readonly mail?: MailConfig;
  /** Decides about mails that came. Absent without e-mail. */
  readonly mailing?: Pick<Mailing, "decide">;
  /** A secret that is accepted for every app: the process's own. Default: none. */
  readonly anySecret?: string | undefined;
  /** The rate limits of an app; null for none. */
  readonly limits?: RateLimits | null;
  /** See {@link BackendOptions.refusedCredential}. */
  readonly refusedCredential?: BackendOptions["refusedCredential"];
  /** Called with every failure that a client saw as 500. Default: nothing happens. */
  readonly report?: (error: unknown) => void;
  /** The queue in which passwords are derived. Default: one of these routes' own. */
  readonly derivations?: Derivations;
  /** Address of the client of a request, or null. Default: unknown. */
  readonly peer?: (c: Context) => string | null;
  /** Resolves after `milliseconds`. Default: with the system's timers. */
  readonly pause?: (milliseconds: number) => Promise<void>;
  /** See {@link BackendOptions.passwordRounds}. */
  readonly passwordRounds?: BackendOptions["passwordRounds"];
  /**
   * Milliseconds between two reads of events of other processes, while streams are open. Default
   * 100.
   */
  readonly streamEvery?: number;
  /** The feed that event streams are read from. Default: one of these routes' own. */
  readonly feed?: ChatFeed | undefined;
  /** SHA-256 of a secret or token, in hexadecimal. Default: computed each time. */
  readonly digestOf?: (text: string) => Promise<string>;
  /** The limits of event streams. */
  readonly streams?: Partial<StreamLimits>;
}
