import type { Caller } from "../caller.ts";
import { isCallError } from "../call-error.ts";
import { walkPages } from "../pages.ts";
import { documented, listMember, memberOf, textMember } from "../read.ts";
import { knowledgeCalls } from "./calls.ts";
import type {
  ContentFilter,
  CrossSellingFilter,
  Id,
  KnowledgeCallOptions,
  KnowledgeListOptions,
  Rating,
  ReadOptions,
  SearchOptions,
  SearchOutcome,
  TreeOptions,
} from "./client-types.ts";
import type { KnowledgeEvent } from "./events.ts";
import type {
  AutocompleterEntry,
  CrossSellingItem,
  DecisionNode,
  DetectedLanguage,
  KnowledgeCategory,
  KnowledgeContent,
  SearchAnswer,
  StartedSession,
  UserQuestion,
} from "./types.ts";

/**
 * Knowledge. Lists are walked page by page as they are read; what is not there is a `CallError`
 * `call-not-found`.
 */
export interface KnowledgeClient {
  /**
   * Relates the events of one reader: name its `sessionToken` as `session` in the calls that
   * follow.
   */
  startSession(
    options?: KnowledgeCallOptions & { readonly sdkVersion?: string },
  ): Promise<StartedSession>;
  setSessionUser(
    data: Readonly<Record<string, unknown>>,
    options: KnowledgeCallOptions & { readonly session: string },
  ): Promise<void>;
  track(event: KnowledgeEvent, options?: KnowledgeCallOptions): Promise<void>;
  /** Reports that a reader opened a content, by the `clickCode` that it came with. */
  click(code: string, options?: KnowledgeCallOptions): Promise<void>;
  /** Rates a content by its `rateCode`, or a search by its `searchCode`. */
  rate(code: string, rating: Rating, options?: KnowledgeCallOptions): Promise<void>;
  /**
   * Nothing found is no error: `results` is then empty, whether the service says so with 404 or
   * with 200.
   */
  search(query: string, options?: SearchOptions): Promise<SearchOutcome>;
  generateAnswer(
    query: string,
    options?: SearchOptions,
  ): Promise<SearchOutcome & { readonly answer: string | null }>;
  contents(filter?: ContentFilter, options?: KnowledgeListOptions): AsyncIterable<KnowledgeContent>;
  contentsByIds(
    ids: readonly Id[],
    options?: KnowledgeCallOptions,
  ): Promise<readonly KnowledgeContent[]>;
  popular(filter?: ContentFilter, options?: KnowledgeListOptions): AsyncIterable<KnowledgeContent>;
  push(filter?: ContentFilter, options?: KnowledgeListOptions): AsyncIterable<KnowledgeContent>;
  content(id: Id, options?: ReadOptions): Promise<KnowledgeContent>;
  /** Also by a former slug. */
  contentBySlug(slug: string, options?: ReadOptions): Promise<KnowledgeContent>;
  related(id: Id, options?: KnowledgeListOptions): AsyncIterable<KnowledgeContent>;
  decisionTree(id: Id, options?: KnowledgeCallOptions): Promise<readonly DecisionNode[]>;
  categories(options?: TreeOptions): Promise<readonly KnowledgeCategory[]>;
  /** The category itself comes first. */
  category(id: Id, options?: TreeOptions): Promise<readonly KnowledgeCategory[]>;
  categoryBySlug(slug: string, options?: TreeOptions): Promise<readonly KnowledgeCategory[]>;
  categoryContents(id: Id, options?: KnowledgeListOptions): AsyncIterable<KnowledgeContent>;
  userQuestions(options?: KnowledgeListOptions): AsyncIterable<UserQuestion>;
  userQuestionsOf(content: Id, options?: KnowledgeListOptions): AsyncIterable<UserQuestion>;
  userQuestion(id: Id, options?: KnowledgeCallOptions): Promise<UserQuestion>;
  userQuestionBySlug(slug: string, options?: KnowledgeCallOptions): Promise<UserQuestion>;
  contentsOfUserQuestion(id: Id, options?: KnowledgeListOptions): AsyncIterable<KnowledgeContent>;
  crossSelling(id: Id, options?: ReadOptions): Promise<CrossSellingItem>;
  searchCrossSelling(
    filter?: CrossSellingFilter,
    options?: KnowledgeListOptions,
  ): AsyncIterable<CrossSellingItem>;
  autocompleterData(options?: KnowledgeCallOptions): Promise<readonly AutocompleterEntry[]>;
  detectLanguage(text: string, options?: KnowledgeCallOptions): Promise<DetectedLanguage>;
}

/**
 * The client of `apis.knowledge`.
 *
 * @param wire which spelling of the two user-question paths goes out; a service accepts both
 */
export function knowledgeClient(
  caller: Caller,
  wire: "deployed" | "seed" = "deployed",
): KnowledgeClient {
  const { call, query } = knowledgeCalls(caller);
  const list = async <T>(...asked: Parameters<typeof call>): Promise<readonly T[]> =>
    documented<readonly T[]>(listMember(await call(...asked), "results"));
  const one = async <T>(...asked: Parameters<typeof call>): Promise<T> => {
    const answer = await call(...asked);
    // One content comes as a list of one.
    return documented<T>(listMember(answer, "results")[0] ?? answer);
  };
  const pages = <T>(
    name: string,
    path: string,
    values: Readonly<Record<string, string | number>>,
    filter: object,
    options: KnowledgeListOptions = {},
  ): AsyncIterable<T> =>
    walkPages<T>(
      (page) =>
        call(name, "GET", path, options, {
          path: values,
          query: query({ ...filter, ...page }, options),
        }),
      "results",
      options,
    );
  const get = (
    path: Readonly<Record<string, string | number>>,
    members: object,
    options: KnowledgeCallOptions,
  ) => ({ path, query: query(members, options) });
  const track = async (
    event: KnowledgeEvent,
    options: KnowledgeCallOptions = {},
  ): Promise<void> => {
    await call("track", "POST", "/tracking/events", options, { body: event, answer: "none" });
  };
  const [ofContent, ofQuestion] =
    wire === "seed"
      ? ["/content/{id}/user-questions", "/user-question/{id}/contents"]
      : ["/contents/{id}/user-questions", "/user-questions/{id}/contents"];

  return {
    async startSession({ sdkVersion, ...options } = {}) {
      const body = sdkVersion === undefined ? {} : { sdkVersion };
      return documented<StartedSession>(
        await call("startSession", "POST", "/tracking/session", options, { body }),
      );
    },
    async setSessionUser(data, options) {
      const input = { body: { data }, answer: "none" } as const;
      await call("setSessionUser", "POST", "/tracking/session/user", options, input);
    },
    track,
    click: (code, options) => track({ type: "click", data: { code } }, options),
    rate: (code, { value, comment = null }, options) =>
      track({ type: "rate", data: { code, value, comment } }, options),
    search: (text, options = {}) =>
      outcome(() =>
        call("search", "POST", "/search", options, { body: searchBody(text, options) }),
      ),
    async generateAnswer(text, options = {}) {
      let answer: string | null = null;
      const found = await outcome(async () => {
        const body = searchBody(text, options);
        const said = await call("generateAnswer", "POST", "/generate-answer", options, { body });
        answer = textMember(said, "answer");
        return said;
      });
      return { ...found, answer };
    },
    contents: (filter = {}, options) => pages("contents", "/contents", {}, listed(filter), options),
    contentsByIds: (ids, options = {}) =>
      list("contentsByIds", "GET", "/contents/ids", options, {
        query: query({ ids: ids.join(",") }, options),
      }),
    popular: (filter = {}, options) =>
      pages("popular", "/contents/popular", {}, listed(filter), options),
    push: (filter = {}, options) => pages("push", "/contents/push", {}, listed(filter), options),
    content: (id, options = {}) =>
      one("content", "GET", "/contents/{id}", options, get({ id }, membersOf(options), options)),
    contentBySlug: (slug, options = {}) =>
      one(
        "contentBySlug",
        "GET",
        "/contents/slug/{slug}",
        options,
        get({ slug }, membersOf(options), options),
      ),
    related: (id, options) => pages("related", "/contents/{id}/related", { id }, {}, options),
    decisionTree: (id, options = {}) =>
      list(
        "decisionTree",
        "GET",
        "/contents/{id}/decision-tree",
        options,
        get({ id }, {}, options),
      ),
    categories: (options = {}) =>
      list("categories", "GET", "/categories", options, get({}, membersOf(options), options)),
    category: (id, options = {}) =>
      list(
        "category",
        "GET",
        "/categories/{id}",
        options,
        get({ id }, membersOf(options), options),
      ),
    categoryBySlug: (slug, options = {}) =>
      list(
        "categoryBySlug",
        "GET",
        "/categories/slug/{slug}",
        options,
        get({ slug }, membersOf(options), options),
      ),
    categoryContents: (id, options) =>
      pages("categoryContents", "/categories/{id}/contents", { id }, {}, options),
    userQuestions: (options) => pages("userQuestions", "/user-questions", {}, {}, options),
    userQuestionsOf: (id, options) => pages("userQuestionsOf", ofContent, { id }, {}, options),
    userQuestion: (id, options = {}) =>
      one("userQuestion", "GET", "/user-questions/{id}", options, get({ id }, {}, options)),
    userQuestionBySlug: (slug, options = {}) =>
      one(
        "userQuestionBySlug",
        "GET",
        "/user-questions/slug/{slug}",
        options,
        get({ slug }, {}, options),
      ),
    contentsOfUserQuestion: (id, options) =>
      pages("contentsOfUserQuestion", ofQuestion, { id }, {}, options),
    crossSelling: (id, options = {}) =>
      one(
        "crossSelling",
        "GET",
        "/cross-selling/{id}",
        options,
        get({ id }, membersOf(options), options),
      ),
    searchCrossSelling: (filter = {}, options) =>
      pages("searchCrossSelling", "/cross-selling/search", {}, filter, options),
    autocompleterData: (options = {}) =>
      list("autocompleterData", "GET", "/autocompleter/data", options, get({}, {}, options)),
    detectLanguage: async (text, options = {}) =>
      documented<DetectedLanguage>(
        await call("detectLanguage", "POST", "/language-detector", options, {
          body: { query: text },
        }),
      ),
  };
}

async function outcome(ask: () => Promise<unknown>): Promise<SearchOutcome> {
  try {
    const answer = await ask();
    const found = documented<Partial<SearchAnswer>>(answer);
    return {
      results: documented<SearchAnswer["results"]>(listMember(answer, "results")),
      ...(found.parts !== undefined && { parts: found.parts }),
      searchCode: textMember(memberOf(answer, "tracking"), "searchCode"),
    };
  } catch (error) {
    // Such an answer has a body that says so; a wrong address would have none, or another one.
    const nothing = isCallError(error) && error.status === 404 && error.wireCode === 404;
    if (!nothing) throw error;
    return { results: [], searchCode: null };
  }
}

function searchBody(text: string, options: SearchOptions): object {
  const { session: _, signal: __, lang: ___, categoryId, ...more } = options;
  return {
    query: text,
    ...more,
    ...(categoryId !== undefined && { categoryId: joined(categoryId) }),
  };
}

function listed({ categoryId, ...more }: ContentFilter): object {
  return { ...more, ...(categoryId !== undefined && { categoryId: joined(categoryId) }) };
}

function joined(ids: Id | readonly Id[]): string {
  return (Array.isArray(ids) ? ids : [ids]).join(",");
}

/** What of the options of a call goes into its query. */
function membersOf({ tracking, autocompleterClick, maxDepth }: ReadOptions & TreeOptions): object {
  // What is undefined is left out of a query.
  return { tracking, autocompleterClick, maxDepth };
}
