import { Agent, request } from "node:http";
import { isDeepStrictEqual } from "node:util";
import type { Contestant } from "./contestants.ts";
import {
  messageRequest,
  parseResponse,
  replaceTexts,
  requestHeaders,
  startAnswer,
  startPath,
  startRequest,
} from "../traffic.ts";

/** Several connections, so that an answer to the wrong client is noticed. */
const connections = 8;
const requests = 64;

/**
 * Calls a contestant as a client does: it begins a conversation, then sends messages over several
 * connections at once.
 *
 * @param sent the upstream's answer to the message
 * @returns a description of the fault, or null
 */
export async function findFault(
  contestant: Contestant,
  port: number,
  sent: string,
): Promise<string | null> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  try {
    const started = await post(agent, port, startPath, startRequest);
    const startFault = faultOf(started, startAnswer, sameBytes(startAnswer));
    if (startFault !== null) return `starting a conversation: ${startFault}`;
    const expected =
      contestant.gives === "the upstream's bytes"
        ? sent
        : JSON.stringify(replaceTexts(parseResponse(sent)));
    const sameBody =
      contestant.gives === "the new texts, as Lua can"
        ? sameMembers(expected)
        : sameBytes(expected);
    const turns = Array.from({ length: requests }, () =>
      post(agent, port, contestant.path, messageRequest),
    );
    const faults = (await Promise.all(turns)).map((answer) => faultOf(answer, expected, sameBody));
    return faults.find((fault) => fault !== null) ?? null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    agent.destroy();
  }
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
}

function faultOf(
  { status, type, body }: Answer,
  expected: string,
  same: (body: Buffer) => boolean,
): string | null {
  if (status !== 200) return `status ${status}: ${body.toString().slice(0, 200)}`;
  if (!type.startsWith("application/json")) return `content-type ${type || "missing"}`;
  if (same(body)) return null;
  return `unexpected body:\n  ${body.toString().slice(0, 400)}\nexpected:\n  ${expected.slice(0, 400)}`;
}

function sameBytes(expected: string): (body: Buffer) => boolean {
  const bytes = Buffer.from(expected);
  return (body) => body.equals(bytes);
}

/** In any order; an empty array may have become an empty object. */
function sameMembers(expected: string): (body: Buffer) => boolean {
  const read = (json: string): unknown =>
    JSON.parse(json, (_name, value: unknown) =>
      Array.isArray(value) && value.length === 0 ? {} : value,
    );
  const value = read(expected);
  return (body) => isDeepStrictEqual(read(body.toString()), value);
}

function post(agent: Agent, port: number, path: string, body: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { ...requestHeaders, "Content-Length": Buffer.byteLength(body) };
    const options = { agent, host: "127.0.0.1", port, path, method: "POST", headers };
    const sending = request({ ...options, timeout: 10_000 }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", reject);
      answer.on("end", () =>
        resolve({
          status: answer.statusCode ?? 0,
          type: answer.headers["content-type"] ?? "",
          body: Buffer.concat(chunks),
        }),
      );
    });
    sending.on("timeout", () => sending.destroy(new Error("no answer in 10 seconds")));
    sending.on("error", reject).end(body);
  });
}
