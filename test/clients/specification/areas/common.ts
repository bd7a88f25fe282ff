import { clients, common, contents, contract, detector, engine, failures, http } from "../files.ts";
import { media, rates, routes, search, tokens, tracking } from "../files.ts";
import { auth, fields } from "../files.ts";
import { direct } from "../files.ts";
import * as chat from "../chat-tests.ts";
import { section } from "../rows.ts";
import type { Row } from "../rows.ts";

const versioned = common("$method $path is there under v1 alone");

/** seed.md 9 and 10: rules for all areas, and dated changes. */
export const COMMON: readonly Row[] = [
  ...section("9", [
    [
      "common.events",
      "nobody outside is told of anything unasked",
      contract("nobody outside is notified of anything without having asked for it"),
    ],
    [
      "common.errors",
      "errors are the 404 of knowledge and the flags of the chatbot",
      search("that finds nothing is 404 with both forms of the error, and still has its code"),
      direct("an unknown direct call is conversation-error-message"),
    ],
    [
      "common.error-bodies",
      "silent on the other errors: each product has one shape, published",
      routes("%s %s is 404 in the format that clients read"),
      engine("never answers 400 to a body it can't read"),
    ],
    [
      "limit.payload",
      "10 MB for any request",
      common("$method $path refuses more than 10 MB"),
      http("10 MB are accepted and one byte more is not, declared or chunked"),
      chat.tooLargeBody,
    ],
    [
      "limit.upload",
      "7 MB for an uploaded file",
      media("may have 7,340,032 bytes, and not one more"),
      chat.tooLargeFile,
    ],
    [
      "limit.upload-base64",
      "base64 makes it 40% larger, and it still fits into the payload",
      media("may have 7,340,032 bytes, and not one more"),
    ],
    [
      "limit.media-lifetime",
      "an hour for media that nothing attached",
      contract(
        "media that nothing attached is deleted after an hour, and its UUID no longer works",
      ),
      chat.filesAsJson,
    ],
    [
      "limit.question",
      "256 characters for a question",
      direct("256 code points of %s pass and 257 are too many"),
    ],
    [
      "limit.rates",
      "each interface limits the rate of calls",
      rates("answers 429 with Retry-After and the four headers once a key has called too often"),
      rates("count each key and each group by itself"),
      chat.rates,
      failures("a call that was refused with 429 waits as long as the answer says"),
    ],
    [
      "limit.rates-discovery",
      "asking discovery before each call may go over it",
      rates("stops a client that asks discovery before every call, but never createClients"),
    ],
    [
      "limit.rates-figures",
      "silent on the figures: ours are per minute and per hour",
      rates("allow a number of calls in a minute, then return the time to wait"),
      rates("start again every minute, while the hour's count goes on"),
    ],
  ]),
  ...section("10", [
    [
      "version.rule-1",
      "the version stands behind the address, as a v with a number",
      clients("clients ask a service only below /v1 of the address that discovery named"),
      versioned,
    ],
    ["version.rule-1-latest", "v1 is the latest of case management and knowledge", versioned],
    ["version.rule-2", "the chat's version is the first part of its path", chat.version],
    ["version.rule-2-only", "and is v1, nothing else", chat.version],
    [
      "version.rule-3",
      "an address may change, and comes anew with each token",
      common("answers a new token with the address that holds by then"),
      tokens(
        "a token is refreshed in its last three minutes, and its addresses are discovered anew",
      ),
    ],
    [
      "version.chatbot",
      "the chatbot is asked with and without the version",
      common(
        "the chatbot is there under v1 and, as the specification writes it, without a version",
      ),
    ],
    [
      "change.2019-05-29-detector",
      "a language detector",
      detector("is asked by POST or GET, as `query` or `text`, and records nothing"),
      detector(
        "distinguishes the languages of contents, and mostly those of the engine's own lines",
      ),
    ],
    [
      "change.2019-05-29-event",
      "the event `language-detector`",
      tracking("the other events are recorded with what they say"),
    ],
    [
      "change.2019-05-15",
      "the SDK's version is tracked",
      tracking("with %o the user information of an event is %o"),
    ],
    [
      "change.2019-04-03-ids",
      "several contents by their ids",
      contents("several by their ids have the requested order, without missing ones"),
    ],
    [
      "change.2019-04-03-session",
      "a session has an id beside its token",
      tracking(
        "a session relates events, with or without Bearer before its token, and is optional",
      ),
    ],
    [
      "change.2019-03-06-split",
      "a long query without punctuation can be split",
      search("is answered per part without any punctuation"),
      search("is answered per part at its punctuation"),
    ],
    ["change.2019-03-06-depth", "maxDepth of a category by slug", contents("%s is %o")],
    [
      "change.2019-03-06-404",
      "an unknown question is 404 and not 500",
      search("that finds nothing is 404 with both forms of the error, and still has its code"),
    ],
    [
      "change.2019-02-20",
      "booleans are true/false and 0/1",
      fields("%j is true"),
      fields("%j is false"),
      tracking(
        "a search records exactly one event unless `tracking` is false, in JSON, form and query",
      ),
    ],
    [
      "change.2018-12-12-category",
      "contents of a category",
      contents("a category's contents are those filed in it, in the edited order"),
    ],
    [
      "change.2018-12-12-keys",
      "several signing keys",
      auth("outlive a key rotation, and end with the key that signed them"),
    ],
    [
      "change.2018-12-12-user",
      "nothing of the reader is tracked unless asked",
      tracking("with %o the user information of an event is %o"),
    ],
    [
      "change.2018-11-07",
      "searches are cached",
      search("use the engine once, and each is recorded with its own codes"),
    ],
    [
      "change.2018-10-17-modified",
      "contents by their last change",
      contents("are sorted by their last change, or by their beginning, newest first"),
    ],
    [
      "change.2018-10-17-categories",
      "categoryId with commas",
      contents("lists have the edited order, without contents that are hidden or not shown"),
    ],
    [
      "change.2018-10-03-rates",
      "limits up to five times as high",
      rates("are as many times higher as the key's factor says"),
    ],
    [
      "change.2018-09-19-questions",
      "user questions",
      contents(
        "are alternative titles with ids of their own, listed in the order of their contents",
      ),
      contents("of a content, and the contents of a question, are found under both spellings"),
    ],
    [
      "change.2018-09-19-event",
      "the event `click_user_question`",
      tracking("the other events are recorded with what they say"),
    ],
    [
      "change.2018-08-22",
      "popular and pushed contents of several categories",
      tracking("popular contents are ranked by the clicks of the last 30 days"),
      contents(
        "push contents are those with the attribute, ordered by its number, else the newest",
      ),
    ],
    [
      "change.2018-07-25-events",
      "the events `instant_search`, `instant_click`, `contact_search`",
      tracking("the other events are recorded with what they say"),
    ],
    [
      "change.2018-07-25-tracking",
      "the `tracking` parameters",
      tracking(
        "a search records exactly one event unless `tracking` is false, in JSON, form and query",
      ),
      tracking("reading %s records exactly one click unless `tracking` is false"),
    ],
    [
      "change.2018-04-04",
      "searches say how results match",
      search("answers contents best first, with score, highlighted title and matched fields"),
    ],
    ["change.chat-2019-06-26", "a chat's history is described", chat.wholeWay],
    ["change.chat-2018-11-21", "settings are exactly what was given", chat.exactList],
    ["change.chat-2018-10-03-list", "GET /surveys", chat.surveys],
    ["change.chat-2018-10-03-one", "GET /surveys/<id>", chat.surveys],
    ["change.chat-2018-09-05", "the right CHAT_EDIT_USER_INFO", chat.editRight],
  ]),
];
