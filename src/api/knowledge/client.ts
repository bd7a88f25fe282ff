import type { ApiCaller, CallInput, Id } from "../call/caller.ts";
import { isCallError } from "../call/call-error.ts";
import { walkPages } from "../call/caller.ts";
import { type OperationName, routeOf } from "../call/routes.ts";
import { trustAnswer, readListMember, memberOf, readTextMember } from "../call/read.ts";
import type {
  ContentFilter,
  CrossSellingFilter,
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
} from "./answers.ts";

/** Knowledge. Lists load page by page. An unknown id is a `CallError` `call-not-found`. */
export interface KnowledgeClient {
  /** Relates a reader's events: pass its `sessionToken` as `session` in later calls. */
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
  /** Searches contents. If it finds none, `results` is empty, also for a 404. */
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
  /** Finds a content by its present or a former slug. */
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

type Name = OperationName<"knowledge">;

/**
 * The client of `apis.knowledge`.
 *
 * @param wire which spelling of the two user-question paths goes out; a service accepts both
 */
export function createKnowledgeClient(
  caller: ApiCaller,
  wire: "deployed" | "seed" = "deployed",
): KnowledgeClient {
  const { call, fetchList, fetchOne, walkList } = createCalls(caller, wire);
  const track = async (event: KnowledgeEvent, options?: KnowledgeCallOptions): Promise<void> => {
    await call("track", options, { body: event, answer: "none" });
  };

  return {
    async startSession({ sdkVersion, ...options } = {}) {
      const body = sdkVersion === undefined ? {} : { sdkVersion };
      return trustAnswer<StartedSession>(await call("startSession", options, { body }));
    },
    async setSessionUser(data, options) {
      await call("setSessionUser", options, { body: { data }, answer: "none" });
    },
    track,
    click: (code, options) => track({ type: "click", data: { code } }, options),
    rate: (code, { value, comment = null }, options) =>
      track({ type: "rate", data: { code, value, comment } }, options),
    search: (text, options = {}) =>
      readOutcome(() => call("search", options, { body: searchBody(text, options) })),
    async generateAnswer(text, options = {}) {
      let answer: string | null = null;
      const found = await readOutcome(async () => {
        const body = searchBody(text, options);
        const response = await call("generateAnswer", options, { body });
        answer = readTextMember(response, "answer");
        return response;
      });
      return { ...found, answer };
    },
    contents: (filter = {}, options) => walkList("contents", options, toListQuery(filter)),
    contentsByIds: (ids, options) =>
      fetchList("contentsByIds", options, { members: { ids: ids.join(",") } }),
    popular: (filter = {}, options) => walkList("popular", options, toListQuery(filter)),
    push: (filter = {}, options) => walkList("push", options, toListQuery(filter)),
    content: (id, options) => fetchOne("content", options, { id, members: membersOf(options) }),
    contentBySlug: (id, options) =>
      fetchOne("contentBySlug", options, { id, members: membersOf(options) }),
    related: (id, options) => walkList("related", options, {}, id),
    decisionTree: (id, options) => fetchList("decisionTree", options, { id }),
    categories: (options) => fetchList("categories", options, { members: membersOf(options) }),
    category: (id, options) => fetchList("category", options, { id, members: membersOf(options) }),
    categoryBySlug: (id, options) =>
      fetchList("categoryBySlug", options, { id, members: membersOf(options) }),
    categoryContents: (id, options) => walkList("categoryContents", options, {}, id),
    userQuestions: (options) => walkList("userQuestions", options),
    userQuestionsOf: (id, options) => walkList("userQuestionsOf", options, {}, id),
    userQuestion: (id, options) => fetchOne("userQuestion", options, { id }),
    userQuestionBySlug: (id, options) => fetchOne("userQuestionBySlug", options, { id }),
    contentsOfUserQuestion: (id, options) => walkList("contentsOfUserQuestion", options, {}, id),
    crossSelling: (id, options) =>
      fetchOne("crossSelling", options, { id, members: membersOf(options) }),
    searchCrossSelling: (filter = {}, options) => walkList("searchCrossSelling", options, filter),
    autocompleterData: (options) => fetchList("autocompleterData", options),
    detectLanguage: async (text, options) =>
      trustAnswer<DetectedLanguage>(
        await call("detectLanguage", options, { body: { query: text } }),
      ),
  };
}

function createCalls(caller: ApiCaller, wire: "deployed" | "seed") {
  /** `members` go into the query, beside the language. */
  const call = async (
    name: Name,
    { session, signal, lang }: KnowledgeCallOptions = {},
    { members = {}, ...input }: CallInput & { readonly members?: object } = {},
  ): Promise<unknown> => {
    const { id, method, path, aliases } = routeOf("knowledge", name);
    // Clients of knowledge send the token alone; those of the chatbot write `Bearer ` before it.
    const headers = session === undefined ? {} : { "x-inbenta-session": session };
    const given = Object.entries(members).filter(([, value]) => isPlain(value));
    const query = Object.fromEntries([...given, ["lang", lang]]);
    const spelled = wire === "seed" ? (aliases[0] ?? path) : path;
    const operation = { id, method, path: spelled };
    return (await caller.call(operation, { ...input, query, signal, headers })).value;
  };
  const fetchList = async <T>(...asked: Parameters<typeof call>): Promise<readonly T[]> =>
    trustAnswer<readonly T[]>(readListMember(await call(...asked), "results"));
  const fetchOne = async <T>(...asked: Parameters<typeof call>): Promise<T> => {
    const answer = await call(...asked);
    // One content comes as a list of one.
    return trustAnswer<T>(readListMember(answer, "results")[0] ?? answer);
  };
  const walkList = <T>(
    name: Name,
    options: KnowledgeListOptions = {},
    filter: object = {},
    id?: Id,
  ): AsyncIterable<T> =>
    walkPages<T>(
      (page) => call(name, options, { id, members: { ...filter, ...page } }),
      "results",
      options,
    );
  return { call, fetchList, fetchOne, walkList };
}

function isPlain(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

async function readOutcome(ask: () => Promise<unknown>): Promise<SearchOutcome> {
  try {
    const answer = await ask();
    const found = trustAnswer<Partial<SearchAnswer>>(answer);
    return {
      results: trustAnswer<SearchAnswer["results"]>(readListMember(answer, "results")),
      ...(found.parts !== undefined && { parts: found.parts }),
      searchCode: readTextMember(memberOf(answer, "tracking"), "searchCode"),
    };
  } catch (error) {
    // A 404 of the service has a body with the code 404. A 404 for a wrong address has none.
    const nothingFound = isCallError(error) && error.status === 404 && error.wireCode === 404;
    if (!nothingFound) throw error;
    return { results: [], searchCode: null };
  }
}

function searchBody(text: string, options: SearchOptions): object {
  const { session: _, signal: __, lang: ___, categoryId, ...more } = options;
  return {
    query: text,
    ...more,
    ...(categoryId !== undefined && { categoryId: joinIds(categoryId) }),
  };
}

function toListQuery({ categoryId, ...more }: ContentFilter): object {
  return { ...more, ...(categoryId !== undefined && { categoryId: joinIds(categoryId) }) };
}

function joinIds(ids: Id | readonly Id[]): string {
  return (Array.isArray(ids) ? ids : [ids]).join(",");
}

/** Picks the options of a call that go into its query. */
function membersOf({
  tracking,
  autocompleterClick,
  maxDepth,
}: ReadOptions & TreeOptions = {}): object {
  // Members that are undefined are left out of a query.
  return { tracking, autocompleterClick, maxDepth };
}
