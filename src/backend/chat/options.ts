import type { TicketingOptions } from "../ticketing/context.ts";
import type { BackendOptions } from "../options.ts";
import type { Mailing } from "../mail/mailing.ts";
import type { ChatFeed } from "./events/feed.ts";
import type { StreamLimits } from "./events/stream-limits.ts";

/** The options of {@link createChatRoutes}. Time and randomness come from outside. */
export interface ChatOptions
  extends
    Omit<TicketingOptions, "access">,
    Pick<
      BackendOptions,
      "bodies" | "derivations" | "limits" | "passwordRounds" | "peer" | "refusedCredential"
    > {
  /** True if the well-known app, agent and room work. Only for a listener on loopback. */
  readonly demo: boolean;
  /** Decides about mails that came. Absent without e-mail. */
  readonly mailing?: Pick<Mailing, "decide">;
  /** The process's own secret, which is accepted for every app. Default: none. */
  readonly processSecret?: string | undefined;
  /** Called with every failure that a client saw as 500. Default: nothing happens. */
  readonly report?: (error: unknown) => void;
  /** Resolves after `milliseconds`. Default: with the system's timers. */
  readonly pause?: (milliseconds: number) => Promise<void>;
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
