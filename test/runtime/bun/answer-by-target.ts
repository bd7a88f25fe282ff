import { setTimeout as sleep } from "node:timers/promises";
import type { Exchange } from "../../../src/gateway/exchange.ts";

/**
 * What the tests of servers ask: the target says how it is answered, in the same way on every
 * runtime.
 */
export function answerByTarget(tell: (line: string) => void): (exchange: Exchange) => void {
  const held = new Map<string, PromiseWithResolvers<void>>();
  const holdOf = (name: string): PromiseWithResolvers<void> => {
    const hold = held.get(name) ?? Promise.withResolvers<void>();
    held.set(name, hold);
    return hold;
  };
  const answers: Readonly<Record<string, (exchange: Exchange, given: string) => unknown>> = {
    "/ok": ({ reply }) => whole(reply, "ok"),
    "/later": async ({ reply }) => {
      await sleep(20);
      whole(reply, "later");
    },
    "/echo": async ({ method, target, body, reply }) => {
      const read = await body?.peek(1_000_000);
      whole(reply, `${method} ${target} ${Buffer.from(read?.bytes ?? []).toString("latin1")}`);
    },
    "/echo-later": async ({ body, reply }) => {
      await sleep(20);
      const read = await body?.peek(1_000_000);
      whole(reply, Buffer.from(read?.bytes ?? []).toString("latin1"));
    },
    "/fields": ({ headers, reply }) => whole(reply, `${headers.length / 2}`),
    "/hold": async ({ reply }, name) => {
      reply.onGone(() => tell(`gone ${name}`));
      tell(`asked ${name}`);
      await holdOf(name).promise;
      whole(reply, `held ${name}`);
    },
    "/release": ({ reply }, name) => {
      holdOf(name).resolve();
      whole(reply, "released");
    },
    "/chunks": ({ reply }) => {
      reply.head(200, "OK", ["X-Case", "\xe9"]);
      reply.write(Buffer.from("hello"));
      reply.write(Buffer.from(" world"));
      reply.end(["T", "1"]);
    },
    "/no-length": ({ reply }) => reply.send(200, "OK", ["A", "b"], Buffer.from("text")),
    "/status": ({ reply }, status) => reply.send(Number(status), "Any", ["A", "b"], null),
    "/cut": ({ reply }, framing) => {
      reply.head(200, "OK", framing === "length" ? ["Content-Length", "9"] : []);
      reply.write(Buffer.from("hello"));
      reply.abort();
    },
    "/abort": ({ reply }) => reply.abort(),
    "/throw": () => {
      throw new Error("a secret");
    },
    "/break": ({ body, reply }, how) => {
      const peeked = (): void => {
        if (how === "throw") throw new Error("a secret");
        reply.abort();
      };
      body?.peekInto?.(70_000, { peeked, lost: () => undefined });
    },
    "/sink": async ({ body, reply }, name) => {
      tell(`asked ${name}`);
      if (name !== "") await holdOf(name).promise;
      let size = 0;
      for await (const piece of body?.stream() ?? []) size += piece.length;
      whole(reply, `${size}`);
    },
    "/send": ({ reply }, size) => whole(reply, "x".repeat(Number(size))),
    "/stream": async ({ reply }, size) => {
      let gone = false;
      let drained = Promise.withResolvers<void>();
      reply.onDrain(() => drained.resolve());
      reply.onGone(() => {
        gone = true;
        drained.resolve();
        tell(`gone ${size}`);
      });
      reply.head(200, "OK", ["Content-Length", size]);
      const piece = Buffer.alloc(100_000, "x");
      for (let left = Number(size); left > 0 && !gone; left -= piece.length) {
        const room = reply.write(piece.subarray(0, left));
        if (!room) await drained.promise;
        drained = Promise.withResolvers();
      }
      reply.end();
    },
    "/memory": ({ reply }) => {
      Reflect.get(globalThis, "Bun")?.gc(true);
      whole(reply, `${process.memoryUsage.rss()}`);
    },
  };
  return (exchange) => {
    const [path = "", given = ""] = exchange.target.replace(/^http:\/\/[^/]*/, "").split("?");
    const answer = answers[path];
    if (answer === undefined) whole(exchange.reply, `${exchange.method} ${exchange.target}`);
    else Promise.resolve(answer(exchange, given)).catch(() => tell(`lost ${exchange.target}`));
  };
}

function whole(reply: Exchange["reply"], text: string): void {
  const body = Buffer.from(text, "latin1");
  reply.send(200, "OK", ["Content-Length", `${body.length}`], body);
}
