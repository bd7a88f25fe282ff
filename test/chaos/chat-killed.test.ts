// Suite: long
import { join } from "node:path";
import { expect, test } from "vitest";
import { seeded } from "../../bench/backend/random.ts";
import { killAgainAndAgain } from "./chat/killing.ts";
import { createFolder } from "../fixtures/folder.ts";

test("kill -9 in the middle of many chats loses nothing that was acknowledged, and repeats nothing", async () => {
  const directory = createFolder();
  const database = join(directory, "backend.db");
  const survival = await killAgainAndAgain({ database, kills: 3, chats: 4, random: seeded(7) });
  expect(survival.faults).toEqual([]);
  expect(survival.acknowledged).toBeGreaterThan(20);
});
