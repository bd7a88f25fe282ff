import { common, contents, detector, fields, knowledgeClient, knowledgeWire } from "../files.ts";
import { search, tracking } from "../files.ts";
import { section } from "../rows.ts";
import type { Row } from "../rows.ts";

const shapes = knowledgeWire(
  "answers by its shape, with and without a slash, a bare question mark and a JSON type",
);
const all = knowledgeWire("every operation of the documentation exists");
const related = tracking(
  "a session relates events, with or without Bearer before its token, and is optional",
);
const clicked = tracking("reading %s records exactly one click unless `tracking` is false");
const searched = tracking(
  "a search records exactly one event unless `tracking` is false, in JSON, form and query",
);
const one = contents("a content by its id or slug is a list of one, with every field");
const filed = contents(
  "lists have the edited order, without contents that are hidden or not shown",
);
const counted = contents("are a flat list from the root down, with depth and counts");
const depth = contents("%s is %o");
const bySlug = contents("are found by id and by slug, which distinguishes equal ones");
const between = contents(
  "of a content, and the contents of a question, are found under both spellings",
);
const other = tracking("the other events are recorded with what they say");
const rated = tracking("a rating whose comment is %s has the comment null");
const reader = tracking("with %o the user information of an event is %o");
const crossSelling = contents("an item is a content that others offer, and names these");
const crossSearched = tracking("a cross-selling search is recorded with what it was asked for");
const matching = search(
  "answers contents best first, with score, highlighted title and matched fields",
);

/** seed.md 6. */
export const KNOWLEDGE: readonly Row[] = [
  ...section("6.1", [
    ["knowledge.session", "a session that starts answers a token and an id", related, shapes],
    ["knowledge.search-query", "a search needs a query", search("needs a query: %o is refused")],
    ["knowledge.search-tracking", "a search is tracked unless told otherwise", searched],
    ["knowledge.search-details", "a search says how its results match", matching],
    ["knowledge.content-address", "a content is addressed by id or slug", one],
    ["knowledge.category-address", "a category is addressed by id or slug", depth],
    [
      "knowledge.category-depth",
      "maxDepth bounds the tree of categories",
      depth,
      contents("a depth of %s is refused"),
    ],
    ["knowledge.user-question-address", "a user question is addressed by id or slug", bySlug],
    ["knowledge.cross-selling-address", "cross-selling is addressed by id", crossSelling],
    ["knowledge.records", "silent on the fields of records: ours are published", shapes],
    [
      "knowledge.booleans",
      "booleans are also 1 and 0",
      searched,
      tracking("%s is not a boolean, and nothing is recorded"),
      fields("%j is true"),
    ],
  ]),
  ...section("6.2", [
    [
      "knowledge.post-session",
      "POST /tracking/session needs nothing, answers token and id",
      related,
    ],
    [
      "knowledge.post-session-optional",
      "a session is not needed, and relates a reader's events",
      related,
    ],
    ["knowledge.post-events", "POST /tracking/events records an event of a listed type", other],
    [
      "knowledge.post-search",
      "POST /search answers results with how they match",
      matching,
      searched,
    ],
    [
      "knowledge.post-search-credentials",
      "a search needs key and token",
      knowledgeWire("refuses a caller without a token"),
      common("$method $path is refused without a token, or without a key"),
    ],
    [
      "knowledge.post-search-cached",
      "equal searches come from a cache",
      search("use the engine once, and each is recorded with its own codes"),
      search("are right after an edit"),
    ],
    ["knowledge.get-content", "GET /contents/{id} answers it, and tracks a click", one, clicked],
    ["knowledge.get-content-slug", "GET /contents/slug/{slug} does the same", one, clicked],
    ["knowledge.get-contents", "GET /contents takes category ids with commas between", filed],
    ["knowledge.get-categories", "GET /categories answers depths and counts", counted],
    ["knowledge.get-category-slug", "GET /categories/slug/{slug} goes down to maxDepth", depth],
    [
      "knowledge.get-category-contents",
      "GET /categories/{id}/contents has the edited order",
      contents("a category's contents are those filed in it, in the edited order"),
    ],
    [
      "knowledge.get-cross-selling",
      "GET /cross-selling/{id} answers one, and tracks it",
      crossSelling,
      clicked,
    ],
    [
      "knowledge.get-cross-selling-search",
      "GET /cross-selling/search searches, and tracks it",
      crossSearched,
    ],
    [
      "knowledge.get-user-questions",
      "GET /user-questions lists them",
      contents(
        "are alternative titles with ids of their own, listed in the order of their contents",
      ),
    ],
    ["knowledge.get-user-question", "GET /user-questions/<id> answers one", bySlug],
    ["knowledge.get-user-question-slug", "GET /user-questions/slug/<slug> answers one", bySlug],
    ["knowledge.get-questions-of-content", "GET /content/<id>/user-questions", between],
    ["knowledge.get-contents-of-question", "GET /user-question/<id>/contents", between],
    [
      "knowledge.by-ids",
      "several contents by a list of ids",
      contents("several by their ids have the requested order, without missing ones"),
    ],
    [
      "knowledge.popular-push",
      "popular and pushed contents take several categories",
      tracking("popular contents are ranked by the clicks of the last 30 days"),
      contents(
        "push contents are those with the attribute, ordered by its number, else the newest",
      ),
    ],
    [
      "knowledge.by-change",
      "contents by their last change",
      contents("are sorted by their last change, or by their beginning, newest first"),
    ],
    [
      "knowledge.language-detector",
      "there is a language detector",
      detector("is asked by POST or GET, as `query` or `text`, and records nothing"),
    ],
    [
      "knowledge.autocompleter",
      "autocompleter data leave out what is expired or unpublished",
      contents("the autocompleter has no hidden, unpublished, expired or future content"),
    ],
    ["knowledge.rest-paths", "silent on the paths of those: ours are published", all],
    ["knowledge.rest-bodies", "silent on the other bodies: ours are published", shapes],
  ]),
  ...section("6.3", [
    ["tracking.rule-1-path", "events are posted to /tracking/events", other],
    ["tracking.rule-1-language-detector", "event `language-detector`", other],
    ["tracking.rule-1-instant-search", "event `instant_search`", other],
    ["tracking.rule-1-instant-click", "event `instant_click`", other],
    ["tracking.rule-1-contact-search", "event `contact_search`", other],
    ["tracking.rule-1-click-user-question", "event `click_user_question`", other],
    [
      "tracking.rule-1-rating",
      "ratings are events",
      tracking("clicks, ratings and searches are related by the codes of the answer"),
    ],
    ["tracking.rule-1-comment", "a rating without a comment is stored with null for it", rated],
    ["tracking.rule-2-search", "searches are tracked without being asked", searched],
    [
      "tracking.rule-2-click",
      "reading a content tracks a click, unless tracking is false",
      clicked,
    ],
    ["tracking.rule-2-cross-selling", "cross-selling is tracked", crossSearched, clicked],
    ["tracking.rule-3", "a session relates one reader's events", related],
    ["tracking.rule-3-filter", "events keep the session's id to be filtered by", related],
    ["tracking.rule-4", "nothing about the reader is tracked unless asked", reader],
    ["tracking.rule-4-options", "two options record browser and IP address", reader],
    ["tracking.rule-4-sdk", "the SDK's version may be among it", reader],
    [
      "tracking.rule-5",
      "silent on further types, options and payloads: any type is kept as it comes",
      other,
      tracking("an event with a wrong %s is refused, and the message names it"),
    ],
  ]),
  ...section("6.4", [
    [
      "knowledge.no-match",
      "a search that finds nothing is 404",
      search("that finds nothing is 404 with both forms of the error, and still has its code"),
      search("that finds nothing is 200 with no results where the setting says so"),
      knowledgeClient("searches, and treats no results as a success with either status"),
    ],
    [
      "knowledge.no-match-former",
      "and no longer 500",
      search("that finds nothing is 404 with both forms of the error, and still has its code"),
    ],
  ]),
];
