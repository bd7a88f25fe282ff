import { describe, expect, test } from "vitest";
import type { Json } from "../../client.ts";
import { service as open } from "../service.ts";
import { english } from "../shop.ts";
import type { ServiceOptions } from "../service.ts";

const idsOf = ({ body }: Json): readonly number[] => body.results.map(({ id }: Json) => id);
const hostile = [
  "0",
  "-1",
  "1.0",
  "1e0",
  " 1",
  "999",
  "99999999999999999999",
  "NaN",
  "__proto__",
  "constructor",
  "null",
  "..%2f1",
  "%00",
  "%ff",
  "%F0%9F%98%80",
  "1;drop table knowledge_events",
  "a".repeat(4000),
];

/** Tests contents with any store and any gateway. `address` creates a database for each call. */
export function contents(
  title: string,
  address: () => Promise<string | null>,
  options: ServiceOptions = {},
): void {
  const service = async (more: ServiceOptions = {}): ReturnType<typeof open> =>
    open(await address(), { ...options, ...more });

  // A gateway answers a dot segment itself, for every product.
  const ids = hostile.filter((id) => options.getGateway === undefined || !id.includes(".."));

  describe(`contents over ${title}`, () => {
    describe("contents", () => {
      test("a content by its id or slug is a list of one, with every field", async () => {
        const { ask } = await service();
        const byId = await ask("GET", "/contents/3");
        const bySlug = await ask("GET", "/contents/slug/how-do-i-return-an-item");
        for (const { body } of [byId, bySlug]) {
          expect(body).toEqual({
            results: [
              {
                id: 3,
                title: "How do I return an item?",
                slug: "how-do-i-return-an-item",
                categories: [2],
                hasRelated: false,
                hasDecisionTree: true,
                hasCrossSelling: true,
                creationDate: "20260101000000",
                modificationDate: "20260101000000",
                attributes: {
                  ANSWER_TEXT: "<p>You have 30 days.</p>\n<p>Print the <i>label</i>.</p>",
                  ALTERNATIVE_TITLE: "Send something back",
                  SIDEBUBBLE_TEXT: "<p>Keep the receipt.</p>",
                  CROSS_SELLING: "4",
                  PUSH: "2",
                },
                attributeArrays: {
                  ANSWER_TEXT: ["<p>You have 30 days.</p>", "<p>Print the <i>label</i>.</p>"],
                  ALTERNATIVE_TITLE: ["Send something back"],
                  SIDEBUBBLE_TEXT: ["<p>Keep the receipt.</p>"],
                  CROSS_SELLING: ["4"],
                  PUSH: ["2"],
                },
                attributeGroups: {},
                tracking: {
                  clickCode: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/),
                  rateCode: expect.any(String),
                  externalCode: expect.any(String),
                },
              },
            ],
          });
        }
      });

      test("answers must not be cached, because their codes are for one use", async () => {
        const { ask } = await service();
        for (const path of ["/contents/3", "/categories", "/contents/99"]) {
          expect((await ask("GET", path)).headers.get("cache-control")).toBe("no-store");
        }
      });

      test("a content that can't be rated has no rate code", async () => {
        const { ask } = await service();
        const { body } = await ask("GET", "/contents/2");
        expect(body.results[0].tracking).not.toHaveProperty("rateCode");
      });

      test.each(ids)("an id such as %s is 404, and nothing is recorded", async (id) => {
        const { ask, events } = await service();
        for (const path of [
          `/contents/${id}`,
          `/contents/slug/${id}`,
          `/contents/${id}/related`,
          `/contents/${id}/user-questions`,
          `/content/${id}/user-questions`,
          `/contents/${id}/decision-tree`,
          `/user-questions/${id}`,
          `/user-questions/slug/${id}`,
          `/user-question/${id}/contents`,
          `/cross-selling/${id}`,
          `/categories/slug/${id}`,
          ...(id === "0" ? [] : [`/categories/${id}`, `/categories/${id}/contents`]),
        ]) {
          const { status, body } = await ask("GET", path);
          expect([path.slice(0, 60), status, body.error.code]).toEqual([
            path.slice(0, 60),
            404,
            404,
          ]);
          expect(body.message.length).toBeLessThan(200);
        }
        expect(await events()).toEqual([]);
      });

      test("hidden contents can be read by their address, and other contents that are not shown can't", async () => {
        const { ask } = await service();
        const statuses = async (headers = {}): Promise<readonly number[]> => {
          const all = [7, 8, 9, 10, 11].map((id) =>
            ask("GET", `/contents/${id}`, undefined, headers),
          );
          return (await Promise.all(all)).map(({ status }) => status);
        };
        expect(await statuses()).toEqual([200, 404, 200, 404, 404]);
        const inside = { "x-inbenta-env": "development", "x-inbenta-user-type": "3" };
        expect(await statuses(inside)).toEqual([200, 404, 200, 404, 200]);
        expect((await ask("GET", "/contents/slug/unpublished-draft")).status).toBe(404);
      });

      test("lists have the edited order, without contents that are hidden or not shown", async () => {
        const { ask } = await service();
        expect(idsOf(await ask("GET", "/contents"))).toEqual([2, 1, 3, 4, 5, 6, 9]);
        expect(idsOf(await ask("GET", "/contents?categoryId=0"))).toEqual([2, 1, 3, 4, 5, 6, 9]);
        expect(idsOf(await ask("GET", "/contents?categoryId=2"))).toEqual([3, 4, 5, 9]);
        expect(idsOf(await ask("GET", "/contents?categoryId=12,2"))).toEqual([2, 3, 4, 5, 9]);
        // Everything in category 1 is filed in its subcategories.
        expect(idsOf(await ask("GET", "/contents?categoryId=1"))).toEqual([]);
        expect(idsOf(await ask("GET", "/categories/1/contents"))).toEqual([]);
        expect(idsOf(await ask("GET", "/contents?categoryId=1,11"))).toEqual([2, 1]);
        expect(idsOf(await ask("GET", "/contents?categoryId=99"))).toEqual([]);
        expect((await ask("GET", "/contents?categoryId=x")).status).toBe(422);
      });

      test("are sorted by their last change, or by their beginning, newest first", async () => {
        const { ask } = await service();
        expect(idsOf(await ask("GET", "/contents?sortBy=modificationDate"))).toEqual([
          2, 1, 3, 4, 5, 6, 9,
        ]);
        expect(idsOf(await ask("GET", "/contents/?sortBy=creationDate&length=2"))).toEqual([2, 1]);
        expect((await ask("GET", "/contents?sortBy=title")).status).toBe(422);
      });

      test("are paged, and hasMore is a correct boolean", async () => {
        const { ask } = await service();
        const page = async (query: string): Promise<Json> => {
          const answer = await ask("GET", `/contents?${query}`);
          return [idsOf(answer), answer.body.hasMore];
        };
        expect(await page("length=3")).toEqual([[2, 1, 3], true]);
        expect(await page("length=3&offset=3")).toEqual([[4, 5, 6], true]);
        expect(await page("length=3&offset=6")).toEqual([[9], false]);
        expect(await page("length=7")).toEqual([[2, 1, 3, 4, 5, 6, 9], false]);
        expect(await page("offset=100")).toEqual([[], false]);
        for (const wrong of ["length=0", "length=1001", "length=-1", "offset=-1", "offset=x"]) {
          expect((await ask("GET", `/contents?${wrong}`)).status).toBe(422);
        }
      });

      test("several by their ids have the requested order, without missing ones", async () => {
        const { ask, events } = await service();
        expect(idsOf(await ask("GET", "/contents/ids?ids=4,99,2,8,4,7"))).toEqual([4, 2, 7]);
        expect(idsOf(await ask("GET", "/contents/ids?ids[]=4&ids[]=2"))).toEqual([4, 2]);
        expect(idsOf(await ask("GET", "/contents/ids/?ids=8"))).toEqual([]);
        for (const wrong of ["", "?ids=", "?ids=x", `?ids=${"1,".repeat(101)}`]) {
          expect((await ask("GET", `/contents/ids${wrong}`)).status).toBe(422);
        }
        expect(await events()).toEqual([]);
      });

      test("push contents are those with the attribute, ordered by its number, else the newest", async () => {
        const { ask, edit } = await service();
        expect(idsOf(await ask("GET", "/contents/push"))).toEqual([4, 3]);
        expect(idsOf(await ask("GET", "/contents/push?length=1"))).toEqual([4]);
        expect(idsOf(await ask("GET", "/contents/push?categoryId=11,12"))).toEqual([2, 1]);
        edit(english.replaceAll("PUSH", "PULL"));
        expect(idsOf(await ask("GET", "/contents/push?length=2"))).toEqual([2, 1]);
      });

      test("related contents are the shown ones, in their order", async () => {
        const { ask } = await service();
        const related = await ask("GET", "/contents/1/related");
        expect([idsOf(related), related.body.hasMore]).toEqual([[2], false]);
        expect(idsOf(await ask("GET", "/contents/3/related"))).toEqual([]);
      });

      test("a decision tree has each content once, although options lead back", async () => {
        const { ask } = await service();
        const { body } = await ask("GET", "/contents/3/decision-tree");
        expect(body.results).toEqual([
          {
            id: 3,
            title: "How do I return an item?",
            slug: "how-do-i-return-an-item",
            options: [
              { label: "Money", contentId: 4 },
              { label: "Damaged", contentId: 5 },
            ],
          },
          {
            id: 4,
            title: "When do I get my refund?",
            slug: "when-do-i-get-my-refund",
            options: [{ label: "Back", contentId: 3 }],
          },
          { id: 5, title: "The item is damaged", slug: "the-item-is-damaged", options: [] },
        ]);
      });
    });

    describe("categories", () => {
      test("are a flat list from the root down, with depth and counts", async () => {
        const { ask } = await service();
        const { body } = await ask("GET", "/categories/?maxDepth=-1");
        const row = (
          id: number,
          name: string,
          parent: number | "-",
          children: number[],
          depth: number,
          own: number,
          all: number,
        ) => ({
          id,
          name,
          slug: name.toLowerCase(),
          parent,
          children,
          depth,
          numContents: own,
          numContentsDescendants: all,
        });
        expect(body.results).toEqual([
          row(0, "root", "-", [1, 2], 0, 1, 7),
          row(1, "Orders", 0, [11], 1, 0, 2),
          row(11, "Delivery", 1, [12], 2, 2, 2),
          row(12, "Express", 11, [], 3, 1, 1),
          row(2, "Returns", 0, [], 1, 4, 4),
        ]);
        expect((await ask("GET", "/categories")).body).toEqual(body);
      });

      test.each([
        ["/categories?maxDepth=0", [0]],
        ["/categories?maxDepth=1", [0, 1, 2]],
        ["/categories?maxDepth=2", [0, 1, 11, 2]],
        ["/categories/0?maxDepth=1", [0, 1, 2]],
        ["/categories/1", [1, 11, 12]],
        ["/categories/1/?maxDepth=1", [1, 11]],
        ["/categories/slug/delivery?maxDepth=0", [11]],
        ["/categories/slug/delivery", [11, 12]],
        ["/categories/slug/root?maxDepth=0", [0]],
      ])("%s is %o", async (path, expected) => {
        const { ask } = await service();
        expect(idsOf(await ask("GET", path))).toEqual(expected);
      });

      test.each(["-2", "x", "1.5", "1e3"])("a depth of %s is refused", async (depth) => {
        const { ask } = await service();
        expect((await ask("GET", `/categories?maxDepth=${depth}`)).status).toBe(422);
      });

      test("a walk upwards ends at the root", async () => {
        const { ask } = await service();
        const walked: unknown[] = [];
        for (let id: unknown = 12; id !== "-";) {
          walked.push(id);
          id = (await ask("GET", `/categories/${String(id)}`)).body.results[0].parent;
        }
        expect(walked).toEqual([12, 11, 1, 0]);
      });

      test("counts are those of the reader and of the moment", async () => {
        const { ask, time } = await service();
        const counts = async (headers = {}): Promise<readonly number[]> => {
          const { body } = await ask("GET", "/categories", undefined, headers);
          return [body.results[0], body.results.at(-1)].map(
            (row: Json) => row.numContentsDescendants,
          );
        };
        expect(
          await counts({ "x-inbenta-user-type": "3", "x-inbenta-env": "development" }),
        ).toEqual([8, 4]);
        expect(await counts({ "x-inbenta-user-type": "1" })).toEqual([6, 4]);
        time.advance(2 * 86_400);
        expect(await counts()).toEqual([7, 3]);
      });

      test("a category's contents are those filed in it, in the edited order", async () => {
        const { ask } = await service();
        expect(idsOf(await ask("GET", "/categories/11/contents"))).toEqual([2, 1]);
        expect(idsOf(await ask("GET", "/categories/1/contents"))).toEqual([]);
        expect(idsOf(await ask("GET", "/categories/2/contents?length=2&offset=1"))).toEqual([4, 5]);
        expect(idsOf(await ask("GET", "/categories/0/contents"))).toEqual([6]);
      });
    });

    describe("user questions", () => {
      test("are alternative titles with ids of their own, listed in the order of their contents", async () => {
        const { ask } = await service();
        const { body } = await ask("GET", "/user-questions?length=3");
        expect([idsOf({ body }), body.hasMore]).toEqual([[2001, 2002, 1001], true]);
        expect(body.results[0]).toEqual({
          id: 2001,
          title: "How much is shipping?",
          slug: "how-much-is-shipping",
          contentId: 2,
          tracking: { clickCode: expect.any(String) },
        });
      });

      test("are found by id and by slug, which distinguishes equal ones", async () => {
        const { ask } = await service();
        for (const [path, id] of [
          ["/user-questions/1001", 1001],
          ["/user-questions/slug/track-my-parcel", 1001],
          ["/user-questions/slug/track-my-parcel-2002/", 2002],
        ] as const) {
          expect(idsOf(await ask("GET", path))).toEqual([id]);
        }
        for (const path of [
          "/user-questions/1000",
          "/user-questions/1003",
          "/user-questions/7001",
          "/user-questions/10001",
        ]) {
          expect((await ask("GET", path)).status).toBe(404);
        }
      });

      test("of a content, and the contents of a question, are found under both spellings", async () => {
        const { ask } = await service();
        for (const path of ["/contents/2/user-questions", "/content/2/user-questions/"]) {
          expect(idsOf(await ask("GET", path))).toEqual([2001, 2002]);
        }
        for (const path of ["/user-questions/2002/contents", "/user-question/2002/contents?"]) {
          expect(idsOf(await ask("GET", path))).toEqual([2, 1]);
        }
        expect(idsOf(await ask("GET", "/user-questions/3001/contents"))).toEqual([3]);
      });
    });

    describe("cross-selling", () => {
      test("an item is a content that others offer, and names these", async () => {
        const { ask } = await service();
        const { body } = await ask("GET", "/cross-selling/4");
        expect(body.results).toMatchObject([
          { id: 4, contents: [1, 3], title: "When do I get my refund?" },
        ]);
        for (const id of [3, 8, 99])
          expect((await ask("GET", `/cross-selling/${id}`)).status).toBe(404);
      });

      test("a search returns the items of one content, of a query's results, or of all contents", async () => {
        const { ask } = await service();
        expect(idsOf(await ask("GET", "/cross-selling/search?contentId=1"))).toEqual([4, 2]);
        expect(idsOf(await ask("GET", "/cross-selling/search?query=return+an+item"))).toEqual([4]);
        expect(idsOf(await ask("GET", "/cross-selling/search/"))).toEqual([4, 2]);
        expect(idsOf(await ask("GET", "/cross-selling/search?query=purple+elephant"))).toEqual([]);
        expect((await ask("GET", "/cross-selling/search?length=1")).body.hasMore).toBe(true);
      });
    });

    describe("data for front ends", () => {
      test("the autocompleter has no hidden, unpublished, expired or future content", async () => {
        const { ask, time } = await service();
        expect(idsOf(await ask("GET", "/autocompleter/data"))).toEqual([2, 1, 3, 4, 5, 6, 9]);
        time.advance(2 * 86_400);
        const { body } = await ask("GET", "/autocompleter/data/");
        expect(idsOf({ body })).toEqual([2, 1, 3, 4, 5, 6, 10]);
        expect(body.results.at(-1)).toEqual({
          id: 10,
          title: "Winter gala",
          slug: "winter-gala",
          categories: [],
          userQuestions: [{ id: 10_001, title: "Gala tickets" }],
        });
        expect(idsOf(await ask("GET", "/autocompleter/data?lang=ja"))).toEqual([3, 4, 1]);
      });

      test("app data are labels with values, and none for an unknown id", async () => {
        const { ask } = await service();
        const labels = [
          { name: "good", value: "1" },
          { name: "bad", value: "2" },
        ];
        expect((await ask("GET", "/app/data/ratings")).body).toEqual({
          results: [{ value: { labels } }],
        });
        expect((await ask("GET", "/app/data/ratings?name=bad")).body).toEqual({
          results: [{ value: { labels: labels.slice(1) } }],
        });
        expect((await ask("GET", "/app/data/nothing")).body).toEqual({ results: [] });
      });

      test("user types are those of the contents, and 0", async () => {
        const { ask } = await service();
        expect((await ask("GET", "/user-types")).body.results.map(({ id }: Json) => id)).toEqual([
          "0",
          "3",
        ]);
      });
    });
  });
}
