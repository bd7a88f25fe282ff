import type { InstanceConfig } from "../../config/config.ts";
import type { EscalationRecord } from "../../escalation/stores/record.ts";
import type { EscalationStore } from "../../escalation/stores/store.ts";
import type { GatewayRequest } from "../exchange/request.ts";
import type { Place } from "../exchange/admission.ts";
import { createCrossOriginFields, refuse, retrySoon } from "../exchange/errors.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { fieldOf, sessionOf } from "../exchange/headers.ts";
import { answerNotFound } from "../own-routes.ts";
import { instanceOf } from "./event-stream.ts";
import { ListenedConversation, type ListenedParts } from "./listened-conversation.ts";
import { relayMedia } from "./media.ts";
import { keyOf } from "./message.ts";
import { createReaderPresence, type SignParts, takeReaderSign } from "./reader-signs.ts";

/** The open event streams of conversations. */
export interface EventStreams {
  /**
   * Answers GET and POST of /_afterword/conversations/<event id>/events, and GET of a media file
   * below `<event id>`.
   */
  answer(
    request: GatewayRequest,
    eventId: string,
    what: "events" | "media",
    rest: readonly string[],
  ): Promise<void>;
  /** Ends all streams. Clients connect again, to this process or another. */
  end(): void;
}

export interface StreamParts extends SignParts, Pick<ListenedParts, "perRequest"> {
  readonly store: Pick<EscalationStore, "get" | "findByEventId">;
}

export function createEventStreams(parts: StreamParts): EventStreams {
  const { core, store, perRequest } = parts;
  /** Keyed by the conversation's key, or by the exchange if requests must not share a conversation. */
  const conversations = new Map<string | Exchange, ListenedConversation>();
  const readers = createReaderPresence(parts, (key) => conversations.has(key));

  return {
    async answer(request, eventId, what, rest) {
      const { exchange } = request;
      const methods = what === "events" ? ["GET", "POST"] : ["GET"];
      if (exchange.method === "OPTIONS") return allow(exchange, methods);
      if (!methods.includes(exchange.method)) {
        const allowed = [...methods, "OPTIONS"].join(", ");
        const message = `This route takes ${methods.join(" and ")}.`;
        return refuse(exchange, 405, message, ["Allow", allowed]);
      }
      const record = /^[0-9a-f]{64}$/u.test(eventId) ? await store.findByEventId(eventId) : null;
      if (record === null) return answerNotFound(exchange);
      if (what === "media") {
        const place = await core.admission.enter(false, exchange.client.share);
        if (place === null) return refuse(exchange, 503, tooMany, retrySoon);
        return relayMedia(core, request, record, rest, place);
      }
      const instance = instanceOf(core, record);
      // The event id alone grants nothing: a reader must also have the session.
      const session = sessionOf(exchange.headers);
      const key = session && (await keyOf(core, record.instance, session));
      if (key !== record.key || rest.length > 0 || instance === null)
        return answerNotFound(exchange);
      const place = await core.admission.enter(false, exchange.client.share);
      if (place !== null && exchange.method === "POST") {
        return takeReaderSign(parts, exchange, record).finally(() => place.leave());
      }
      if (place === null || !place.becomeStream()) {
        place?.leave();
        return refuse(exchange, 503, tooMany, retrySoon);
      }
      try {
        // The record is read again, since turns may have been answered while waiting for a place.
        openStream(exchange, (await store.get(key)) ?? record, instance, place);
      } catch (error) {
        place.leave();
        throw error;
      }
    },
    end() {
      for (const conversation of conversations.values()) conversation.end();
    },
  };

  function openStream(
    exchange: Exchange,
    record: EscalationRecord,
    instance: InstanceConfig,
    place: Place,
  ): void {
    const id = perRequest ? exchange : record.key;
    const conversation = conversationOf(id, record, instance);
    if (!perRequest) readers.enter(record);
    conversation.open(exchange, record, (isGone) => {
      place.leave();
      if (conversation.hasStreams) return;
      conversations.delete(id);
      if (isGone && !perRequest) readers.leave(record);
    });
  }

  function conversationOf(
    id: Exchange | string,
    record: EscalationRecord,
    instance: InstanceConfig,
  ): ListenedConversation {
    const known = conversations.get(id);
    if (known !== undefined) return known;
    const every = instance.escalation.chat.poll;
    const conversation = new ListenedConversation({ ...parts, every }, record);
    conversations.set(id, conversation);
    return conversation;
  }
}

const tooMany = "Too many streams are open. Try again later.";

/** Answers a preflight. Any page may ask, since the session is in a header and not in a cookie. */
function allow(exchange: Exchange, methods: readonly string[]): void {
  const names = fieldOf(exchange.headers, "access-control-request-headers");
  const allowed = methods.join(", ");
  const out = ["Access-Control-Allow-Methods", allowed, "Access-Control-Max-Age", "600"];
  if (names !== null) out.push("Access-Control-Allow-Headers", names);
  exchange.reply.send(
    204,
    "No Content",
    [...out, ...createCrossOriginFields(exchange.headers)],
    null,
  );
}
