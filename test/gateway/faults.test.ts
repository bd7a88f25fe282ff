import { expect, it } from "vitest";
import type { Exchange, Reply } from "../../src/gateway/exchange.ts";
import { forward, type Transform, type Outcome } from "../../src/gateway/forward.ts";
import { proxy } from "../../src/gateway/proxy.ts";
import type { Transport } from "../../src/gateway/transport.ts";
import { flagged, json, withBench } from "./harness.ts";

interface Heard {
  readonly reply: Reply;
  readonly said: string[];
}

/** A client that writes down what it is told. */
function listen(): Heard {
  const said: string[] = [];
  const text = (bytes: Uint8Array | null): string => Buffer.from(bytes ?? []).toString();
  let started = false;
  const reply: Reply = {
    send(status, _reason, _headers, body) {
      started = true;
      said.push(`${status} ${text(body)}`);
    },
    head(status) {
      started = true;
      said.push(`${status}`);
    },
    write(chunk) {
      said.push(text(chunk));
      return true;
    },
    end: () => void said.push("end"),
    abort: () => void said.push("abort"),
    onDrain: () => undefined,
    onGone: () => undefined,
    get started() {
      return started;
    },
  };
  return { reply, said };
}

function ask(reply: Reply): Exchange {
  const target = "/v1/conversation/message";
  return { method: "POST", target, headers: ["Host", "a"], body: null, peer: null, reply };
}

const answering: Transport = {
  send(_request, receiver) {
    const stream = { pause: () => undefined, resume: () => undefined };
    receiver.head(200, "OK", ["Content-Type", "application/json"], stream);
    receiver.data(Buffer.from("{}"));
    receiver.end([]);
    return () => undefined;
  },
};

it("gives the answer back as it is when what would look at it cannot be made, and its place", async () => {
  const body = flagged("welcome");
  const handler = () => ({ headers: json, body });
  await withBench({ handler }, async ({ upstream, running, metrics }) => {
    const { core } = running.gateway;
    const { reply, said } = listen();
    const base = { address: upstream.origin, origin: upstream.origin, host: "up", path: "" };
    const interest = (): Transform => {
      throw new Error("a fault of our own");
    };
    const to = { base, trusted: true, rest: "/x", route: () => "" };
    const manner = { route: "message", reserved: false, bounded: true, interest };
    proxy(core, running.gateway.arrive(ask(reply)), to, manner);
    await expect.poll(() => said).toEqual(["200", body, "end"]);
    expect(core.admission.inFlight + core.admission.streams).toBe(0);
    expect(metrics()).toContain('afterword_gates_total{route="message",reason="error"} 1');
    expect(metrics()).toContain("afterword_internal_errors_total 1");
  });
});

it.each(["fields", "extraHeaders"] as const)(
  "ends the exchange when an answer cannot be put together: %s",
  (faulty) => {
    const { reply, said } = listen();
    const outcomes: Outcome[] = [];
    const failures: unknown[] = [];
    const fault = (): never => {
      throw new Error("a fault of our own");
    };
    forward(answering, {
      exchange: ask(reply),
      route: "message",
      request: {
        origin: "http://up",
        method: "POST",
        path: "/",
        headers: [],
        body: null,
        timeouts: { connect: 0, headers: 0, total: 0, idle: 0 },
        trusted: true,
      },
      ticket: { becomeStream: () => true, leave: () => undefined },
      interest: {
        limit: 100,
        gate: () => null,
        edit: () => null,
        ...(faulty === "extraHeaders" && { extraHeaders: fault }),
      },
      fields: faulty === "fields" ? fault : (headers) => headers,
      uploadTooLarge: () => false,
      gated: () => undefined,
      failed: (error) => void failures.push(error),
      clock: () => 0,
      allocate: (length) => new Uint8Array(length),
      over: (outcome) => void outcomes.push(outcome),
    });
    expect(outcomes).toHaveLength(1);
    expect(failures).toHaveLength(1);
    expect(said).toEqual([expect.stringMatching(/^502 /)]);
  },
);
