import { describe, expect, test } from "vitest";
import { POPULAR_FOR } from "../../../../src/backend/knowledge/handlers-contents.ts";
import {
  EVENTS_KEPT,
  sweepKnowledge,
  TOKENS_KEPT,
} from "../../../../src/backend/knowledge/chores.ts";
import type { Json } from "../../client.ts";
import { service } from "../service.ts";
import type { ServiceOptions } from "../service.ts";
import type { Service } from "../service.ts";

const idle = 1800;
const day = 86_400;

/** Tests recorded events on any store. `address` creates a database for each call. */
export function tracking(
  title: string,
  address: () => Promise<string | null>,
  options: ServiceOptions = {},
): void {
  describe(`tracking over ${title}`, () => {
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const yes = [undefined, "", true, "true", "TRUE", 1, "1"];
    const no = [false, "false", "False", 0, "0"];
    const reads = ["/contents/4", "/contents/slug/when-do-i-get-my-refund", "/cross-selling/4"];

    test("a search records exactly one event unless `tracking` is false, in JSON, form and query", async () => {
      const { ask, events } = await service(await address(), options);
      let recorded = 0;
      for (const [values, one] of [
        [yes, 1],
        [no, 0],
      ] as const) {
        for (const value of values) {
          const written = value === undefined ? "" : `tracking=${value}`;
          for (const [path, body, headers] of [
            ["/search", { query: "refund", ...(value !== undefined && { tracking: value }) }, {}],
            ["/search", `query=refund&${written}`, form],
            [`/search?${written}`, { query: "refund" }, {}],
          ] as const) {
            expect((await ask("POST", path, body, headers)).status).toBe(200);
            recorded += one;
            const asked = [path, JSON.stringify(body)];
            expect([...asked, (await events()).length]).toEqual([...asked, recorded]);
          }
        }
      }
    });

    test.each(reads)(
      "reading %s records exactly one click unless `tracking` is false",
      async (path) => {
        const { ask, events } = await service(await address(), options);
        let recorded = 0;
        for (const value of [...yes, ...no]) {
          const query = value === undefined ? "" : `?tracking=${value}`;
          expect((await ask("GET", `${path}${query}`)).status).toBe(200);
          recorded += yes.includes(value) ? 1 : 0;
          expect([query, (await events()).length]).toEqual([query, recorded]);
        }
        const type = path.startsWith("/cross") ? "click_cross_selling" : "click";
        expect((await events())[0]).toMatchObject({ type, content: 4, clicked: 1 });
      },
    );

    test.each(["yes", "2", "tru", "-1"])(
      "%s is not a boolean, and nothing is recorded",
      async (value) => {
        const { ask, events } = await service(await address(), options);
        for (const { status, body } of [
          await ask("GET", `/contents/4?tracking=${value}`),
          await ask("POST", "/search", { query: "refund", tracking: value }),
          await ask("POST", "/search", { query: "refund", splitQuery: value }),
          await ask("POST", "/search", { query: "refund", dynabs: value }),
          await ask("GET", `/contents/4?autocompleterClick=${value}`),
        ]) {
          expect([status, body.message]).toEqual([422, expect.stringMatching(/^\w+: /)]);
        }
        expect(await events()).toEqual([]);
      },
    );

    test("a cross-selling search is recorded with what it was asked for", async () => {
      const { ask, events } = await service(await address(), options);
      await ask("GET", "/cross-selling/search?query=where+is+my+order");
      await ask("GET", "/cross-selling/search?contentId=3&tracking=0");
      await ask("GET", "/cross-selling/search?contentId=3");
      expect(await events()).toMatchObject([
        { type: "cross_selling_search", query: "where is my order", found: 2, clicked: 0 },
        { type: "cross_selling_search", content: 3, found: 1, clicked: 0 },
      ]);
    });

    test("a search that finds nothing is recorded too", async () => {
      const { ask, events } = await service(await address(), options);
      expect((await ask("POST", "/search", { query: "purple elephant" })).status).toBe(404);
      expect(await events()).toMatchObject([
        { type: "search", query: "purple elephant", found: 0, content: null, clicked: 0 },
      ]);
    });

    test("a search with one result is recorded as a click on it, in the same event", async () => {
      const { ask, events } = await service(await address(), options);
      await ask("POST", "/search", { query: "refund" });
      await ask("POST", "/search", { query: "refund", type: "instant" });
      expect(await events()).toMatchObject([
        { type: "search", found: 1, content: 4, clicked: 1, data: { results: [{ id: 4 }] } },
        { type: "instant_search", found: 1, content: null, clicked: 0 },
      ]);
    });

    test("a click that the autocompleter led to is recorded as one", async () => {
      const { ask, events } = await service(await address(), options);
      await ask("GET", "/contents/4?autocompleterClick=1");
      expect(await events()).toMatchObject([
        { type: "autocompleter_click", content: 4, clicked: 1 },
      ]);
    });

    test("clicks, ratings and searches are related by the codes of the answer", async () => {
      const { ask, events } = await service(await address(), options);
      const { body } = await ask("POST", "/search", { query: "refund" });
      const [{ tracking: codes }] = body.results;
      const report = (type: string, data: object): Promise<Json> =>
        ask("POST", "/tracking/events", { type, data });
      await report("click", { code: codes.clickCode, value: null, comment: null });
      await report("rate", { code: codes.rateCode, value: "1", comment: null });
      await report("rate", { code: codes.rateCode, value: 1, comment: "Too short" });
      await report("rate", { code: body.tracking.searchCode, value: 2 });
      await report("search_rate", { code: body.tracking.searchCode, value: 2, comment: "" });
      await report("external_click", {
        code: body.tracking.searchCode,
        externalCode: codes.externalCode,
      });
      const [search, ...others] = await events();
      expect(search.log).toMatch(/^[\w-]{16}$/);
      expect(others.map(({ log }: Json) => log)).toEqual(others.map(() => search.log));
      expect(others).toMatchObject([
        { type: "click", content: 4, clicked: 1, rating: null, comment: null },
        { type: "rate", content: 4, clicked: 0, rating: "1", comment: null },
        { type: "rate", content: 4, clicked: 0, rating: "1", comment: "Too short" },
        { type: "rate", content: null, rating: "2", comment: null },
        { type: "search_rate", content: null, rating: "2", comment: null },
        { type: "external_click", content: null },
      ]);
    });

    test.each([
      ["absent", {}],
      ["null", { comment: null }],
      ["empty", { comment: "" }],
      ["blank", { comment: "  " }],
    ])("a rating whose comment is %s has the comment null", async (_name, comment) => {
      const { ask, events } = await service(await address(), options);
      const { body } = await ask("GET", "/contents/4?tracking=0");
      const data = { code: body.results[0].tracking.rateCode, value: "2", ...comment };
      expect((await ask("POST", "/tracking/events/", { type: "rate", data })).body).toEqual({
        success: true,
      });
      expect(await events()).toMatchObject([{ type: "rate", rating: "2", comment: null }]);
    });

    test("the other events are recorded with what they say", async () => {
      const { ask, events } = await service(await address(), options);
      const { body } = await ask("GET", "/contents/4?tracking=0");
      const { clickCode } = body.results[0].tracking;
      const { body: asked } = await ask("GET", "/user-questions/3001");
      const question = asked.results[0].tracking.clickCode;
      for (const [type, data] of [
        ["instant_search", { query: "ref" }],
        ["instant_click", { code: clickCode }],
        ["contact_search", { query: "my refund is late" }],
        ["contact_click", { code: clickCode }],
        ["autocompleter_click", { query: "ref", contentId: "4" }],
        ["click_user_question", { code: question }],
        ["click_user_question", { id: 1001 }],
        ["language-detector", { language: "fr", query: "bonjour" }],
        ["CUSTOM_thing", { any: ["thing", { at: "all" }] }],
      ] as const) {
        const { status } = await ask("POST", "/tracking/events", { type, data });
        expect([type, status]).toEqual([type, 200]);
      }
      expect(await events()).toMatchObject([
        { type: "instant_search", query: "ref", content: null },
        { type: "instant_click", content: 4, clicked: 1 },
        { type: "contact_search", query: "my refund is late" },
        { type: "contact_click", content: 4, clicked: 1 },
        { type: "autocompleter_click", query: "ref", content: 4, clicked: 1 },
        { type: "click_user_question", user_question: 3001, content: null, clicked: 0 },
        { type: "click_user_question", user_question: 1001 },
        { type: "language-detector", data: { language: "fr" }, query: "bonjour" },
        { type: "CUSTOM_thing", data: { any: ["thing", { at: "all" }] }, content: null },
      ]);
    });

    test.each([
      "language-detector",
      "instant_search",
      "instant_click",
      "contact_search",
      "click_user_question",
    ])(
      "%s, whose payload the specification does not show, is recorded by its type alone",
      async (type) => {
        const { ask, events } = await service(await address(), options);
        expect((await ask("POST", "/tracking/events", { type })).status).toBe(200);
        expect((await ask("POST", "/tracking/events", { type, data: {} })).status).toBe(200);
        expect(await events()).toMatchObject([{ type }, { type }]);
      },
    );

    test("an event as a form is the same event", async () => {
      const { ask, events } = await service(await address(), options);
      const body = "type=autocompleter_click&data[query]=ref&data[contentId]=4";
      await ask("POST", "/tracking/events", body, form);
      expect(await events()).toMatchObject([
        { type: "autocompleter_click", query: "ref", content: 4 },
      ]);
    });

    test.each([
      ["type", {}],
      ["type", { type: " " }],
      ["type", { type: "a\u0000b" }],
      ["type", { type: "x".repeat(101) }],
      ["data.code", { type: "click" }],
      ["data.code", { type: "click", data: [] }],
      ["data.code", { type: "click", data: { code: "bm90IG91cnM=" } }],
      ["data.code", { type: "click", data: { code: "%%%" } }],
      [
        "data.code",
        {
          type: "rate",
          data: { code: btoa('{"type":"click","content":4,"log":"aaaaaaaaaaaaaaaa"}'), value: 1 },
        },
      ],
      ["data.value", { type: "rate", data: { code: "x" } }],
      ["data.contentId", { type: "autocompleter_click", data: { query: "x" } }],
      ["data.code", { type: "instant_click", data: { code: "bm90IG91cnM=" } }],
      ["data.id", { type: "click_user_question", data: { id: "many" } }],
      ["data", { type: "click", data: "text" }],
      ["data", { type: "custom", data: "x".repeat(20_001) }],
    ])("an event with a wrong %s is refused, and the message names it", async (member, event) => {
      const { ask, events } = await service(await address(), options);
      const { status, body } = await ask("POST", "/tracking/events", event);
      expect([status, body.message]).toEqual([422, expect.stringMatching(`^${member}: `)]);
      expect(await events()).toEqual([]);
    });

    test("texts that no database can hold are stored without the invalid characters", async () => {
      const { ask, events } = await service(await address(), options);
      await ask("POST", "/search", { query: "refund \u0000\ud800" });
      await ask("POST", "/tracking/events", { type: "custom", data: { "\u0000": "\ud800" } });
      expect(await events()).toMatchObject([
        { query: "refund \ufffd\ufffd" },
        { data: { "\u0000": "\ud800" } },
      ]);
    });

    test("HEAD records nothing", async () => {
      const { ask, events } = await service(await address(), options);
      for (const path of reads) await ask("HEAD", path);
      expect(await events()).toEqual([]);
    });

    test("an event that is nested too deep to be written is refused", async () => {
      const { ask, events } = await service(await address(), options);
      const deep = "[".repeat(1_000_000) + "]".repeat(1_000_000);
      for (const [path, body] of [
        ["/tracking/events", `{"type":"custom","data":${deep}}`],
        ["/tracking/session/user", `{"data":{"a":${deep}}}`],
        ["/inbtrck/events", `{"a":${deep}}`],
      ] as const) {
        expect((await ask("POST", path, body)).status).toBe(422);
      }
      expect(await events()).toEqual([]);
    });

    test("a conversion event is stored as it comes", async () => {
      const { ask, events } = await service(await address(), options);
      await ask("POST", "/inbtrck/events", { order: 7 });
      await ask("POST", "/inbtrck/events", "[]");
      expect(await events()).toMatchObject([
        { type: "conversion", data: { order: 7 } },
        { type: "conversion", data: {} },
      ]);
    });
  });

  describe(`sessions over ${title}`, () => {
    const begin = async ({ ask }: Service, body?: unknown): Promise<Json> =>
      (await ask("POST", "/tracking/session", body)).body;

    test("a session relates events, with or without Bearer before its token, and is optional", async () => {
      const knowledge = await service(await address(), options);
      const { sessionToken, sessionId } = await begin(knowledge, "[]");
      const { sessionId: another } = await begin(knowledge);
      expect(new Set([sessionToken, sessionId, another]).size).toBe(3);
      for (const header of [sessionToken, `Bearer ${sessionToken}`, `bearer  ${sessionToken} `]) {
        await knowledge.ask("GET", "/contents/4", undefined, { "x-inbenta-session": header });
      }
      for (const header of ["", "Bearer ", "nobody's", "x".repeat(5000), sessionId]) {
        await knowledge.ask("GET", "/contents/4", undefined, { "x-inbenta-session": header });
      }
      const sessions = (await knowledge.events()).map(({ session }: Json) => session);
      expect(sessions).toEqual([
        ...Array.from({ length: 3 }, () => sessionId),
        ...Array.from({ length: 5 }, () => null),
      ]);
    });

    test("after 30 idle minutes the token goes on with a new session", async () => {
      const knowledge = await service(await address(), options);
      const { sessionToken, sessionId } = await begin(knowledge);
      const headers = { "x-inbenta-session": sessionToken };
      const click = async (): Promise<void> => {
        await knowledge.ask("GET", "/contents/4", undefined, headers);
      };
      knowledge.time.advance(idle - 1);
      await click();
      // Every request keeps the session, even one that records nothing.
      knowledge.time.advance(idle - 1);
      await knowledge.ask("GET", "/categories", undefined, headers);
      knowledge.time.advance(idle - 1);
      await click();
      knowledge.time.advance(idle);
      await Promise.all([click(), click(), click()]);
      const sessions = (await knowledge.events()).map(({ session }: Json) => session);
      expect(sessions.slice(0, 2)).toEqual([sessionId, sessionId]);
      expect(new Set(sessions.slice(2)).size).toBe(1);
      expect(sessions[2]).not.toBe(sessionId);
    });

    test("a project never sees another's sessions, events or clicks", async () => {
      const knowledge = await service(await address(), options);
      const { sessionToken } = await begin(knowledge);
      const headers = { "x-inbenta-session": sessionToken };
      await knowledge.ask("GET", "/contents/4", undefined, headers);
      await knowledge.askOther("GET", "/contents/3", undefined, headers);
      expect(await knowledge.events("bank")).toMatchObject([{ content: 3, session: null }]);
      const popular = async (ask: Service["ask"]): Promise<Json> =>
        (await ask("GET", "/contents/popular")).body.results.map(({ id }: Json) => id);
      expect(await popular(knowledge.ask)).toEqual([4]);
      expect(await popular(knowledge.askOther)).toEqual([3]);
    });

    test("what a front end knows of the reader is kept with a session only", async () => {
      const knowledge = await service(await address(), options);
      const data = { customer: "gold" };
      const send = (headers: object): Promise<Json> =>
        knowledge.ask("POST", "/tracking/session/user", { data }, headers);
      expect((await send({})).body).toEqual({ success: false });
      const { sessionToken, sessionId } = await begin(knowledge);
      expect((await send({ "x-inbenta-session": sessionToken })).body).toEqual({ success: true });
      expect(await knowledge.events()).toMatchObject([
        { type: "user_info", session: sessionId, data },
      ]);
      expect((await knowledge.ask("POST", "/tracking/session/user", {})).status).toBe(422);
    });

    test.each([
      [{}, [null, null, null]],
      [{ logIp: true }, ["203.0.113.7", null, null]],
      [{ logUserAgent: true }, [null, "Browser/1", "2.1.0"]],
      [{ logIp: true, logUserAgent: true }, ["203.0.113.7", "Browser/1", "2.1.0"]],
    ])("with %o the user information of an event is %o", async (options, expected) => {
      const knowledge = await service(await address(), {
        ...options,
        ...options,
        peer: () => "203.0.113.7",
      });
      const { sessionToken } = await begin(knowledge, { sdkVersion: "2.1.0" });
      const headers = { "x-inbenta-session": sessionToken, "user-agent": "Browser/1" };
      await knowledge.ask("POST", "/search", { query: "refund" }, headers);
      const [event] = await knowledge.events();
      expect([event.ip, event.user_agent, event.sdk_version]).toEqual(expected);
    });

    test("environment, source, user type and language of an event come from the caller", async () => {
      const knowledge = await service(await address(), options);
      await knowledge.ask(
        "POST",
        "/search",
        { query: "返金", lang: "ja" },
        {
          "x-inbenta-env": "development",
          "x-inbenta-source": "help-site",
          "x-inbenta-user-type": "3",
        },
      );
      expect(await knowledge.events()).toMatchObject([
        { environment: "development", source: "help-site", user_type: 3, language: "ja" },
      ]);
    });
  });

  describe(`popularity over ${title}`, () => {
    test("popular contents are ranked by the clicks of the last 30 days", async () => {
      const { ask, time } = await service(await address(), options);
      const popular = async (query = ""): Promise<Json> =>
        (await ask("GET", `/contents/popular${query}`)).body.results.map(({ id }: Json) => id);
      expect(await popular()).toEqual([]);
      for (const id of [1, 1, 3, 6, 7]) await ask("GET", `/contents/${id}`);
      // Neither is a click.
      await ask("GET", "/cross-selling/search?contentId=5");
      const { body: read } = await ask("GET", "/contents/5?tracking=0");
      const data = { code: read.results[0].tracking.rateCode, value: 1 };
      await ask("POST", "/tracking/events", { type: "rate", data });
      time.advance(POPULAR_FOR / 1000 - 10);
      for (const id of [3, 3, 2]) await ask("GET", `/contents/${id}`);
      // 7 is hidden, so it is opened by its address, but is in no list.
      expect(await popular()).toEqual([3, 1, 2, 6]);
      expect(await popular("?categoryId=2,12")).toEqual([3, 2]);
      expect(await popular("?length=1&offset=1")).toEqual([1]);
      time.advance(11);
      expect(await popular("?")).toEqual([3, 2]);
    });

    test("events and tokens are deleted when they are too old", async () => {
      const { ask, time, database, events } = await service(await address(), options);
      await ask("POST", "/tracking/session");
      await ask("GET", "/contents/4");
      time.advance(TOKENS_KEPT * day);
      await ask("GET", "/contents/3");
      const tokens = async (): Promise<number> =>
        (await database.kysely.selectFrom("knowledge_sessions").select("key").execute()).length;
      await sweepKnowledge(database, time.now());
      expect([await tokens(), (await events()).length]).toEqual([1, 2]);
      time.advance(1);
      await sweepKnowledge(database, time.now());
      expect([await tokens(), (await events()).length]).toEqual([0, 2]);
      time.advance((EVENTS_KEPT - TOKENS_KEPT) * day);
      await sweepKnowledge(database, time.now());
      expect(await events()).toMatchObject([{ content: 3 }]);
    });
  });
}
