// Suite: slow
import { expect, test } from "vitest";
import { seeded } from "../../../../bench/backend/random.ts";
import { killWhilePublishing } from "../../../chaos/console/killing.ts";
import { workspace } from "../../../config/workspace.ts";

// A hundred kills: npm run chaos -- console.
test(
  "a publication of several files is wholly old or wholly new after kill -9 and a start",
  { timeout: 40_000 },
  async () => {
    const folder = await workspace({});
    const { faults } = await killWhilePublishing({ folder, kills: 4, random: seeded(1) });
    expect(faults).toEqual([]);
  },
);
