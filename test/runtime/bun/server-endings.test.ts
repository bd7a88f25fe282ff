import { describe, expect, it, onTestFinished } from "vitest";
import { rawConnect, rawRequest } from "../../../src/testing/index.ts";
import { connect, converse, get, post, reluctant, startTargets, type Targets } from "./targets.ts";

const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

describe("the times of a connection", () => {
  const answer408 = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n";

  it("are up for a head, a whole request, and for one that never comes", async () => {
    const server = await startTargets({ head: 300, request: 900, rest: 100 });
    onTestFinished(() => server.stop());
    expect(await converse(server.port)).toBe(answer408);
    expect(await converse(server.port, "GET / HTTP/1.1\r\n", "Host: a\r\n")).toBe(answer408);
    expect(await converse(server.port, `${post("/echo", 10)}abc`)).toBe(answer408);
  });

  it("are up between two requests, in good order", async () => {
    const server = await startTargets({ idle: 300, head: 60_000 });
    onTestFinished(() => server.stop());
    const connection = await rawConnect(server.port);
    connection.send(get("/ok"));
    await connection.closed();
    expect([connection.received(), connection.socket.errored]).toEqual([ok, null]);
  });

  it("are up for a client that takes nothing, and not for one that takes little", async () => {
    const server = await startTargets({ stall: 1500, idle: 10, rest: 10 });
    onTestFinished(() => server.stop());
    await reluctant(server, get("/stream?100000000"));
    const slow = await reluctant(server, get("/send?12000000", "Connection: close\r\n"));
    const started = performance.now();
    let taken = 0;
    slow.socket.on("data", ({ length }) => {
      taken += length;
      slow.socket.pause();
      setTimeout(() => slow.socket.resume(), 20);
    });
    slow.socket.resume();
    await slow.closed();
    expect(taken).toBeGreaterThan(12_000_000);
    expect(performance.now() - started).toBeGreaterThan(1500);
    await server.said("gone 100000000");
  });
});

describe("the end of the server on Bun", () => {
  const start = async (): Promise<Targets> => {
    const server = await startTargets();
    onTestFinished(() => server.stop());
    return server;
  };

  it("finishes what is under way, closes what is idle, and takes nothing new", async () => {
    const server = await start();
    const idle = await connect(server);
    idle.send(get("/ok"));
    await idle.waitFor(ok);
    const unused = await connect(server);
    const releasing = "GET /release?busy HTTP/1.1\r\nHost: a\r\n\r\n";
    const arriving = await connect(server);
    arriving.send(releasing.slice(0, 6));
    const busy = await connect(server);
    busy.send(get("/hold?busy"));
    await server.said("asked busy");
    server.drain();
    await server.said("draining");
    await Promise.all([idle.closed(), unused.closed()]);
    expect([idle.socket.errored, unused.socket.errored]).toEqual([null, null]);
    await expect(rawConnect(server.port)).rejects.toThrow("ECONNREFUSED");
    arriving.send(releasing.slice(6));
    for (const connection of [arriving, busy]) {
      await connection.closed();
      expect(connection.received()).toContain("\r\nConnection: close\r\n\r\n");
    }
    expect(busy.received()).toMatch(/held busy$/);
    expect(await server.ended).toBe(0);
  });

  it("lets an answer be taken that was given before", async () => {
    const server = await start();
    const size = 20_000_000;
    const connection = await reluctant(server, get(`/send?${size}`));
    await rawRequest(server.port, get("/ok"));
    server.drain();
    await server.said("draining");
    await new Promise((resolve) => setTimeout(resolve, 300));
    let taken = 0;
    connection.socket.on("data", ({ length }) => (taken += length));
    connection.socket.resume();
    await connection.closed();
    expect(taken).toBeGreaterThan(size);
    expect(await server.ended).toBe(0);
  });
});
