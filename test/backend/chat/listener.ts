import { expect, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import type { RawData } from "ws";
import { createChatSockets } from "../../../src/backend/chat/events/node-sockets.ts";
import { createAppListener } from "../../../src/runtime/node/server/app-listener.ts";
import type { Json } from "../client.ts";
import type { Service } from "./service.ts";

/** The service behind a socket of its own, with its event streams. */
export interface Listening {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** Ends event streams, and then everything, within this many milliseconds. */
  drain(limit: number): Promise<void>;
  /**
   * Opens a WebSocket. Resolves when the service has upgraded it; rejects with the status of a
   * refusal.
   */
  connect(options?: Connecting): Promise<Peer>;
}

export interface Connecting {
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
  readonly protocols?: readonly string[];
}

/** A client of a socket, and the frames that it received. */
export interface Peer {
  readonly socket: WebSocket;
  readonly frames: Json[];
  /** Returns the next received frame that was not returned yet. */
  next(): Promise<Json>;
  /** Returns this many frames of the type `event`. */
  events(count: number): Promise<Json[]>;
  /** Code and reason of the close. */
  readonly closed: Promise<readonly [number, string]>;
}

export async function listening(
  { routes, options }: Service,
  trustsPeer?: (address: string) => boolean,
): Promise<Listening> {
  const sockets = createChatSockets({ ...options, ...(trustsPeer && { trustsPeer }) });
  const listener = createAppListener(routes, {
    upgrade: {
      accepts: (incoming) => sockets.accepts(incoming),
      open(incoming, socket, head) {
        const { "x-test-client": client } = incoming.headers;
        sockets.open({ incoming, socket, head, ...(typeof client === "string" && { client }) });
      },
    },
    onError: (error) => {
      throw error;
    },
  });
  const { port } = await listener.listen(0, "127.0.0.1");
  const drain = async (limit: number): Promise<void> => {
    const drained = listener.drain(limit);
    options.feed.end();
    await drained;
  };
  onTestFinished(() => drain(100));
  return {
    url: `http://127.0.0.1:${port}`,
    drain,
    connect: (how) => connect(`ws://127.0.0.1:${port}`, how),
  };
}

export function connect(origin: string, how: Connecting = {}): Promise<Peer> {
  const { headers = {}, path = "/v1/events", protocols = [] } = how;
  const socket = new WebSocket(`${origin}${path}`, [...protocols], { headers: { ...headers } });
  onTestFinished(() => socket.terminate());
  const frames: Json[] = [];
  const waiting: (() => void)[] = [];
  let taken = 0;
  socket.on("message", (data: RawData) => {
    frames.push(JSON.parse(Buffer.isBuffer(data) ? data.toString() : ""));
    waiting.splice(0).forEach((wake) => wake());
  });
  const closed = new Promise<readonly [number, string]>((resolve) => {
    socket.on("close", (code, reason) => resolve([code, reason.toString()]));
  });
  const next = async (): Promise<Json> => {
    while (frames.length <= taken) {
      const more = new Promise<void>((resolve) => waiting.push(resolve));
      const ended = await Promise.race([more, closed]);
      if (ended !== undefined && frames.length <= taken) {
        throw new Error(`closed: ${ended[0]} ${ended[1]}`);
      }
    }
    taken += 1;
    return frames[taken - 1];
  };
  const peer: Peer = {
    socket,
    frames,
    next,
    async events(count) {
      const events: Json[] = [];
      while (events.length < count) {
        const frame = await next();
        if (frame.type === "event") events.push(frame);
      }
      return events;
    },
    closed,
  };
  return new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.on("unexpected-response", (_request, response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () => reject(new Refused(response.statusCode ?? 0, text)));
    });
    socket.on("open", () => resolve(peer));
  });
}

/** An ordinary answer instead of the upgrade. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(`${status} ${text}`);
    this.status = status;
  }
}

export async function refusalOf(connecting: Promise<unknown>): Promise<number> {
  const error: unknown = await connecting.then(
    () => null,
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(Refused);
  return error instanceof Refused ? error.status : 0;
}
