// Suite: slow
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { LineAnswer, Review } from "../../../src/api/console.ts";
import { ADMIN, EVA, type Served, served, VERA } from "./console.ts";

const TOKENS = {
  AFTERWORD_ADMIN_TOKEN: ADMIN,
  AFTERWORD_ADMIN_TOKENS: `eva:edit:fr:${EVA},vera:view:${VERA}`,
};
const FILES = { "messages/fr.yaml": 'welcome: "Salut"\n', "messages/en.yaml": 'welcome: "Hi"\n' };

type Api = Served["api"];

async function hashOf(api: Api, place: string): Promise<string | null> {
  return ((await api(`texts/${place}?instance=shop`)).body as LineAnswer).hash;
}

async function reviewsIn(api: Api, instance = "shop", token = VERA): Promise<readonly Review[]> {
  const { body } = await api(`reviews?instance=${instance}`, { token });
  return (body as { reviews: readonly Review[] }).reviews;
}

const mark = (api: Api, place: string, hash: string | null, token = EVA) =>
  api(`reviews/${place}`, { method: "PUT", json: { instance: "shop", hash }, token });

describe("a review", () => {
  it("records who has read a line, when, and that the English changed since", async () => {
    const { api, directory, running } = await served(FILES, TOKENS);
    expect((await mark(api, "fr/welcome", await hashOf(api, "fr/welcome"))).status).toBe(200);
    const [review] = await reviewsIn(api);
    expect(review).toMatchObject({
      key: "welcome",
      locale: "fr",
      by: "eva",
      sourceChanged: false,
    });
    expect(Math.abs(Date.now() - Date.parse(review?.at ?? ""))).toBeLessThan(60_000);
    await writeFile(join(directory, "messages/en.yaml"), 'welcome: "Hello"\n');
    await running.reload();
    expect(await reviewsIn(api)).toMatchObject([{ sourceChanged: true }]);
    // A review concerns the text itself: a changed text is not reviewed, and the old one is again
    // when it returns.
    await writeFile(join(directory, "messages/fr.yaml"), 'welcome: "Bonsoir"\n');
    await running.reload();
    expect(await reviewsIn(api)).toEqual([]);
    await writeFile(join(directory, "messages/fr.yaml"), 'welcome: "Salut" # again\n');
    await running.reload();
    expect(await reviewsIn(api)).toHaveLength(1);
  });

  it("covers Afterword's own texts too, in every channel, and for every instance that uses them", async () => {
    const { api, directory, running } = await served(
      { "messages/es.yaml": "welcome: Hola\n" },
      TOKENS,
    );
    await mark(api, "fr/welcome", await hashOf(api, "fr/welcome"));
    expect(await reviewsIn(api)).toHaveLength(1);
    expect(await reviewsIn(api, "bank")).toHaveLength(1);
    const voice = "welcome:\n  channels: { voice: Allô }\n";
    await writeFile(join(directory, "messages/fr.yaml"), voice);
    await running.reload();
    expect(await reviewsIn(api)).toEqual([]);
  });

  it("is refused for what was not read, for other languages, and for readers of the console", async () => {
    const { api } = await served(FILES, TOKENS);
    const hash = await hashOf(api, "fr/welcome");
    expect((await mark(api, "fr/welcome", "0".repeat(64))).status).toBe(409);
    expect((await mark(api, "fr/no-results", hash)).status).toBe(409);
    expect((await mark(api, "de/welcome", await hashOf(api, "de/welcome"))).status).toBe(403);
    expect((await mark(api, "fr/welcome", hash, VERA)).status).toBe(403);
    expect((await mark(api, "fr/wellcome", hash)).status).toBe(404);
    expect(await reviewsIn(api)).toEqual([]);
  });

  it("is taken back, and both are in the audit log", async () => {
    const { api } = await served(FILES, TOKENS);
    await mark(api, "fr/welcome", await hashOf(api, "fr/welcome"));
    const gone = await api("reviews/fr/welcome?instance=shop", { method: "DELETE", token: EVA });
    expect(gone.body).toEqual({ reviews: [] });
    expect(await reviewsIn(api)).toEqual([]);
    expect((await api("audit")).body).toMatchObject({
      audit: [
        { label: "eva", action: "review-delete", details: "fr welcome" },
        { label: "eva", action: "review", details: "fr welcome" },
      ],
    });
  });
});
