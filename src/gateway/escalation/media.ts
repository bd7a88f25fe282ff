import type { RawHeaders } from "../../http/types.ts";
import { readMediaId } from "../../escalation/answers.ts";
import type { EscalationRecord } from "../../escalation/stores/record.ts";
import { joinPath, parseBase } from "../upstream/base.ts";
import type { Core } from "../core.ts";
import type { Place } from "../exchange/admission.ts";
import type { GatewayRequest } from "../exchange/request.ts";
import { refuse } from "../exchange/errors.ts";
import { fieldOf } from "../exchange/headers.ts";
import { answerNotFound } from "../own-routes.ts";

/**
 * Relays an agent's file to the reader with Afterword's credentials, as a download that browsers
 * never run.
 */
export function relayMedia(
  core: Core,
  { exchange }: GatewayRequest,
  record: EscalationRecord,
  rest: readonly string[],
  place: Place,
): void {
  const [segment = "", ...more] = rest;
  const id = readMediaId(segment);
  const isKnown = record.messages.some(
    ({ media }) => media !== undefined && readMediaId(media.url) === id,
  );
  const instance = core.snapshot().config.instances.find(({ name }) => name === record.instance);
  const base = parseBase(instance?.upstream.chat ?? "");
  const { chatApp = null, chatSecret = null } = instance?.credentials ?? {};
  const isNamed = id !== null && isKnown && more.length === 0 && instance !== undefined;
  if (!isNamed || base === null || chatApp === null || chatSecret === null) {
    place.leave();
    return answerNotFound(exchange);
  }
  const headers = ["Host", base.host, "x-hyper-appId", chatApp, "x-hyper-secret", chatSecret];
  const { reply } = exchange;
  const cancel = core.platform.transport.send(
    {
      origin: base.origin,
      method: "GET",
      path: joinPath(base, `/v1/media/${encodeURIComponent(id)}`),
      headers: [...headers, "Accept-Encoding", "identity", "Via", core.via],
      body: null,
      timeouts: instance.upstream.timeouts,
      trusted: true,
    },
    {
      head(status, _reason, fields, stream) {
        if (status !== 200) {
          stream.pause();
          cancel();
          place.leave();
          return refuse(
            exchange,
            status === 404 || status === 410 ? 404 : 502,
            "There is no such file.",
          );
        }
        // Without a free stream, it keeps its place.
        place.becomeStream();
        reply.onDrain(() => stream.resume());
        reply.head(200, "OK", createSafeHeaders(fields));
        flow = stream;
      },
      data(chunk) {
        if (reply.started && flow !== null && !reply.write(chunk)) flow.pause();
      },
      end() {
        place.leave();
        if (flow !== null) reply.end();
      },
      fail() {
        place.leave();
        if (reply.started) reply.abort();
        else refuse(exchange, 502, "The file could not be fetched.");
      },
    },
  );
  let flow: { pause(): void; resume(): void } | null = null;
  reply.onGone(() => {
    place.leave();
    cancel();
  });
}

function createSafeHeaders(fields: RawHeaders): RawHeaders {
  const out = ["Content-Type", fieldOf(fields, "content-type") ?? "application/octet-stream"];
  const length = fieldOf(fields, "content-length");
  if (length !== null) out.push("Content-Length", length);
  out.push("Content-Disposition", fieldOf(fields, "content-disposition") ?? "attachment");
  out.push("X-Content-Type-Options", "nosniff", "Cache-Control", "private, no-store");
  out.push("Content-Security-Policy", "default-src 'none'; sandbox");
  return out;
}
