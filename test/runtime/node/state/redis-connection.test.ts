// Suite: slow
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { readRedisAddress } from "../../../../src/config/schema/redis-address.ts";
import { freePort } from "../../../fixtures/free-port.ts";
import {
  keepRedisConnection,
  type RedisConnection,
} from "../../../../src/runtime/node/state/redis-connection.ts";

// Real servers are tested in test/runtime/redis; these are no Redis servers, or malicious ones.
describe("a connection to Redis", () => {
  it("rejects at once, and logs that once, while no server listens", async () => {
    const { connection, reports } = keep(`redis://127.0.0.1:${await freePort()}`);
    await connection.tried;
    await expect(connection.use((client) => client.ping())).rejects.toThrow("no connection");
    expect(reports).toEqual(["failed ECONNREFUSED"]);
  });

  it("is open as soon as a client listens, and is reported", async () => {
    const port = await freePort();
    const { connection, reports, until } = keep(`redis://127.0.0.1:${port}`);
    await connection.tried;
    await listen(pong, port);
    await until("works");
    expect(await connection.use((client) => client.ping())).toBe("PONG");
    expect(reports.at(-1)).toBe("works");
  });

  it("is made again when the server closes it, and calls under way reject", async () => {
    const sockets: Socket[] = [];
    const { port } = await listen(
      (socket, text) => {
        if (text.includes("GETEX")) socket.destroy();
        else pong(socket, text);
      },
      0,
      (socket) => sockets.push(socket),
    );
    const { connection, until } = keep(`redis://127.0.0.1:${port}`);
    await connection.tried;
    const expiry = { type: "PX", value: 1000 } as const;
    await expect(connection.use((client) => client.getEx("key", expiry))).rejects.toThrow(
      /disconnects|closed/i,
    );
    await until("works", 2);
    expect(await connection.use((client) => client.ping())).toBe("PONG");
    expect(sockets).toHaveLength(2);
  });

  it("is given up when the server takes it and never answers, and tried again", async () => {
    let mute = true;
    const { port } = await listen((socket, text) => {
      if (!mute) pong(socket, text);
    });
    // A database other than 0 is selected in the greeting.
    const { connection, reports, until } = keep(`redis://127.0.0.1:${port}/1`);
    await connection.tried;
    expect(reports).toEqual(["failed no answer within 2000 ms"]);
    mute = false;
    await until("works");
  });

  it("is given up when the server falls silent later, and made again", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    let mute = false;
    const { port } = await listen((socket, text) => {
      if (!mute) pong(socket, text);
    });
    const { connection, until } = keep(`redis://127.0.0.1:${port}`);
    await connection.tried;
    mute = true;
    vi.advanceTimersByTime(5000);
    await until("failed no answer within 2000 ms");
    mute = false;
    await until("works", 2);
    expect(await connection.use((client) => client.ping())).toBe("PONG");
  });

  it("does not repeat what the server says, which may be our password", async () => {
    const { port } = await listen((socket, text) => {
      socket.write(`-ERR unknown command, with args beginning with: ${JSON.stringify(text)}\r\n`);
    });
    const { connection, reports } = keep(`redis://bot:hunter2@127.0.0.1:${port}`);
    await connection.tried;
    expect(reports).toEqual(["failed ERR"]);
  });

  it("outlives a server that speaks another language", async () => {
    const { port } = await listen(
      (socket) => void socket.write("HTTP/1.1 400 Bad Request\r\n\r\n"),
    );
    const { connection, reports } = keep(`redis://:hunter2@127.0.0.1:${port}`);
    await connection.tried;
    expect(reports).toHaveLength(1);
    expect(reports[0]).not.toContain("hunter2");
    await expect(connection.use((client) => client.ping())).rejects.toThrow("no connection");
  });

  it("accepts no more calls than it can hold", async () => {
    const { port } = await listen(
      (socket, text) => void (text.includes("GETEX") || pong(socket, text)),
    );
    const { connection } = keep(`redis://127.0.0.1:${port}`);
    await connection.tried;
    const expiry = { type: "PX", value: 1000 } as const;
    const calls = Array.from({ length: 1200 }, (_, i) =>
      connection.use((client) => client.getEx(`key-${i}`, expiry)),
    );
    const refused = await Promise.allSettled(calls.slice(1000));
    expect(refused.every(({ status }) => status === "rejected")).toBe(true);
    await connection.close();
    const ends = await Promise.allSettled(calls);
    expect(ends.every(({ status }) => status === "rejected")).toBe(true);
  });

  it("ends for good when it is closed, whatever it was doing", async () => {
    const { port, close, sockets } = await listen(() => undefined);
    const greeting = keep(`redis://127.0.0.1:${port}/1`);
    await expect.poll(() => sockets.size).toBe(1);
    await greeting.connection.close();
    await greeting.connection.tried;
    await expect.poll(() => sockets.size).toBe(0);
    await close();
    const waiting = keep(`redis://127.0.0.1:${port}/1`);
    await waiting.connection.tried;
    await waiting.connection.close();
    await waiting.connection.close();
    expect(greeting.reports).toEqual([]);
    expect(waiting.reports).toEqual(["failed ECONNREFUSED"]);
  });
});

function pong(socket: Socket, text: string): void {
  if (text.includes("PING")) socket.write("+PONG\r\n");
  else socket.write("+OK\r\n");
}

interface Kept {
  readonly connection: RedisConnection;
  readonly reports: readonly string[];
  until(report: string, times?: number): Promise<void>;
}

function keep(address: string): Kept {
  const reports: string[] = [];
  const connection = keepRedisConnection({
    address: readRedisAddress(address),
    health: {
      failed: (detail) => void reports.push(`failed ${detail}`),
      works: () => void reports.push("works"),
    },
    random: () => 0.5,
  });
  onTestFinished(() => connection.close());
  return {
    connection,
    reports,
    async until(report, times = 1) {
      await expect
        .poll(() => reports.filter((one) => one === report).length, { timeout: 40_000 })
        .toBeGreaterThanOrEqual(times);
    },
  };
}

interface Listening {
  readonly port: number;
  readonly sockets: ReadonlySet<Socket>;
  close(): Promise<void>;
}

async function listen(
  onText: (socket: Socket, text: string) => void,
  port = 0,
  opened: (socket: Socket) => void = () => undefined,
): Promise<Listening> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    opened(socket);
    socket.on("data", (bytes) => onText(socket, bytes.toString()));
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(port, "127.0.0.1", resolve);
  });
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  return { port: (server.address() as AddressInfo).port, sockets, close };
}
