import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import {
  type RecordedRequest,
  type ScriptedAnswer,
  type ScriptedUpstream,
  startScriptedUpstream,
} from "../../../src/testing/index.ts";
import type { ReceivedRequest, Script, Upstream } from "./exchange.ts";

/** The scripted upstream, controlled with plain data. */
export interface PlainUpstream extends Upstream {
  close(): Promise<void>;
}

export async function startUpstream(): Promise<PlainUpstream> {
  let answers: Readonly<Record<string, Script>> = {};
  let from = 0;
  const holds = new Map<string, PromiseWithResolvers<void>>();
  const holdOf = (name: string): PromiseWithResolvers<void> => {
    const hold = holds.get(name) ?? Promise.withResolvers<void>();
    holds.set(name, hold);
    return hold;
  };
  const server: ScriptedUpstream = await startScriptedUpstream({
    async handler({ method, target }) {
      const script = answers[`${method} ${target.split("?")[0]}`] ?? nothing;
      if (script.hold !== undefined) await holdOf(script.hold).promise;
      if (script.hangUp === true) throw new Error("hangs up");
      return scripted(script, (name) => holdOf(name).promise);
    },
  });
  return {
    port: server.port,
    async script(given) {
      // Requests that still wait for an earlier test are released.
      for (const { resolve } of holds.values()) resolve();
      holds.clear();
      answers = given;
      from = server.requests.length;
    },
    release: async (name) => holdOf(name).resolve(),
    received: async () => server.requests.slice(from).map(toReceived),
    close: () => server.close(),
  };
}

const nothing: Script = { status: 404, reason: "Not Found", body: "nothing scripted" };

function scripted(script: Script, hold: (name: string) => Promise<void>): ScriptedAnswer {
  const { status = 200, reason = "OK", body = "", coding, raw, trailers = [] } = script;
  if (raw !== undefined) return { raw };
  const headers = [...(script.headers ?? [])];
  const head = { status, reason };
  if (coding !== undefined && typeof body === "string") {
    return {
      ...head,
      headers: [...headers, "Content-Encoding", coding],
      body: coders[coding](body),
    };
  }
  if (typeof body === "string") return { ...head, headers, body };
  const framing = ["Transfer-Encoding", "chunked"];
  return { ...head, headers: [...headers, ...framing], body: pieces(), trailers };

  async function* pieces(): AsyncGenerator<string> {
    for (const piece of typeof body === "string" ? [] : body) {
      if (typeof piece === "string") yield piece;
      else if ("hold" in piece) await hold(piece.hold);
      else throw new Error("cut");
    }
  }
}

const coders: Readonly<Record<NonNullable<Script["coding"]>, (text: string) => Uint8Array>> = {
  gzip: (text) => gzipSync(text),
  "x-gzip": (text) => gzipSync(text),
  deflate: (text) => deflateSync(text),
  br: (text) => brotliCompressSync(text),
};

function toReceived({ method, target, headers, body }: RecordedRequest): ReceivedRequest {
  return { method, target, headers, body: Buffer.from(body).toString("utf8") };
}
