import { describe, expect, test } from "vitest";
import { service as open } from "../service.ts";
import { english } from "../shop.ts";
import type { ServiceOptions } from "../service.ts";

async function idsOf(list: AsyncIterable<{ readonly id: number }>): Promise<readonly number[]> {
  const ids: number[] = [];
  for await (const { id } of list) ids.push(id);
  return ids;
}

/**
 * Tests the typed client with any store and any gateway. `address` creates a database for each
 * call.
 */
export function typedClient(
  title: string,
  address: () => Promise<string | null>,
  options: ServiceOptions = {},
): void {
  const service = async (more: ServiceOptions = {}): ReturnType<typeof open> =>
    open(await address(), { ...options, ...more });

  describe(`the typed client of ${title}`, () => {
    describe("the typed client", () => {
      test("searches, and treats no results as a success with either status", async () => {
        const { client } = await service();
        const found = await client.search("refund", {
          tracking: false,
          dynabs: true,
          categoryId: [1, 2],
        });
        expect(found).toMatchObject({
          results: [{ id: 4 }],
          searchCode: expect.any(String),
        });
        expect(await client.search("purple elephant")).toEqual({ results: [], searchCode: null });
        const lenient = await service({ emptySearch: 200 });
        expect(await lenient.client.search("purple elephant")).toEqual({
          results: [],
          searchCode: expect.any(String),
        });
      });

      test("splits a query, and names its parts", async () => {
        const { client } = await service();
        const options = { splitQuery: true, splitQueriesLimit: 2, lang: "ja", length: 3 };
        const { parts } = await client.search("商品を返品したい。返金はいつ届きますか？", options);
        expect(parts?.map(({ results }) => results)).toEqual([[3], [4]]);
      });

      test("fails where the service does not exist", async () => {
        const { client } = await service();
        await expect(client.search(" ")).rejects.toMatchObject({
          code: "call-refused",
          operation: "knowledge.search",
        });
      });

      test("reads contents in every way", async () => {
        const { client, events } = await service();
        expect(await idsOf(client.contents({}, { length: 2 }))).toEqual([2, 1, 3, 4, 5, 6, 9]);
        expect(await idsOf(client.contents({ categoryId: 2, sortBy: "modificationDate" }))).toEqual(
          [3, 4, 5, 9],
        );
        expect(await idsOf(client.push())).toEqual([4, 3]);
        expect(await idsOf(client.related(1))).toEqual([2]);
        expect(await idsOf(client.categoryContents(11, { length: 1 }))).toEqual([2, 1]);
        expect((await client.contentsByIds([4, 2])).map(({ id }) => id)).toEqual([4, 2]);
        expect(await events()).toEqual([]);
        expect((await client.content(4)).title).toBe("When do I get my refund?");
        expect((await client.content(4, { tracking: false, lang: "ja" })).title).toBe(
          "返金はいつ届きますか",
        );
        expect(
          (await client.contentBySlug("delivery-costs", { autocompleterClick: true })).id,
        ).toBe(2);
        expect(await events()).toMatchObject([
          { type: "click", content: 4 },
          { type: "autocompleter_click", content: 2 },
        ]);
        expect(await idsOf(client.popular())).toEqual([2, 4]);
        await expect(client.content(99)).rejects.toMatchObject({ code: "call-not-found" });
        expect((await client.decisionTree(3)).map(({ id }) => id)).toEqual([3, 4, 5]);
      });

      test("follows a former slug", async () => {
        const { client, edit } = await service();
        await client.contentBySlug("where-is-my-order");
        edit(english.replace("title: Where is my order?", "title: Track your order"));
        expect((await client.contentBySlug("where-is-my-order")).slug).toBe("track-your-order");
      });

      test("reads categories, user questions and cross-selling", async () => {
        const { client } = await service();
        expect((await client.categories({ maxDepth: 1 })).map(({ id }) => id)).toEqual([0, 1, 2]);
        expect((await client.category(1)).map(({ depth }) => depth)).toEqual([1, 2, 3]);
        expect((await client.categoryBySlug("delivery"))[0]?.parent).toBe(1);
        expect(await idsOf(client.userQuestions({ length: 1 }))).toHaveLength(6);
        expect((await client.userQuestion(1001)).contentId).toBe(1);
        expect((await client.userQuestionBySlug("track-my-parcel")).id).toBe(1001);
        expect((await client.crossSelling(4, { tracking: false })).contents).toEqual([1, 3]);
        expect(await idsOf(client.searchCrossSelling({ contentId: 1 }))).toEqual([4, 2]);
        expect((await client.autocompleterData())[0]?.userQuestions).toHaveLength(2);
        expect((await client.detectLanguage("返金はいつ")).language).toBe("ja");
        expect((await client.generateAnswer("refund")).answer).toBe(
          "<p>Within 5 working days.</p>",
        );
        expect((await client.generateAnswer("purple elephant")).answer).toBe(null);
      });

      test.each(["deployed", "seed"] as const)(
        "reads user questions both ways in the spelling %s",
        async (wire) => {
          const { client } = await service({ wire });
          expect(await idsOf(client.userQuestionsOf(2))).toEqual([2001, 2002]);
          expect(await idsOf(client.contentsOfUserQuestion(2002, { length: 1 }))).toEqual([2, 1]);
        },
      );

      test("relates its reports by a session", async () => {
        const { client, events } = await service({ logUserAgent: true });
        const { sessionToken: session, sessionId } = await client.startSession({
          sdkVersion: "1.2",
        });
        const { results, searchCode } = await client.search("refund", { session });
        const codes = results[0]?.tracking;
        await client.click(codes?.clickCode ?? "", { session });
        await client.rate(codes?.rateCode ?? "", { value: 1, comment: "fine" }, { session });
        await client.rate(searchCode ?? "", { value: "2" }, { session });
        await client.track(
          { type: "contact_search", data: { query: "late" } },
          { session, lang: "ja" },
        );
        await client.setSessionUser({ customer: 7 }, { session });
        expect(await events()).toMatchObject(
          [
            { type: "search", query: "refund", language: "en" },
            { type: "click", content: 4 },
            { type: "rate", content: 4, rating: "1", comment: "fine" },
            { type: "rate", content: null, rating: "2", comment: null },
            { type: "contact_search", query: "late", language: "ja" },
            { type: "user_info", data: { customer: 7 } },
          ].map((event) => ({ ...event, session: sessionId, sdk_version: "1.2" })),
        );
      });
    });
  });
}
