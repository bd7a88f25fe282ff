import type { InstanceConfig } from "../../config/config.ts";
import { textOfLine } from "../../escalation/compose.ts";
import { type ChatService, createChatService } from "../../escalation/services/chat-service.ts";
import {
  createTicketService,
  type TicketService,
} from "../../escalation/services/ticket-service.ts";
import { languageOf } from "../../escalation/chat-rung.ts";
import type { EscalationRecord } from "../../escalation/record.ts";
import type { About, Scope } from "../../escalation/scope.ts";
import type { LineContext } from "../../locales/types.ts";
import type { Core, Snapshot } from "../core.ts";
import { serviceSend } from "../service-fetch.ts";
import type { Records } from "./records.ts";

/** Makes the scope of an instance under one configuration. */
export type ScopeOf = (snapshot: Speaking, instance: InstanceConfig) => Scope;

type Speaking = Pick<Snapshot, "rewriter" | "recognition">;

/**
 * Makes scopes: an instance's settings, doors and words. Doors keep their tokens while a
 * configuration lasts.
 */
export function createScopes(core: Pick<Core, "platform" | "via">, records: Records): ScopeOf {
  const doors = new WeakMap<InstanceConfig, Doors>();

  return (snapshot, instance) => {
    const settings = instance.escalation;
    const known = doors.get(instance) ?? openDoors(core, instance);
    doors.set(instance, known);
    return {
      settings,
      recognition: snapshot.recognition,
      ...known,
      room: (language) => roomFor(instance, language),
      say: (record, key, about) => sayLine(snapshot, instance, record, key, about ?? {}),
      now: () => core.platform.now(),
      save: (record) => records.save(record),
      load: ({ key, instance: name }) => records.load(key, name),
    };
  };
}

interface Doors {
  readonly chat: ChatService | null;
  readonly ticket: TicketService | null;
}

function openDoors(
  { platform, via }: Pick<Core, "platform" | "via">,
  instance: InstanceConfig,
): Doors {
  const { upstream, credentials } = instance;
  if (credentials === null) return { chat: null, ticket: null };
  const { apiKey, secret, chatApp, chatSecret } = credentials;
  const send = serviceSend({ platform, upstream, via });
  const chat =
    upstream.chat === null || chatApp === null || chatSecret === null
      ? null
      : createChatService({ send, base: upstream.chat, appId: chatApp, secret: chatSecret });
  const ticket =
    apiKey === null || secret === null
      ? null
      : createTicketService({
          send,
          auth: upstream.auth,
          ticketing: upstream.apis["ticketing"] ?? null,
          apiKey,
          secret,
          keyHeader: upstream.keyHeader,
          now: () => platform.now(),
        });
  return { chat, ticket };
}

function roomFor({ escalation, credentials }: InstanceConfig, language: string): string | number {
  const { rooms } = escalation.chat;
  const own =
    rooms === null ? undefined : Object.hasOwn(rooms, language) ? rooms[language] : rooms["*"];
  return own ?? credentials?.room ?? 1;
}

/** A line of the instance's tables in the language and channel of the conversation's last turn. */
function sayLine(
  snapshot: Speaking,
  instance: InstanceConfig,
  record: EscalationRecord,
  key: string,
  { count, ticket }: About,
): string | null {
  const texts = snapshot.rewriter.textsOf(instance);
  if (texts === null) return null;
  const { lines, negotiate } = texts;
  const { channel } = record;
  const { locale } = negotiate({ header: record.locale, instance: instance.language });
  const scene: LineContext = {
    locale,
    channel,
    facts: {
      instance: instance.name,
      channel,
      env: null,
      userType: null,
      source: null,
      lang: languageOf({ locale }),
    },
    variables: new Map(ticket === undefined ? [] : [["ticket", ticket]]),
    query: () => null,
    seed: () => [record.key, String(record.epoch)],
    now: () => record.updated,
  };
  const line = lines.render(key, scene, count ?? null);
  return line === null ? null : textOfLine(line);
}
