import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { afterword } from "../../terminal.ts";
import { inDatabase } from "../place.ts";
import { createFolder } from "../../../fixtures/folder.ts";

/** Reports over one kind of database. */
export function reports(kind: string, newDatabase: () => Promise<string>): void {
  const report = (database: string, ...args: string[]) =>
    afterword(["backend", "report", "--database", database, ...args]);
  const rows = async (database: string, ...args: string[]): Promise<readonly object[]> =>
    JSON.parse((await report(database, "--format", "json", ...args)).out).rows;

  describe(`reports from ${kind}`, () => {
    test("count per day, with the days on which nothing happened, in UTC", async () => {
      const database = await newDatabase();
      await fill(database);
      expect(await rows(database)).toEqual([
        counts({ day: "2026-11-01", events: 3, sessions: 2, clicks: 2 }),
        counts({ day: "2026-11-02", events: 0, sessions: 0 }),
        counts({
          day: "2026-11-03",
          events: 5,
          sessions: 2,
          clicks: 0,
          positive: 1,
          negative: 1,
          others: 1,
        }),
      ]);
      expect(await rows(database, "--from", "2026-11-02", "--to", "2026-11-02")).toEqual([]);
      expect(await rows(database, "--to", "2026-11-01")).toMatchObject([{ events: 3 }]);
      expect(await rows(database, "--from", "2026-11-03")).toMatchObject([{ events: 5 }]);
      expect(await rows(database, "--project", "bank")).toMatchObject([{ events: 1 }]);
    });

    test("count per type and per content", async () => {
      const database = await newDatabase();
      await fill(database);
      expect(await rows(database, "--by", "type")).toMatchObject([
        { type: "chatbot rate", events: 4, positive: 1, negative: 1, others: 0 },
        { type: "chatbot click", events: 1, clicks: 1 },
        { type: "chatbot open", events: 1 },
        { type: "knowledge rate", events: 1, others: 1 },
        { type: "knowledge search", events: 1, clicks: 1 },
      ]);
      const content = createFolder();
      await writeFile(
        join(content, "shop.en.yaml"),
        "language: en\ncontents:\n  - { id: 7, title: Parcels, answer: <p>Here</p> }\n",
      );
      await mkdir(join(content, "texts"));
      await copyFile("config/backend/texts/en.yaml", join(content, "texts", "en.yaml"));
      expect(await rows(database, "--by", "content", "--content", content)).toEqual([
        counts({ title: "Parcels", content: "7", events: 4, sessions: 1, clicks: 2, positive: 1 }),
        counts({ title: null, content: "12", events: 2, sessions: 1, negative: 1 }),
        counts({ title: null, content: "8", events: 1, sessions: 0, others: 1 }),
      ]);
      const text = await report(database, "--by", "content", "--content", content);
      expect(text.out).toMatch(/^7 Parcels +█+ +4 /m);
      const swapped = ["--by", "content", "--positive", "2,9", "--negative", "1"];
      expect(await rows(database, ...swapped)).toMatchObject([
        { content: "7", positive: 0, negative: 1 },
        { content: "12", positive: 1, negative: 0 },
        { content: "8", positive: 1, others: 0 },
      ]);
    });

    test("list what one session did, in order", async () => {
      const database = await newDatabase();
      await fill(database);
      const { out } = await report(database, "--session", "one", "--format", "json");
      expect(JSON.parse(out)).toMatchObject([
        { type: "click", content: 7, time: "2026-11-01T00:00:00.000Z" },
        { type: "search", product: "knowledge", text: "=shoes", time: "2026-11-01T10:00:00.000Z" },
        { type: "rate", rating: "2", data: { code: "rate.7.1", value: 2 } },
        { type: "rate", rating: "1", text: "better now" },
      ]);
      const text = await report(database, "--session", "one");
      expect(text.out.split("\n")[0]).toMatch(/^TIME +PRODUCT +TYPE +CONTENT +RATING +DATA$/);
      const none = await report(database, "--session", "nobody");
      expect(none).toMatchObject({
        code: 1,
        out: "",
        error: expect.stringMatching(/no event of session "nobody"/),
      });
    });

    test("read more events than fit into one page", async () => {
      const database = await newDatabase();
      await inDatabase(database, async ({ kysely }) => {
        for (let at = 0; at < 4100; at += 100) {
          const some = Array.from({ length: 100 }, (_, index) =>
            event(at + index, `s${index}`, "open", {}),
          );
          await kysely.insertInto("events").values(some).execute();
        }
      });
      expect(await rows(database)).toMatchObject([{ events: 4100, sessions: 100 }]);
    });
  });
}

function counts(more: object): object {
  return { clicks: 0, positive: 0, negative: 0, others: 0, ...more };
}

const event = (at: number, session: string, type: string, data: unknown) => ({
  ...{ at, project: "shop", session, type, data: JSON.stringify(data) },
});

async function fill(database: string): Promise<void> {
  const day = (date: string): number => Date.parse(date);
  await inDatabase(database, async ({ kysely }) => {
    const [first, third] = [day("2026-11-01T00:00:00Z"), day("2026-11-03T23:59:59.999Z")];
    await kysely
      .insertInto("events")
      .values([
        event(first, "one", "click", { code: "click.7.1" }),
        { ...event(first + 1, "two", "open", "anything"), project: "bank" },
        // Rated twice, and then with a remark: the last one counts as the only rating.
        event(third - 2, "one", "rate", { code: "rate.7.1", value: 2 }),
        event(third - 1, "one", "rate", { code: "rate.7.1", value: "1", comment: "better now" }),
        event(third, "three", "rate", { code: "rate.12.4", value: "2" }),
        event(third, "three", "rate", { code: "rate.12.4", value: "2", comment: "=1+1" }),
      ])
      .execute();
    const row = {
      ...{ project: "shop", user_question: null, found: null, language: "en", source: "" },
      ...{ environment: "production", user_type: 0, ip: null, user_agent: null, sdk_version: null },
    };
    const search = { type: "search", query: "=shoes", content: 7, clicked: 1, session: "one" };
    const rate = { type: "rate", query: null, content: 8, clicked: 0, session: null };
    await kysely
      .insertInto("knowledge_events")
      .values([
        {
          ...row,
          ...search,
          at: day("2026-11-01T10:00:00Z"),
          log: "a",
          rating: null,
          comment: null,
          data: "null",
        },
        {
          ...row,
          ...rate,
          at: day("2026-11-03T10:00:00Z"),
          log: "b",
          rating: "9",
          comment: null,
          data: "null",
        },
      ])
      .execute();
  });
}
