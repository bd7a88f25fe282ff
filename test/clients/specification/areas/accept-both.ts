import {
  auth,
  checks,
  choices,
  clients,
  common,
  contents,
  contract,
  decided,
  engine,
} from "../files.ts";
import { failures, fields, flags, http, knowledgeWire, media } from "../files.ts";
import { message, routes, tickets, tracking } from "../files.ts";
import * as chat from "../chat-tests.ts";
import { section, testsOf } from "../rows.ts";
import type { Row } from "../rows.ts";

const agents = testsOf("api/agents-available.test.ts");
const negotiate = testsOf("locales/negotiate.test.ts");
const language = testsOf("backend/chatbot/language.test.ts");
const target = testsOf("gateway/exchange/target.test.ts");
const exchanged = clients(
  "clients send JSON, a token as Bearer, no slash at the end, and nothing with a GET",
);
const knowledgeSends = clients(
  "categories go out with commas, and a knowledge session without Bearer: %j",
);
const optionBack = clients("an option goes back as it came: %s");
const session = tracking(
  "a session relates events, with or without Bearer before its token, and is optional",
);
const rated = tracking("a rating whose comment is %s has the comment null");
const between = contents(
  "of a content, and the contents of a question, are found under both spellings",
);
const shapes = knowledgeWire(
  "answers by its shape, with and without a slash, a bare question mark and a JSON type",
);
const noMatch = testsOf("backend/knowledge/suites/searches.ts")(
  "that finds nothing is 404 with both forms of the error, and still has its code",
);
const gatewayLogin = testsOf("gateway/upstream/authentication.test.ts");
const seedUuids = media(
  "the specification's spelling returns UUIDs, which every identifier may be",
);

/** The reference's table "Accept both": the accepted spellings, and the emitted one. */
export const ACCEPT_BOTH: readonly Row[] = [
  ...section("accept-both", [
    [
      "accept-both.1-accept",
      "the API key under either name, in any letter case",
      common("the key under %s opens every product"),
      auth("accepts the key under its other name and in any letter case"),
    ],
    [
      "accept-both.1-emit",
      "goes out as x-vendor-key unless told otherwise",
      clients("clients send the key under the specification's name, unless another is configured"),
    ],
    [
      "accept-both.2-accept",
      "chat credentials in headers and in the query",
      target("%s %s with chat credentials is chat"),
      chat.anySpelling,
    ],
    ["accept-both.2-emit", "go out as headers", chat.clientSpellings],
    [
      "accept-both.3-accept",
      "a slash or a bare question mark at the end",
      common("$path is the same with a slash or a bare question mark at its end"),
      routes("the chatbot answers under %j, with and without a trailing slash"),
    ],
    ["accept-both.3-emit", "goes out without", exchanged],
    [
      "accept-both.4-accept",
      "media, settings and surveys of the chat with and without the version",
      target("%s %s with chat credentials is chat"),
      chat.version,
      chat.surveys,
    ],
    ["accept-both.4-emit", "goes out with it", chat.clientVersions],
    ["accept-both.5-accept", "who closes a chat, in the body or the query", chat.closed],
    [
      "accept-both.5-emit",
      "goes out in the query; in the specification's wire in the body",
      chat.clientSpellings,
      chat.clientCloses,
    ],
    ["accept-both.6-accept", "one room or several, as roomId and roomIds", chat.rooms],
    [
      "accept-both.6-emit",
      "goes out as roomIds for available, roomId for online",
      chat.clientSpellings,
    ],
    ["accept-both.7-accept", "user questions of a content under content and contents", between],
    [
      "accept-both.7-emit",
      "goes out in the plural; in the specification's wire in the singular",
      clients("user questions are asked for in the configured spelling: %s"),
    ],
    ["accept-both.8-accept", "contents of a user question under both", between],
    [
      "accept-both.8-emit",
      "goes out in the plural; in the specification's wire in the singular",
      clients("user questions are asked for in the configured spelling: %s"),
    ],
    [
      "accept-both.9-accept",
      "JSON under any type and form encoding with nesting",
      tickets("every body encoding creates the same ticket"),
      engine("reads %s"),
      auth("takes the secret from %s"),
      auth("takes a body without any content type"),
      tracking("an event as a form is the same event"),
    ],
    ["accept-both.9-accept-media", "multipart for files of the chat", chat.files],
    ["accept-both.9-emit", "goes out as application/json", exchanged],
    [
      "accept-both.10-accept",
      "the secret as JSON and raw in a form",
      auth("takes a secret in a form both raw and percent-encoded"),
      auth("takes the secret from %s"),
    ],
    ["accept-both.10-emit", "goes out as JSON", clients("%s carries what the specification shows")],
    [
      "accept-both.11-accept",
      "no body, {} and [] are one",
      common("none at all, {} and [] are the same empty body"),
      knowledgeWire("an empty body may be written in any form"),
    ],
    ["accept-both.11-emit", "goes out as none", exchanged],
    [
      "accept-both.12-accept",
      "a GET with a length of zero and a type",
      http("a GET with a content length of zero and a form type is an ordinary GET"),
    ],
    ["accept-both.12-emit", "goes out with neither", exchanged],
    [
      "accept-both.13-accept",
      "the session's token with and without Bearer",
      engine("are named with or without Bearer, and survive a new access token"),
      session,
    ],
    [
      "accept-both.13-emit",
      "goes out with Bearer to the chatbot, raw to knowledge",
      exchanged,
      knowledgeSends,
    ],
    [
      "accept-both.14-accept",
      "an option as an integer, as text, as a word",
      engine("takes the option %j right after it was offered"),
      checks("are understood in the conversation's language, and an English no always is"),
      choices("options that are yes and no make a polar question of the last text"),
    ],
    ["accept-both.14-emit", "goes back in the type in which it came", optionBack],
    [
      "accept-both.15-accept",
      "booleans as words and numbers, as text too, in any case",
      fields("%j is true"),
      fields("%j is false"),
      tracking(
        "a search records exactly one event unless `tracking` is false, in JSON, form and query",
      ),
    ],
    ["accept-both.15-emit", "go out as true and false", shapes],
    [
      "accept-both.16-accept",
      "the old name of follow-up-question",
      flags("of old is the flag it became"),
      decided("is known by the flag's old name, which stays"),
    ],
    [
      "accept-both.16-emit",
      "goes out under the present one",
      testsOf("backend/chatbot/flags.test.ts")("$name: $returnedWhen"),
    ],
    [
      "accept-both.17-accept",
      "the type of an extended answer with and without the inner s",
      clients("an answer of the type %s is read, its type kept"),
    ],
    [
      "accept-both.17-emit",
      "the engine has no extended answers: it emits neither",
      engine("carry the whole shape, related contents and their title"),
    ],
    [
      "accept-both.18-accept",
      "any language code, in any case, with any region",
      negotiate("%s is read as %s (%s)"),
      language(
        "language codes are known in any case and with any region, and no string breaks that",
      ),
    ],
    [
      "accept-both.18-emit",
      "the upstream gets what the client sent",
      message(
        "forwards the request byte for byte under the base's path, with our Via and the upstream's Host",
      ),
    ],
    [
      "accept-both.19-accept",
      "addresses from /auth and from /apis",
      testsOf("gateway/upstream/discovery.test.ts")(
        "never answers for another key, token or upstream",
      ),
      testsOf("gateway/upstream/authentication.test.ts")(
        "does not ask when the answer to /auth has said it",
      ),
    ],
    [
      "accept-both.19-emit",
      "go out in both, never with a refreshed token",
      auth("answers token, expiry in Unix seconds, lifetime and the products that exist"),
      common("is a GET of /v1/apis with the token and the key, and answers an address per product"),
      auth("are refreshed while they live: a new token, and no apis"),
    ],
    [
      "accept-both.20-accept",
      "identifiers as a number, as text and as a UUID, wherever one stands",
      tickets("a ticket is returned whole, with number, UUID and printable number"),
      contract("the creator of a ticket is a user that exists, by the UUID that creation gave out"),
      contract("the UUID of media is what attachments and att: name, in tickets and in replies"),
    ],
    [
      "accept-both.20-emit",
      "a number and a UUID beside it; in the specification's wire the UUID",
      contract("a user is made of a name and an e-mail address, and answered with a UUID"),
      seedUuids,
    ],
    [
      "accept-both.21-accept",
      "uuid and id when an answer is read",
      clients("what a service created is read from %s"),
    ],
    [
      "accept-both.21-emit",
      "uuid on creation, full_uuid on tickets, id in lists",
      tickets("a ticket is returned whole, with number, UUID and printable number"),
      tickets("a user is created once for each address, and found by it"),
    ],
    ["accept-both.22-accept", "a chat that is active or open", chat.statusWords],
    [
      "accept-both.22-emit",
      "goes out as active; in the specification's wire as open",
      chat.statusWords,
      chat.begun,
    ],
    ["accept-both.23-accept", "source and room as a number or text", chat.keptTypes],
    [
      "accept-both.23-emit",
      "go back in the type in which they came",
      chat.keptTypes,
      chat.typesBack,
    ],
    ["accept-both.24-accept", "writing, not-writing and stop-writing", chat.activity],
    ["accept-both.24-emit", "go out as writing and not-writing", chat.clientSpellings],
    [
      "accept-both.25-accept",
      "a rating as an integer or text, its comment null, empty or absent",
      common("a rating is taken as %s: %j with the comment %j"),
      rated,
    ],
    [
      "accept-both.25-emit",
      "goes out as an integer with null",
      clients("a rating goes out as an integer, and an empty comment as null: %s"),
    ],
    [
      "accept-both.26-accept",
      "categories as an integer or with commas; 0 is all",
      contents("lists have the edited order, without contents that are hidden or not shown"),
      testsOf("backend/knowledge/suites/searches.ts")(
        "searches the given categories and those below them; 0 is all",
      ),
    ],
    ["accept-both.26-emit", "go out with commas", knowledgeSends],
    [
      "accept-both.27-accept",
      "production, preproduction, development and 0",
      common("the environment %j is %s"),
    ],
    ["accept-both.27-emit", "none is production", common("the environment %j is %s")],
    [
      "accept-both.28-accept",
      "agents_available and agent_available, in any case",
      agents("is read from %s as %j"),
    ],
    [
      "accept-both.28-emit",
      "goes out as agents_available",
      agents("is sent as agents_available, true or false in lower case"),
    ],
    [
      "accept-both.29-accept",
      "whatever a client calls the sender in a history",
      tickets("a ticket is returned whole, with number, UUID and printable number"),
      chat.wholeWay,
    ],
    [
      "accept-both.29-emit",
      "bot and user in a conversation's history, assistant in those of tickets and chats",
      common("history says bot and user, whatever language the conversation is in"),
      tickets("a ticket is returned whole, with number, UUID and printable number"),
    ],
    [
      "accept-both.30-accept",
      "each product's own way with surveys",
      tickets("a survey is begun about a ticket and handed in once"),
      chat.surveys,
    ],
    [
      "accept-both.30-emit",
      "a survey about a ticket begins with POST and takes field_answers",
      tickets("a survey is begun about a ticket and handed in once"),
    ],
    [
      "accept-both.31-accept",
      "errors as `errors`, `error`, `message` and `Message`, at any status",
      failures("the error body %s is read"),
      failures("an answer of 200 that holds errors is a failure"),
    ],
    [
      "accept-both.31-emit",
      "each product its own",
      testsOf("backend/docs/docs.test.ts")("gives each system the errors that its clients read"),
    ],
  ]),
  ...section("error-bodies", [
    [
      "error-bodies.chatbot",
      "`errors` with an integer code; 400 only for an expired session",
      routes("%s %s is 404 in the format that clients read"),
      engine("never answers 400 to a body it can't read"),
      engine("%s is answered as expired"),
    ],
    ["error-bodies.chat", "`error` whose code is the status", chat.messages, chat.version],
    [
      "error-bodies.ticketing-knowledge",
      "`error` and `errors` together, and a message",
      tickets("a ticket needs %s, and nothing is stored without it"),
      noMatch,
      testsOf("backend/error-bodies.test.ts")(
        "$what: $status with `error`, `errors` and `message`",
      ),
    ],
    ["error-bodies.auth", "401 with the message Unauthorized beside `errors`", auth("refuses %s")],
  ]),
  ...section("rules", [
    [
      "rules.expired",
      "an expired session is 400 `Session expired`, and nothing else on that route is 400",
      engine("%s is answered as expired"),
      engine("never answers 400 to a body it can't read"),
      gatewayLogin("answers 401 without credentials, never 400"),
    ],
    [
      "rules.words",
      "both places of the words change together, never to nothing; flag, number and order stay",
      decided("with %s gets our text and keeps everything else"),
      decided("is never given an empty message, even by a broken table"),
      decided("with several answers is judged answer by answer"),
    ],
    [
      "rules.addresses",
      "the chatbot's address becomes ours wherever it stands, its path prefix kept",
      gatewayLogin("gets our routes in apis, and is otherwise unchanged"),
      gatewayLogin("keeps an instance's path prefix in the routes it gives out"),
    ],
    [
      "rules.shapes",
      "lists are lists even when empty, codes are integers, times Unix seconds",
      tickets("a user is created once for each address, and found by it"),
      shapes,
      chat.rooms,
      chat.wholeWay,
    ],
    [
      "rules.limits",
      "a long question is a flag and no error; payload, upload and lifetime have limits",
      testsOf("backend/chatbot/direct-answers.test.ts")(
        "256 code points of %s pass and 257 are too many",
      ),
      media("may have 7,340,032 bytes, and not one more"),
    ],
  ]),
  ...section("readings", [
    [
      "readings.no-match",
      "a knowledge search without a match is 404, by a setting 200",
      noMatch,
      testsOf("backend/knowledge/suites/searches.ts")(
        "that finds nothing is 200 with no results where the setting says so",
      ),
    ],
    [
      "readings.languages",
      "thirty languages of our own choice, and any other by configuration",
      testsOf("locales/engine-texts.test.ts")("exist in every shipped language, with every key"),
      negotiate("of %j serve %s with %s"),
    ],
    [
      "readings.bodies",
      "bodies other than JSON are accepted",
      tickets("every body encoding creates the same ticket"),
      engine("reads %s"),
    ],
    [
      "readings.waiting",
      "a chat waits with an invitation or a place in the queue",
      chat.statusWords,
    ],
  ]),
];
