import { describe, expect, test } from "vitest";
import { COMPONENTS, describeOperation } from "../../../../src/api/describe-operation.ts";
import { createOpenApi } from "../../../../src/api/openapi.ts";
import { EVENT_DATA } from "../../../../src/api/knowledge/events.ts";
import { KNOWLEDGE_OPERATIONS } from "../../../../src/api/knowledge/operations.ts";
import { service as open } from "../service.ts";
import type { ServiceOptions } from "../service.ts";

const values: Readonly<Record<string, string>> = {
  contentId: "3",
  categoryId: "2",
  userQuestionId: "3001",
  crossSellingId: "4",
  data: "ratings",
  "contents/slug": "delivery-costs",
  "categories/slug": "returns",
  "user-questions/slug": "track-my-parcel",
};
const bodies: Readonly<Record<string, unknown>> = {
  "knowledge.setSessionUser": { data: {} },
  "knowledge.track": { type: "custom" },
  "knowledge.search": { query: "refund" },
  "knowledge.generateAnswer": { query: "refund" },
  "knowledge.detectLanguage": { query: "where is it" },
};
const queries: Readonly<Record<string, string>> = {
  "knowledge.contentsByIds": "?ids=1",
  "knowledge.detectLanguageOf": "?query=where",
};

const calls = KNOWLEDGE_OPERATIONS.flatMap(({ id, method, path, aliases }) =>
  [path, ...aliases].map((spelling) => ({
    id,
    method,
    path: spelling
      .replace("/v1/", "/")
      .replace(
        /\/([\w-]+)\/slug\/\{slug\}/,
        (_, list: string) => `/${list}/slug/${values[`${list}/slug`]}`,
      )
      .replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ""),
    query: queries[id] ?? "",
    body: method === "GET" ? undefined : (bodies[id] ?? {}),
  })),
);

/**
 * Tests operations with any store and any gateway. `address` returns a database, which may be the
 * same one each time.
 */
export function everyOperation(
  title: string,
  address: () => Promise<string | null>,
  options: ServiceOptions = {},
): void {
  const service = async (more: ServiceOptions = {}): ReturnType<typeof open> =>
    open(await address(), { ...options, ...more });

  describe(`operations over ${title}`, () => {
    describe.each(calls)("$method $path", ({ method, path, query, body }) => {
      test("refuses a caller without a token", async () => {
        const { ask } = await service();
        const refused = await ask(method, `${path}${query}`, body, { authorization: "" });
        expect([refused.status, refused.body.message]).toEqual([401, "Unauthorized"]);
      });

      test("answers by its shape, with and without a slash, a bare question mark and a JSON type", async () => {
        const { ask } = await service();
        const mark = query === "" ? "?" : query;
        for (const target of [
          `${path}${query}`,
          `${path}/${query}`,
          `${path}${mark}`,
          `${path}/${mark}`,
        ]) {
          for (const type of ["application/json", "application/json,charset=UTF-8", "text/plain"]) {
            const { status } = await ask(method, target, body, { "content-type": type });
            expect([target, status]).toEqual([target, 200]);
          }
        }
      });
    });

    test("every operation of the documentation exists", () => {
      const documented = [
        "POST /tracking/session",
        "POST /tracking/session/user",
        "POST /tracking/events",
        "POST /search",
        "GET /contents",
        "GET /contents/ids",
        "GET /contents/popular",
        "GET /contents/push",
        "GET /contents/{}",
        "GET /contents/slug/{}",
        "GET /contents/{}/related",
        "GET /contents/{}/user-questions",
        "GET /content/{}/user-questions",
        "GET /contents/{}/decision-tree",
        "GET /categories",
        "GET /categories/{}",
        "GET /categories/slug/{}",
        "GET /categories/{}/contents",
        "GET /user-questions",
        "GET /user-questions/{}",
        "GET /user-questions/slug/{}",
        "GET /user-questions/{}/contents",
        "GET /user-question/{}/contents",
        "GET /cross-selling/{}",
        "GET /cross-selling/search",
        "GET /app/data/{}",
        "GET /user-types",
        "POST /language-detector",
        "GET /language-detector",
        "GET /autocompleter/data",
        "POST /inbtrck/events",
        "POST /generate-answer",
      ];
      const published = KNOWLEDGE_OPERATIONS.flatMap(({ method, path, aliases }) =>
        [path, ...aliases].map(
          (one) => `${method} ${one.replace("/v1", "").replaceAll(/\{\w+\}/g, "{}")}`,
        ),
      );
      expect(published.toSorted()).toEqual(documented.toSorted());
    });

    test("an empty body may be written in any form", async () => {
      const { ask } = await service();
      for (const body of [undefined, "", "[]", "{}", "null"]) {
        const { status, body: begun } = await ask("POST", "/tracking/session", body);
        expect([status, Object.keys(begun).toSorted()]).toEqual([
          200,
          ["sessionId", "sessionToken"],
        ]);
      }
    });

    test("a body that cannot be read is refused", async () => {
      const { ask } = await service();
      const json = { "content-type": "application/json" };
      expect((await ask("POST", "/search", "{", json)).status).toBe(422);
      expect((await ask("POST", "/search", "[1]", json)).status).toBe(422);
      const { ask: small } = await service({ bodyLimit: 10 });
      expect((await small("POST", "/search", { query: "refund" })).status).toBe(413);
    });

    test("the operations give an OpenAPI document", () => {
      const document = createOpenApi(KNOWLEDGE_OPERATIONS.map(describeOperation), {
        title: "Knowledge",
        version: "1",
        components: COMPONENTS,
      });
      const written = JSON.stringify(document);
      expect(written).toContain("knowledge.contentBySlug");
      for (const type of EVENT_DATA.keys()) expect(written).toContain(`"const":"${type}"`);
    });
  });
}
