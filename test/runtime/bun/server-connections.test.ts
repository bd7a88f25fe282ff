import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RawConnection, rawConnect, rawRequest } from "../../../src/testing/index.ts";
import { connect, get, post, reluctant, startTargets, type Targets } from "./targets.ts";

const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const megabyte = Buffer.alloc(1_000_000, "GET / HTTP/1.1\r\n\r\n");

async function memoryOf({ port }: Targets): Promise<number> {
  return Number((await rawRequest(port, get("/memory"))).body.toString());
}

/**
 * Resolves when nothing more is taken of what waits to be sent: not with the first pause of a busy
 * machine.
 */
async function stuck({ socket }: RawConnection): Promise<number> {
  let last = -1;
  for (;;) {
    const sent = socket.bytesWritten - socket.writableLength;
    if (sent === last) return sent;
    last = sent;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

describe("the connections of the server on Bun", () => {
  let server: Targets;
  beforeAll(async () => {
    server = await startTargets({ rest: 2000 });
  });
  afterAll(() => server.stop());

  it.each([
    ["in one piece", 100_000],
    ["in many", 800_000],
  ])("go on after a body %s that nobody reads, and one that is read late", async (_, size) => {
    for (const target of ["/later", "/echo-later"]) {
      const connection = await connect(server);
      const piece = megabyte.subarray(0, 100_000);
      connection.send(post(target, size) + piece.toString("latin1"));
      for (let sent = piece.length; sent < size; sent += piece.length) connection.send(piece);
      expect((await connection.answer()).complete).toBe(true);
      connection.send(get("/ok"));
      expect((await connection.answer()).body.toString()).toBe("ok");
    }
  });

  it("go on after an early answer, once the rest of its upload is here", async () => {
    const connection = await connect(server);
    connection.send(post("/ok", 5_000_000));
    await connection.waitFor(ok);
    for (let i = 0; i < 5; i++) connection.send(megabyte);
    connection.send(get("/echo"));
    await connection.waitFor("GET /echo ");
    expect(connection.received()).toBe(
      `${ok}HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nGET /echo `,
    );
  });

  it("end after an early answer whose upload does not come", async () => {
    const connection = await connect(server);
    connection.send(`${post("/ok", 10)}abc`);
    await connection.closed();
    expect([connection.received(), connection.socket.errored]).toEqual([ok, null]);
  });

  it("let a client that is still sending have the answer that ends them", async () => {
    for (const head of [
      post("/later", 1e9, "Connection: close\r\n"),
      `GET /ok HTTP/1.1\r\nX: ${"a".repeat(33_000)}`,
    ]) {
      const connection = await reluctant(server, head);
      for (let i = 0; i < 5; i++) connection.send(megabyte);
      // All of it is taken, though nobody wants it.
      await new Promise<void>((resolve) => connection.socket.write("", () => resolve()));
      connection.socket.resume();
      await connection.waitFor("\r\nConnection: close\r\n");
      connection.socket.end();
      await connection.closed();
      expect(connection.socket.errored).toBeNull();
    }
  });

  it.each(["/send", "/stream"])("bring %s whole to whoever reads late", async (target) => {
    for (const fields of ["", "Connection: close\r\n"]) {
      const size = 30_000_000;
      const connection = await reluctant(server, get(`${target}?${size}`, fields));
      let taken = 0;
      const whole = new Promise<void>((resolve) => {
        connection.socket.on("data", ({ length }) => {
          taken += length;
          if (taken >= size) resolve();
        });
      });
      connection.socket.pause();
      await rawRequest(server.port, get("/ok"));
      connection.socket.resume();
      await whole;
      if (fields === "") connection.send(get("/ok"));
      else await connection.closed();
      expect(connection.socket.errored).toBeNull();
    }
  });

  it("hold an answer of 200 MB back while nobody reads", async () => {
    const before = await memoryOf(server);
    const connection = await reluctant(server, get("/stream?200000000"));
    await rawRequest(server.port, get("/ok"));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect((await memoryOf(server)) - before).toBeLessThan(50_000_000);
    connection.destroy();
    await server.said("gone 200000000");
  });

  it("answer nothing more while nobody takes the answers, and then all", async () => {
    const before = await memoryOf(server);
    const requests = 5000;
    const connection = await reluctant(server, get("/send?20000").repeat(requests));
    await rawRequest(server.port, get("/ok"));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect((await memoryOf(server)) - before).toBeLessThan(50_000_000);
    const answer = "HTTP/1.1 200 OK\r\nContent-Length: 20000\r\n\r\n".length + 20_000;
    let taken = 0;
    await new Promise<void>((resolve) => {
      connection.socket.on("data", ({ length }) => {
        taken += length;
        if (taken >= requests * answer) resolve();
      });
      connection.socket.resume();
    });
    expect(taken).toBe(requests * answer);
  });

  it("hold an upload back that nobody reads, and bring all of it to who does", async () => {
    const connection = await connect(server);
    const size = 40_000_000;
    connection.send(post("/sink?upload", size));
    await server.said("asked upload");
    for (let i = 0; i < 40; i++) connection.socket.write(megabyte);
    expect(await stuck(connection)).toBeLessThan(size);
    await rawRequest(server.port, get("/release?upload"));
    expect((await connection.answer()).body.toString()).toBe(`${size}`);
  });

  it.each([
    ["waits", get("/hold?client"), "gone client"],
    ["waits, with requests behind", get("/hold?client") + get("/ok").repeat(100), "gone client"],
    ["uploads", `${post("/hold?client", 1000)}abc`, "gone client"],
    ["downloads", get("/stream?100000000"), "gone 100000000"],
    ["uploads to who reads", `${post("/echo", 1000)}abc`, "lost /echo"],
  ])("tell the app when a client leaves while it %s", async (_, bytes, said) => {
    for (const leave of ["end", "destroy", "resetAndDestroy"] as const) {
      const connection = await reluctant(server, bytes);
      if (bytes.includes("/hold")) await server.said("asked client");
      else await rawRequest(server.port, get("/later"));
      connection.socket[leave]();
      await server.said(said);
    }
  });

  it("end in good order when the client ends its side, and what was answered arrives", async () => {
    const ends = async (bytes: string, until: string): Promise<string> => {
      const connection = await connect(server);
      connection.send(bytes);
      if (until !== "") await connection.waitFor(until);
      connection.socket.end();
      await connection.closed();
      expect(connection.socket.errored).toBeNull();
      return connection.received();
    };
    expect(await ends(get("/ok"), "ok")).toBe(ok);
    expect(await ends(get("/hold?never"), "")).toBe("");
    expect(await ends("GET /ok HT", "")).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(await ends(`${post("/echo", 9)}abc`, "")).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(await ends("", "")).toBe("");
  });

  it("bring the rest of an answer to a client that has ended its side", async () => {
    const connection = await reluctant(server, get("/send?30000000"));
    await rawRequest(server.port, get("/ok"));
    connection.socket.end();
    await rawRequest(server.port, get("/later"));
    let taken = 0;
    connection.socket.on("data", ({ length }) => (taken += length));
    connection.socket.resume();
    await connection.closed();
    expect([taken > 30_000_000, connection.socket.errored]).toEqual([true, null]);
  });

  it("leave nothing behind when thousands open and go", async () => {
    const round = async (bytes: string): Promise<void> => {
      const all = await Promise.all(Array.from({ length: 1000 }, () => rawConnect(server.port)));
      for (const connection of all) {
        if (bytes !== "") connection.send(bytes);
      }
      await rawRequest(server.port, get("/ok"));
      all.forEach(({ socket }, i) => (i % 2 === 0 ? socket.destroy() : socket.resetAndDestroy()));
      await rawRequest(server.port, get("/ok"));
    };
    await round("");
    await round(post("/echo", 100_000));
    const before = await memoryOf(server);
    for (let i = 0; i < 3; i++) {
      await round("");
      await round(post("/echo", 100_000));
    }
    expect((await memoryOf(server)) - before).toBeLessThan(20_000_000);
  });
});
