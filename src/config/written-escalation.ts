import type { EscalationConfig } from "./escalation-config.ts";

/**
 * `escalation` as it is written: as {@link EscalationConfig}, but anything may be left away, and
 * hours are texts.
 */
export interface WrittenEscalation {
  mode?: EscalationConfig["mode"] | undefined;
  triggers?: WrittenTriggers | undefined;
  offer?: EscalationConfig["offer"] | undefined;
  coolDown?: number | undefined;
  atMost?: number | undefined;
  identity?: WrittenIdentity | undefined;
  hours?: "always" | WrittenHours | undefined;
  ladder?: ("agents" | "queue" | "ticket")[] | undefined;
  chat?: WrittenChat | undefined;
  ticket?:
    | {
        fields?: Record<string, string | number | boolean> | undefined;
        link?: string | null | undefined;
      }
    | undefined;
}

export interface WrittenTriggers {
  noResults?: number | undefined;
  errors?: number | undefined;
  negativeRatings?: number | undefined;
  negative?: string[] | undefined;
  flags?: string[] | undefined;
  escalateFlag?: boolean | undefined;
  directCalls?: string[] | undefined;
  callbacks?: string[] | undefined;
  words?: boolean | undefined;
  moreWords?: Record<string, string[]> | undefined;
  rules?: WrittenRule[] | undefined;
}

export interface WrittenRule {
  name: string;
  flag?: string | undefined;
  title?: string | undefined;
  attribute?: { name: string; value: string } | undefined;
  scoreBelow?: number | undefined;
  turns?: number | undefined;
  when?: Record<string, string> | undefined;
}

export interface WrittenIdentity {
  ask?: ("name" | "email")[] | undefined;
  consent?: boolean | undefined;
  variables?: { name?: string | null | undefined; email?: string | null | undefined } | undefined;
  claims?:
    | { name?: string | undefined; email?: string | undefined; id?: string | undefined }
    | undefined;
}

export interface WrittenHours {
  zone?: string | undefined;
  /** By `mon` or `mon-fri`: windows as `09:00-17:30`. */
  weekly?: Record<string, string[]> | undefined;
  holidays?: string[] | undefined;
}

export interface WrittenChat {
  rooms?: Record<string, string | number> | null | undefined;
  source?: string | number | undefined;
  assignTimeout?: number | undefined;
  queueTimeout?: number | undefined;
  poll?: number | undefined;
  hookSecret?: string | null | undefined;
  survey?: string | number | null | undefined;
}
