import type { HttpRequest } from "../../../src/http/types.ts";
import type { Route } from "../../../src/gateway/upstream/route.ts";
import { expect, it } from "vitest";
import { unknownClient } from "../../../src/http/client-address.ts";
import type { Exchange, Reply } from "../../../src/gateway/exchange/exchange.ts";
import { answerProduct } from "../../../src/gateway/product.ts";
import { relay } from "../../../src/gateway/upstream/relay.ts";
import type { Transport } from "../../../src/gateway/exchange/transport.ts";
import { flagged, json, withBench } from "../harness.ts";

interface RecordedReply {
  readonly reply: Reply;
  readonly texts: string[];
}

/** A client that records everything it receives. */
function listen(): RecordedReply {
  const texts: string[] = [];
  const text = (bytes: Uint8Array | null): string => Buffer.from(bytes ?? []).toString();
  let started = false;
  const reply: Reply = {
    send(status, _reason, _headers, body) {
      started = true;
      texts.push(`${status} ${text(body)}`);
    },
    head(status) {
      started = true;
      texts.push(`${status}`);
    },
    write(chunk) {
      texts.push(text(chunk));
      return true;
    },
    end: () => void texts.push("end"),
    abort: () => void texts.push("abort"),
    onDrain: () => undefined,
    onGone: () => undefined,
    get started() {
      return started;
    },
  };
  return { reply, texts };
}

function ask(reply: Reply): Exchange {
  const target = "/v1/conversation/message";
  return {
    method: "POST",
    target,
    headers: ["Host", "a"],
    body: null,
    peer: null,
    client: unknownClient,
    reply,
  };
}

const answering: Transport = {
  send(_request, receiver) {
    const stream = { pause: () => undefined, resume: () => undefined };
    const fields = ["Content-Type", "application/json", "Location", "http://up/there"];
    receiver.head(200, "OK", fields, stream);
    receiver.data(Buffer.from("{}"));
    receiver.end([]);
    return () => undefined;
  },
};

const fault = (): never => {
  throw new Error("a fault of our own");
};

it("gives the answer back as it is when what would look at it cannot be made, and counts it as ended", async () => {
  const body = flagged("welcome");
  const handler = () => ({ headers: json, body });
  await withBench({ handler }, async ({ running, metrics }) => {
    const { core } = running.gateway;
    const { reply, texts } = listen();
    const asked = ask(reply);
    const traced = { ...asked, headers: [...asked.headers, "x-afterword-debug", "wrong"] };
    const faulty = { ...core, refusedCredentials: { note: fault } };
    await answerProduct(faulty, running.gateway.arrive(traced));
    expect(texts).toEqual(["200", body, "end"]);
    expect(core.admission.inFlight + core.admission.streams).toBe(0);
    expect(metrics()).toContain('afterword_gates_total{route="message",reason="error"} 1');
    expect(metrics()).toContain("afterword_internal_errors_total 1");
  });
});

it("ends the request when an answer cannot be put together", async () => {
  await withBench({}, async ({ running, metrics }) => {
    const { reply, texts } = listen();
    const base = { address: "http://up", origin: "http://up", host: "up", path: "" };
    const sent: HttpRequest = {
      origin: base.origin,
      method: "POST",
      path: "/",
      headers: [],
      body: null,
      timeouts: { connect: 0, headers: 0, total: 0, idle: 0 },
      trusted: true,
    };
    const route: Route = {
      name: "message",
      to: { product: "chatbot", base, trusted: true, rest: "/", route: fault },
      reserved: false,
      bounded: true,
      transform: { edits: true, apply: async () => null },
      transport: answering,
    };
    const place = { becomeStream: () => true, leave: () => undefined };
    const { core, arrive } = running.gateway;
    const outcome = await relay(core, arrive(ask(reply)), route, place, sent, new Uint8Array(0));
    expect(outcome).toMatchObject({ status: 200, failure: null });
    expect(metrics()).toContain("afterword_internal_errors_total 1");
    expect(texts).toEqual([expect.stringMatching(/^502 /)]);
  });
});
