import { describe, expect, test } from "vitest";
import { service } from "../service.ts";
import type { ServiceOptions } from "../service.ts";
import { english } from "../shop.ts";

const renamed = english.replace("title: Where is my order?", "title: Track your order");

/** Tests former slugs and dates on any store. */
export function slugs(
  title: string,
  address: () => Promise<string | null>,
  options: ServiceOptions = {},
): void {
  describe(`slugs over ${title}`, () => {
    test("a former slug leads to the present one, and is not recorded as a click", async () => {
      const { ask, edit, events } = await service(await address(), options);
      expect((await ask("GET", "/contents/slug/where-is-my-order")).status).toBe(200);
      edit(renamed);
      for (const [path, location] of [
        ["/contents/slug/where-is-my-order", "track-your-order"],
        ["/contents/slug/where-is-my-order/", "../track-your-order"],
        ["/contents/slug/where-is-my-order?tracking=0", "track-your-order?tracking=0"],
      ] as const) {
        const moved = await ask("GET", path);
        expect([moved.status, moved.headers.get("location")]).toEqual([301, location]);
        const there = new URL(location, `http://x/knowledge/v1${path}`).pathname;
        expect(there).toBe("/knowledge/v1/contents/slug/track-your-order");
      }
      expect(await events()).toHaveLength(1);
    });

    test("a slug that was former when the process began still leads to the present one", async () => {
      const database = await address();
      if (database === null) return;
      const before = await service(database);
      await before.ask("GET", "/categories");
      const after = await service(database, { files: [renamed] });
      expect((await after.ask("GET", "/contents/slug/where-is-my-order")).status).toBe(301);
    });

    test("a slug that another content has now belongs to that content", async () => {
      const { ask, edit } = await service(await address(), options);
      await ask("GET", "/categories");
      edit(renamed.replace("title: Delivery costs", "title: Where is my order?"));
      const { status, body } = await ask("GET", "/contents/slug/where-is-my-order");
      expect([status, body.results[0].id]).toEqual([200, 2]);
    });

    test("a slug that two contents had leads to the last one that had it", async () => {
      const { ask, edit } = await service(await address(), options);
      await ask("GET", "/categories");
      for (const title of ["Where is my order?", "Postage"]) {
        edit(renamed.replace("title: Delivery costs", `title: ${title}`));
        await ask("GET", "/categories");
      }
      const { headers } = await ask("GET", "/contents/slug/where-is-my-order");
      expect(headers.get("location")).toBe("postage");
    });

    test("a title that was changed back has its slug back", async () => {
      const { ask, edit } = await service(await address(), options);
      await ask("GET", "/categories");
      edit(renamed);
      await ask("GET", "/categories");
      edit(english);
      expect((await ask("GET", "/contents/slug/where-is-my-order")).status).toBe(200);
      expect((await ask("GET", "/contents/slug/track-your-order")).headers.get("location")).toBe(
        "where-is-my-order",
      );
    });

    test("the slugs of many contents are all kept", async () => {
      const many = (title: string): string => {
        const items = Array.from({ length: 450 }, (_, id) => ({
          id: id + 1,
          title: `${title} ${id + 1}`,
          answer: "x",
        }));
        return JSON.stringify({ language: "en", contents: items });
      };
      const { ask, edit } = await service(await address(), { ...options, files: [many("Old")] });
      await ask("GET", "/categories");
      edit(many("New"));
      for (const id of [1, 200, 201, 450]) {
        const { headers } = await ask("GET", `/contents/slug/old-${id}`);
        expect(headers.get("location")).toBe(`new-${id}`);
      }
    });

    test("a former slug of a content that is deleted or not shown is 404", async () => {
      const { ask, edit } = await service(await address(), options);
      await ask("GET", "/categories");
      edit(
        renamed.replace("title: Track your order", "title: Track your order\n    published: false"),
      );
      expect((await ask("GET", "/contents/slug/where-is-my-order")).status).toBe(404);
    });

    test("a former slug is valid in its language only", async () => {
      const { ask, edit } = await service(await address(), options);
      await ask("GET", "/categories");
      edit(renamed, "language: ja\ncontents: [{ id: 1, title: x, answer: x }]");
      expect((await ask("GET", "/contents/slug/where-is-my-order?lang=ja")).status).toBe(404);
    });

    test("a content without a creation date gets the moment when it was first seen", async () => {
      const { ask, edit, time } = await service(await address(), options);
      const dates = async (id: number) => {
        const { body } = await ask("GET", `/contents/${id}?tracking=0`);
        return [body.results[0].creationDate, body.results[0].modificationDate];
      };
      expect(await dates(4)).toEqual(["20260101000000", "20260101000000"]);
      expect(await dates(1)).toEqual(["20260504000000", "20260504000000"]);
      time.advance(3661);
      edit(english.replace("appData:", "  - { id: 20, title: New, answer: new }\nappData:"));
      expect(await dates(20)).toEqual(["20260101010101", "20260101010101"]);
      expect(await dates(4)).toEqual(["20260101000000", "20260101000000"]);
    });
  });
}
