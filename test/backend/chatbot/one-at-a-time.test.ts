import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import {
  createBackend,
  credentialsFrom,
  DEMO_CREDENTIALS,
  DEMO_PROJECTS,
} from "../../../src/backend/index.ts";
import { loadContent } from "../../../src/backend/content/load.ts";
import { openStorage } from "../../../src/backend/storage/open-storage.ts";
import { contentDirectory, signingKey, talk } from "../client.ts";

test("no turn is lost with a slow store", async () => {
  const storage = await openStorage(null);
  const app = createBackend({
    content: await loadContent(contentDirectory),
    credentials: credentialsFrom(DEMO_CREDENTIALS),
    projects: DEMO_PROJECTS,
    signingKeys: [signingKey],
    storage: {
      ...storage,
      sessions: {
        ...storage.sessions,
        async read(key, now) {
          const found = await storage.sessions.read(key, now);
          await setImmediate();
          return found;
        },
      },
    },
    now: Date.now,
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  });
  const { say, get } = await talk(app);
  await Promise.all(Array.from({ length: 10 }, () => say("zebra")));
  const { body } = await get("/v1/conversation/variables");
  expect(body.sys_unanswered_consecutive.value).toBe("10");
});
