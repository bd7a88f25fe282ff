import type { EscalationConfig } from "../../../config/escalation-config.ts";
import type { InstanceConfig } from "../../../config/config.ts";
import type { OwnLine } from "../../../locales/own-lines.ts";
import type { Line, Table, TableSet } from "../../../locales/types.ts";

type Speaker = Pick<InstanceConfig, "escalation" | "language">;

/**
 * The same set with what these instances can say of escalation. A line that their settings rule out stays in their own
 * languages and that of the fallback, which the others then have: a conversation that began under an earlier deployment may
 * still need it. What the owner wrote stays. Runs at build time.
 *
 * @param speakers the instances that speak with this set
 */
export function withReachableLines(set: TableSet, speakers: readonly Speaker[]): TableSet {
  const spoken = new Set<string>([set.fallback, ...speakers.map(({ language }) => language)]);
  const said = (key: string): boolean =>
    !key.startsWith("escalation.") || speakers.some(({ escalation }) => saysLine(escalation, key));
  const channels = Object.entries(set.channels).map(([channel, tables]) => {
    const last = tables[set.fallback]?.lines ?? {};
    const kept = Object.entries(tables).map(([tag, table]): [string, Table] =>
      spoken.has(tag) ? [tag, table] : [tag, { ...table, lines: reached(table, last, said) }],
    );
    return [channel, Object.fromEntries(kept)] as const;
  });
  return { ...set, channels: Object.fromEntries(channels) };
}

/** Whether a conversation that begins under these settings may ever come to this line, which is one of escalation. */
export function saysLine(settings: EscalationConfig, key: string): boolean {
  return settings.mode === "managed" && (conditions[key]?.(settings) ?? true);
}

function reached(
  { lines }: Table,
  last: Table["lines"],
  said: (key: string) => boolean,
): Table["lines"] {
  return Object.fromEntries(
    Object.entries(lines).map(([key, own]) => [
      key,
      said(key) || own.some(isOwn) ? own : (last[key] ?? own),
    ]),
  );
}

function isOwn({ origin }: Line): boolean {
  return origin === "own";
}

type Condition = (settings: EscalationConfig) => boolean;

const asksConsent: Condition = ({ identity }) => identity.consent;
const asksEmail: Condition = ({ identity }) => identity.ask.includes("email");
const opensChats: Condition = ({ ladder }) => ladder.some((rung) => rung !== "ticket");
const createsTickets: Condition = ({ ladder }) => ladder.includes("ticket");

/** A line that is not here may always be said. `not-delivered` stands for a store that failed, too. */
const conditions: Readonly<Record<string, Condition>> = {
  "escalation.ask-name": ({ identity }) => identity.ask.includes("name"),
  "escalation.ask-email": asksEmail,
  "escalation.ask-email-again": asksEmail,
  "escalation.ask-consent": asksConsent,
  "escalation.consent-refused": asksConsent,
  "escalation.connecting": opensChats,
  "escalation.joined": opensChats,
  "escalation.queued": opensChats,
  "escalation.queued-next": opensChats,
  "escalation.wait-minutes": opensChats,
  "escalation.passed-on": opensChats,
  "escalation.closed": opensChats,
  "escalation.file": opensChats,
  "escalation.transcript-cut": opensChats,
  "escalation.survey": (settings) => opensChats(settings) && settings.chat.survey !== null,
  "escalation.no-agents": opensChats,
  "escalation.outside-hours": (settings) => opensChats(settings) && settings.hours !== null,
  "escalation.ticket": createsTickets,
  "escalation.ticket-number": createsTickets,
  "escalation.ticket-pending": createsTickets,
  "escalation.ticket-title": createsTickets,
} satisfies Partial<Record<OwnLine, Condition>>;
