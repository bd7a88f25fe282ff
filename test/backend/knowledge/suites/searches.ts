import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitQuery } from "../../../../src/backend/knowledge/split-query.ts";
import { cpuTime } from "../../../fixtures/cpu-time.ts";
import type { Json } from "../../client.ts";
import { service as open } from "../service.ts";
import type { Service } from "../service.ts";
import { english, japanese } from "../shop.ts";
import type { ServiceOptions } from "../service.ts";

const search = async ({ ask }: Service, body: object, headers?: object): Promise<Json> =>
  (await ask("POST", "/search", body, headers)).body;
const idsOf = ({ results }: Json): readonly number[] => results.map(({ id }: Json) => id);

/** Tests searches with any store and any gateway. `address` creates a database for each call. */
export function searches(
  title: string,
  address: () => Promise<string | null>,
  options: ServiceOptions = {},
): void {
  const service = async (more: ServiceOptions = {}): ReturnType<typeof open> =>
    open(await address(), { ...options, ...more });

  describe(`searching over ${title}`, () => {
    describe("a search", () => {
      test("answers contents best first, with score, highlighted title and matched fields", async () => {
        const { results, tracking } = await search(await service(), { query: "Returning items" });
        expect(tracking.searchCode).toMatch(/^[A-Za-z0-9+/]+=*$/);
        expect(results[0]).toMatchObject({
          id: 3,
          titleHighlight: "How do I <strong>return</strong> an <strong>item</strong>?",
          matchingDetails: {
            fields: ["title"],
            exact: false,
            words: ["Returning", "items"],
            highlights: { title: "How do I <strong>return</strong> an <strong>item</strong>?" },
            query: "Returning items",
          },
          attributes: { ANSWER_TEXT: "<p>You have 30 days.</p>\n<p>Print the <i>label</i>.</p>" },
          attributeArrays: {
            ANSWER_TEXT: ["<p>You have 30 days.</p>", "<p>Print the <i>label</i>.</p>"],
          },
          tracking: { clickCode: expect.any(String), rateCode: expect.any(String) },
        });
        const scores = results.map(({ score }: Json) => score);
        expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
      });

      test("says when a title or user question is the query, and that the match stands in one", async () => {
        const knowledge = await service();
        const { results } = await search(knowledge, { query: "MONEY BACK!" });
        expect(results[0]).toMatchObject({
          id: 4,
          score: 1,
          titleHighlight: "When do I get my refund?",
          matchingDetails: {
            exact: true,
            fields: ["alternativeTitle"],
            highlights: { alternativeTitle: "<strong>Money</strong> <strong>back</strong>" },
          },
        });
      });

      test("marks words in the answer, without its markup, and gives them as an abstract when asked", async () => {
        const knowledge = await service();
        const { results } = await search(knowledge, {
          query: "where is my order tracking",
          dynabs: 1,
        });
        const abstract = "Open the <strong>tracking</strong> link in your e-mail &amp; wait.";
        expect(results[0]).toMatchObject({
          id: 1,
          dynamicAbstract: abstract,
          matchingDetails: {
            fields: expect.arrayContaining(["title", "answer"]),
            highlights: { answer: abstract },
          },
        });
        const { results: plain } = await search(knowledge, { query: "where is my order tracking" });
        expect(plain[0]).not.toHaveProperty("dynamicAbstract");
      });

      test("shows nothing of a script in an abstract", async () => {
        const { results } = await search(await service(), { query: "damaged item", dynabs: true });
        expect(results.find(({ id }: Json) => id === 5).dynamicAbstract).toBe("Send a picture.");
      });

      test("writes a title as HTML in its highlight", async () => {
        const { results } = await search(await service(), { query: "opening hours" });
        expect(results[0].titleHighlight).toBe(
          "<strong>Opening</strong> <strong>hours</strong> &lt;b&gt;today&lt;/b&gt;",
        );
      });

      test("marks words in a language without spaces", async () => {
        const { results } = await search(await service(), { query: "返品", lang: "ja" });
        expect(results[0]).toMatchObject({
          id: 3,
          titleHighlight: "商品を<strong>返品</strong>したい",
        });
      });

      test("cuts a long answer around the words that match", async () => {
        const filler = "Nothing to see in this sentence. ".repeat(40);
        const long = english.replace(
          "<p>Standard delivery is 3.90.</p>",
          `<p>${filler}Zeppelin costs nothing. ${filler}</p>`,
        );
        const knowledge = await service({ files: [long] });
        const { results } = await search(knowledge, {
          query: "delivery costs zeppelin",
          dynabs: true,
        });
        expect(results[0].dynamicAbstract).toMatch(/^….*<strong>Zeppelin<\/strong>.*…$/);
        expect(results[0].dynamicAbstract.length).toBeLessThan(340);
      });

      test("that finds nothing is 404 with both forms of the error, and still has its code", async () => {
        const { ask } = await service();
        const { status, body } = await ask("POST", "/search", { query: "purple elephant" });
        const error = { code: 404, message: "No content matches the query." };
        expect([status, body]).toEqual([
          404,
          {
            error,
            errors: [error],
            message: error.message,
            results: [],
            tracking: { searchCode: expect.any(String) },
          },
        ]);
      });

      test("that finds nothing is 200 with no results where the setting says so", async () => {
        const { ask, events } = await service({ emptySearch: 200 });
        const { status, body } = await ask("POST", "/search", { query: "purple elephant" });
        expect([status, body]).toEqual([
          200,
          { results: [], tracking: { searchCode: expect.any(String) } },
        ]);
        expect(await events()).toHaveLength(1);
      });

      test("finds nothing that is hidden, unpublished, expired, not yet shown or for others", async () => {
        const knowledge = await service();
        const status = async (query: string, headers = {}): Promise<number> =>
          (await knowledge.ask("POST", "/search", { query }, headers)).status;
        const statuses = async (): Promise<readonly number[]> => [
          await status("hidden treasure"),
          await status("unpublished draft"),
          await status("summer sale"),
          await status("winter gala"),
          await status("staff canteen"),
        ];
        expect(await statuses()).toEqual([404, 404, 200, 404, 404]);
        knowledge.time.advance(2 * 86_400);
        expect(await statuses()).toEqual([404, 404, 404, 200, 404]);
        const inside = { "x-inbenta-env": "development", "x-inbenta-user-type": "3" };
        expect(await status("staff canteen", inside)).toBe(200);
      });

      test("searches the given categories and those below them; 0 is all", async () => {
        const knowledge = await service();
        const found = async (categoryId: unknown): Promise<readonly number[]> => {
          const { body } = await knowledge.ask("POST", "/search", {
            query: "delivery costs",
            categoryId,
          });
          return idsOf(body);
        };
        expect(await found(1)).toEqual([2]);
        expect(await found("2, 12")).toEqual([2]);
        expect(await found(["0", 2])).toEqual([2]);
        expect(await found(2)).toEqual([]);
        expect(await found("99")).toEqual([]);
      });

      test("returns as many results as requested, from 1 to 100", async () => {
        const knowledge = await service();
        const all = idsOf(await search(knowledge, { query: "item" }));
        expect(all.length).toBeGreaterThan(1);
        expect(idsOf(await search(knowledge, { query: "item", length: "1" }))).toEqual(
          all.slice(0, 1),
        );
        for (const length of [0, 101, -1, "x", 1.5]) {
          const { status, body } = await knowledge.ask("POST", "/search", {
            query: "item",
            length,
          });
          expect([status, body.message]).toEqual([422, expect.stringContaining("length: ")]);
        }
      });

      test("while it is being typed finds titles by their beginnings", async () => {
        const knowledge = await service();
        expect((await knowledge.ask("POST", "/search", { query: "trea" })).status).toBe(404);
        const typed = { query: "deliv co", type: "instant", tracking: false };
        const { results } = await search(knowledge, typed);
        expect(results[0]).toMatchObject({
          id: 2,
          titleHighlight: "<strong>Delivery</strong> <strong>costs</strong>",
        });
        expect(
          (await knowledge.ask("POST", "/search", { query: "hidd", type: "instant" })).status,
        ).toBe(404);
      });

      test.each([{}, { query: "" }, { query: "  " }, { query: {} }, { query: "x".repeat(10_001) }])(
        "needs a query: %o is refused",
        async (body) => {
          const { ask, events } = await service();
          const { status, body: answer } = await ask("POST", "/search", body);
          expect([status, answer.message]).toEqual([422, expect.stringContaining("query: ")]);
          expect(await events()).toEqual([]);
        },
      );

      test("for generate-answer returns the text of the best content", async () => {
        const { ask } = await service();
        const { body } = await ask("POST", "/generate-answer", { query: "refund" });
        expect(body).toMatchObject({
          answer: "<p>Within 5 working days.</p>",
          results: [{ id: 4 }],
        });
        expect((await ask("POST", "/generate-answer", { query: "purple elephant" })).status).toBe(
          404,
        );
      });

      test("is in the language that `lang` names, else in the project's", async () => {
        const knowledge = await service();
        expect(idsOf(await search(knowledge, { query: "返金はいつ", lang: "ja-JP" }))).toEqual([4]);
        expect(idsOf(await search(knowledge, { query: "refund", lang: "xx" }))).toEqual([4]);
        expect(
          (await knowledge.ask("POST", "/search?lang=ja", { query: "返金はいつ" })).status,
        ).toBe(200);
        expect(
          (await knowledge.ask("POST", "/search", { query: "refund", lang: "ja" })).status,
        ).toBe(404);
      });
    });

    describe("equal searches", () => {
      test("use the engine once, and each is recorded with its own codes", async () => {
        const knowledge = await service();
        const first = await search(knowledge, { query: "refund" });
        const asked = knowledge.searches();
        const second = await search(knowledge, { query: " refund  ", tracking: true });
        expect(knowledge.searches()).toBe(asked);
        expect(idsOf(second)).toEqual(idsOf(first));
        expect(await knowledge.events()).toHaveLength(2);
        expect(second.tracking.searchCode).not.toBe(first.tracking.searchCode);
        expect(second.results[0].tracking.clickCode).not.toBe(first.results[0].tracking.clickCode);
      });

      test("share the language, environment, user type, category and length", async () => {
        const knowledge = await service();
        const bodies = [
          {},
          { lang: "ja" },
          { categoryId: 2 },
          { length: 2 },
          { type: "instant" },
          { splitQuery: true },
        ];
        for (const more of bodies) await search(knowledge, { query: "refund", ...more });
        await search(knowledge, { query: "refund" }, { "x-inbenta-env": "development" });
        await search(knowledge, { query: "refund" }, { "x-inbenta-user-type": "3" });
        const asked = knowledge.searches();
        expect(asked).toBeGreaterThanOrEqual(bodies.length + 2);
        for (const more of bodies) await search(knowledge, { query: "refund", ...more });
        expect(knowledge.searches()).toBe(asked);
      });

      test("are right after an edit", async () => {
        const knowledge = await service();
        expect(idsOf(await search(knowledge, { query: "refund" }))).toEqual([4]);
        knowledge.edit(english.replace("<p>Within 5 working days.</p>", "<p>At once.</p>"));
        const { results } = await search(knowledge, { query: "refund" });
        expect(results[0].attributes.ANSWER_TEXT).toBe("<p>At once.</p>");
        knowledge.edit(english.replace("title: When do I get my refund?", "title: Payouts"));
        expect((await knowledge.ask("POST", "/search", { query: "refund" })).status).toBe(404);
      });

      test("are right when a content begins or ceases to be shown", async () => {
        const knowledge = await service();
        const status = async (query: string): Promise<number> =>
          (await knowledge.ask("POST", "/search", { query })).status;
        expect([await status("summer sale"), await status("winter gala")]).toEqual([200, 404]);
        knowledge.time.advance(86_400 - 1);
        expect(await status("summer sale")).toBe(200);
        knowledge.time.advance(1);
        expect([await status("summer sale"), await status("winter gala")]).toEqual([404, 404]);
        knowledge.time.advance(86_400);
        expect(await status("winter gala")).toBe(200);
      });
    });

    describe("a split query", () => {
      const parts = async (query: string, more: object = {}): Promise<Json> =>
        search(await service(), { query, splitQuery: true, ...more });

      test("is answered per part at its punctuation", async () => {
        const body = await parts("Where is my order? And: when do I get my refund!");
        expect(body.parts).toEqual([
          { query: "Where is my order", results: [1] },
          { query: "when do I get my refund", results: [4] },
        ]);
        expect(idsOf(body)).toEqual([1, 4]);
      });

      test("is answered per part without any punctuation", async () => {
        const body = await parts("how do I return an item when do I get my refund");
        expect(body.parts).toEqual([
          { query: "how do I return an item", results: [3] },
          { query: "when do I get my refund", results: [4] },
        ]);
        expect(body.results.map(({ matchingDetails }: Json) => matchingDetails.query)).toEqual([
          "how do I return an item",
          "when do I get my refund",
        ]);
      });

      test("is answered per part in Japanese, without and with punctuation", async () => {
        for (const query of [
          "商品を返品したいのですが返金はいつ届きますか",
          "商品を返品したい。返金はいつ届きますか？",
        ]) {
          const body = await parts(query, { lang: "ja" });
          expect(body.parts.map(({ results }: Json) => results)).toEqual([[3], [4]]);
          expect(body.parts.map(({ query }: Json) => query).join("")).toBe(
            query.replaceAll(/[。？]/g, ""),
          );
          expect(idsOf(body)).toEqual([3, 4]);
        }
      });

      test("has no more parts than asked for", async () => {
        const query =
          "where is my order. how do I return an item. when do I get my refund. delivery costs.";
        expect((await parts(query, { splitQueriesLimit: 2 })).parts).toHaveLength(2);
        expect((await parts(query)).parts).toHaveLength(4);
        const { ask } = await service();
        const refused = await ask("POST", "/search", {
          query,
          splitQuery: 1,
          splitQueriesLimit: 0,
        });
        expect(refused.status).toBe(422);
      });

      test("that asks for one thing stays whole, as does every query without the option", async () => {
        const one = "please tell me how I can return an item";
        expect((await parts(one)).parts).toEqual([{ query: one, results: [3] }]);
        const knowledge = await service();
        expect(await search(knowledge, { query: one })).not.toHaveProperty("parts");
        expect(
          (
            await knowledge.ask("POST", "/search", {
              query: "purple elephant. green cow",
              splitQuery: true,
            })
          ).status,
        ).toBe(404);
      });
    });

    describe("whatever is asked", () => {
      test("the parts of a query stand in it, in their order, and are no more than asked for", () => {
        const words = fc.array(
          fc.oneof(
            fc.lorem({ maxCount: 3 }),
            fc.string(),
            fc.constantFrom("。", "、", "? ", "返品"),
          ),
        );
        fc.assert(
          fc.property(
            words,
            fc.integer({ min: 1, max: 10 }),
            fc.constantFrom("en", "ja", "th"),
            (list, limit, language) => {
              const query = list.join(" ");
              const findBest = (text: string) => ({ id: text.length, score: 0.9, exact: false });
              const parts = splitQuery(query, {
                language,
                stops: new Set(["and", "の"]),
                limit,
                findBest,
              });
              expect(parts.length).toBeGreaterThan(0);
              expect(parts.length).toBeLessThanOrEqual(limit);
              let at = 0;
              for (const part of parts) {
                expect(query.indexOf(part, at)).toBeGreaterThanOrEqual(at);
                at = query.indexOf(part, at) + part.length;
              }
            },
          ),
        );
      });

      const titles = ["<img src=x onerror=alert(1)>", "a & b \u202e", "返品 <script>", "'\"`"];
      const yaml = `language: en\ncontents:\n${titles
        .map(
          (title, index) =>
            `  - ${JSON.stringify({ id: index + 1, title, answer: "<p>x</p>", alternatives: [`${title} ${title}`] })}`,
        )
        .join("\n")}`;

      test("a highlight is safe HTML, and without its marks the title", async () => {
        const knowledge = await service({ files: [yaml, japanese], emptySearch: 200 });
        const words = fc.array(
          fc.oneof(fc.constantFrom(...titles, "img", "src", "a", "strong"), fc.string()),
          { minLength: 1 },
        );
        await fc.assert(
          fc.asyncProperty(words, fc.boolean(), async (list, splitQuery) => {
            const query = list.join(" ");
            fc.pre(query.trim() !== "");
            const { status, body } = await knowledge.ask("POST", "/search", {
              query,
              splitQuery,
              dynabs: true,
            });
            expect(status).toBe(200);
            for (const { title, titleHighlight } of body.results) {
              const bare = titleHighlight.replaceAll(/<\/?strong>/g, "");
              expect(bare).not.toMatch(/[<>"']/);
              const entities = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
              const text = bare.replaceAll(
                /&([\w#]+);/g,
                (_: string, name: keyof typeof entities) => entities[name],
              );
              expect(text).toBe(title);
            }
          }),
          { numRuns: 60 },
        );
      });

      test.each([
        ["80 words", "en", "return refund delivery voucher ".repeat(20)],
        ["80 words that say little", "en", "and how and when ".repeat(20)],
        ["a word again and again", "en", "voucher ".repeat(64)],
        ["512 Japanese characters", "ja", "商品を返品したい返金はいつ".repeat(40).slice(0, 512)],
        ["512 Chinese characters", "zh", "退货运费谁承担什么时候发货".repeat(40).slice(0, 512)],
        ["512 letters without a space", "th", "ค่าจัดส่งเท่าไหร่".repeat(30).slice(0, 512)],
        [
          "a stretch between every two marks",
          "en",
          "one two three four five six seven eight. ".repeat(12),
        ],
      ])("to split %s takes few searches for few words", (_, language, query) => {
        const segmenter = new Intl.Segmenter(language, { granularity: "word" });
        let [searches, words] = [0, 0];
        const findBest = (text: string) => {
          searches += 1;
          words += [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).length;
          return { id: searches, score: 0.9, exact: false };
        };
        splitQuery(query, { language, stops: new Set(["and", "の"]), limit: 10, findBest });
        expect(searches).toBeLessThanOrEqual(30);
        expect(words).toBeLessThanOrEqual(120);
      });

      test("a long query is answered in time", async () => {
        const knowledge = await service({ emptySearch: 200 });
        const query = "how do I return an item when do I get my refund where is my order ".repeat(
          150,
        );
        const asked = { query: query.slice(0, 10_000), splitQuery: true };
        const took = await cpuTime(async () => {
          const { parts } = await search(knowledge, asked);
          expect(parts.length).toBeLessThanOrEqual(5);
        });
        expect(took).toBeLessThan(10_000);
      });
    });
  });
}
