import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { writeFile } from "node:fs/promises";
import { createClient } from "@redis/client";
import { copyAll, keysIn, openOld } from "./records.ts";

/**
 * Puts the state into Redis by the code of that version, and writes what stands there:
 * `[key, command, …arguments, expires]`.
 */
export async function copyToRedis(
  checkout: string,
  from: string,
  to: string,
  now: number,
): Promise<void> {
  const port = await freePort();
  const options = [
    "--bind",
    "127.0.0.1",
    "--port",
    String(port),
    "--save",
    "",
    "--appendonly",
    "no",
  ];
  const server = spawn("redis-server", options, { stdio: "ignore" });
  const ended = once(server, "exit");
  const address = `redis://127.0.0.1:${port}`;
  try {
    const client = await connected(address);
    const source = await openOld(checkout, "file", from, now);
    const target = await openOld(checkout, "redis", address, now);
    await copyAll(source, target, keysIn(from));
    await source.close();
    await target.close();
    const commands: string[][] = [];
    const lives: Record<string, number> = {};
    for (const key of (await client.keys("*")).toSorted()) {
      commands.push(await commandOf(client, key));
      const life = await client.pTTL(key);
      // In whole minutes: how long it took to write it says nothing.
      if (life > 0) lives[key] = Math.ceil(life / 60_000) * 60_000;
    }
    client.destroy();
    await writeFile(to, `${JSON.stringify({ commands, lives }, null, 1)}\n`);
  } finally {
    server.kill("SIGKILL");
    await ended;
  }
}

async function connected(address: string): Promise<ReturnType<typeof createClient>> {
  for (let attempt = 0; ; attempt++) {
    const client = createClient({ url: address, socket: { reconnectStrategy: false } });
    client.on("error", () => undefined);
    try {
      await client.connect();
      return client as ReturnType<typeof createClient>;
    } catch (error) {
      if (attempt === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function commandOf(client: ReturnType<typeof createClient>, key: string): Promise<string[]> {
  const type = await client.type(key);
  switch (type) {
    case "string":
      return ["SET", key, String(await client.get(key))];
    case "hash":
      return ["HSET", key, ...Object.entries(await client.hGetAll(key)).flat()];
    case "set":
      return ["SADD", key, ...(await client.sMembers(key)).toSorted()];
    case "zset": {
      const members = await client.zRangeWithScores(key, 0, -1);
      return ["ZADD", key, ...members.flatMap(({ score, value }) => [String(score), value])];
    }
    default:
      throw new Error(`${key} is a ${type}`);
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
