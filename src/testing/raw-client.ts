import { connect, type Socket } from "node:net";
import { createMessageReader, type HttpMessage } from "./http-message.ts";

/** An answer as it came over the wire. */
export interface RawAnswer extends HttpMessage {
  readonly status: number;
  readonly reason: string;
  /** Heads of 1xx answers that came before, as text. */
  readonly interim: readonly string[];
}

export interface RawConnection {
  readonly socket: Socket;
  /** Writes bytes; text is Latin-1. */
  send(bytes: string | Uint8Array): void;
  /** Everything received so far, as Latin-1 text. */
  received(): string;
  /** Resolves when the text has been received; rejects when the connection ends before. */
  waitFor(text: string): Promise<void>;
  /** The next whole answer, or the received part of it when the connection ends. */
  answer(): Promise<RawAnswer>;
  /** Resolves when the other side has closed or broken off. */
  closed(): Promise<void>;
  destroy(): void;
}

/** Sends bytes to 127.0.0.1, waits for one answer, and closes. Text is Latin-1. */
export async function sendRawRequest(port: number, bytes: string | Uint8Array): Promise<RawAnswer> {
  const connection = await connectRaw(port);
  try {
    connection.send(bytes);
    return await connection.answer();
  } finally {
    connection.destroy();
  }
}

/** A connection whose bytes the test writes and reads itself. */
export async function connectRaw(port: number): Promise<RawConnection> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  const answers = createAnswers();
  const waiters = new Set<() => void>();
  const received: Buffer[] = [];
  let ended = false;
  const wake = (): void => {
    for (const check of waiters) check();
  };
  socket.on("data", (bytes) => {
    received.push(bytes);
    answers.push(bytes);
    wake();
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    ended = true;
    answers.close();
    wake();
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", () => resolve());
    socket.once("error", reject);
  });

  const until = (done: () => boolean, hopeless: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        if (!done() && !ended) return;
        waiters.delete(check);
        if (done()) resolve();
        else reject(new Error(hopeless));
      };
      waiters.add(check);
      check();
    });
  const readText = (): string => Buffer.concat(received).toString("latin1");

  return {
    socket,
    send(bytes) {
      const first = typeof bytes === "string" ? bytes : Buffer.from(bytes).toString("latin1");
      answers.sent(first);
      socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
    },
    received: readText,
    waitFor: (text) => until(() => readText().includes(text), `never received: ${text}`),
    async answer() {
      let found: RawAnswer | null = null;
      await until(() => (found ??= answers.take(ended)) !== null, "closed without an answer");
      if (found === null) throw new Error("closed without an answer");
      return found;
    },
    closed: () => until(() => ended, ""),
    destroy: () => socket.destroy(),
  };
}

interface Answers {
  push(bytes: Uint8Array): void;
  close(): void;
  sent(text: string): void;
  take(evenIncomplete: boolean): RawAnswer | null;
}

function createAnswers(): Answers {
  const methods: string[] = [];
  const messages: HttpMessage[] = [];
  let unreadable = false;
  const reader = createMessageReader({
    untilClose: true,
    bodyless(startLine) {
      const status = statusOf(startLine);
      if (status < 200) return true;
      return methods.shift() === "HEAD" || status === 204 || status === 304;
    },
    onHead: (message) => messages.push(message),
  });
  return {
    push(bytes) {
      if (unreadable) return;
      try {
        reader.push(bytes);
      } catch {
        // The bytes after an upgrade are no HTTP; the test looks at received().
        unreadable = true;
      }
    },
    close: () => reader.close(),
    sent(text) {
      const method = /^([A-Z]+) \S+ HTTP\/1/.exec(text)?.[1];
      if (method !== undefined) methods.push(method);
    },
    take(evenIncomplete) {
      const final = messages.findIndex((message) => statusOf(message.startLine) >= 200);
      const message = messages[final];
      if (message === undefined || !(message.complete || evenIncomplete)) return null;
      const interim = messages.splice(0, final + 1).slice(0, -1);
      return {
        status: statusOf(message.startLine),
        reason: message.startLine.split(" ").slice(2).join(" "),
        interim: interim.map((one) => Buffer.from(one.head).toString("latin1")),
        startLine: message.startLine,
        headers: message.headers,
        head: message.head,
        body: message.body,
        chunks: message.chunks,
        trailers: message.trailers,
        complete: message.complete,
      };
    },
  };
}

function statusOf(startLine: string): number {
  return Number(startLine.split(" ")[1]);
}
