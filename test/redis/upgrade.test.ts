import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@redis/client";
import { directory } from "../upgrade/fixtures.ts";
import { describeUpgrade } from "../upgrade/suite.ts";
import { openUpgraded } from "../upgrade/upgraded.ts";
import { runRedis } from "./redis-server.ts";

describeUpgrade("Redis", async () => {
  const server = await runRedis();
  const client = createClient({ url: server.address });
  await client.connect();
  const { commands, lives } = JSON.parse(
    readFileSync(join(directory, "stores/redis.json"), "utf8"),
  ) as { commands: readonly string[][]; lives: Readonly<Record<string, number>> };
  for (const command of commands) await client.sendCommand(command);
  for (const [key, life] of Object.entries(lives)) await client.pExpire(key, life);
  client.destroy();
  const upgraded = await openUpgraded(server.address);
  return {
    ...upgraded,
    async close() {
      await upgraded.close();
      await server.end();
    },
  };
});
