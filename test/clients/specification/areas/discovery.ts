import { auth, clients, common, contract, engine, tokens } from "../files.ts";
import { causes, knowledgeWire, published, tracking } from "../files.ts";
import * as chat from "../chat-tests.ts";
import { section } from "../rows.ts";
import type { Row } from "../rows.ts";

/** seed.md, opening to 3: the products, their addresses, and how a client discovers them. */
export const DISCOVERY: readonly Row[] = [
  ...section("0", [
    [
      "service.areas",
      "authentication, chatbot, knowledge, case management and chat make the whole",
      published("is a 3.1 document with a title, a version and every operation, each once"),
      published("describes the five interfaces, in the order in which a reader needs them"),
    ],
  ]),
  ...section("1", [
    [
      "service.discovery",
      "one call gives a project's current address of each product",
      common("names addresses behind which /v1 and a product's path answer"),
    ],
    [
      "service.case-management",
      "users are registered, tickets made for them, files uploaded and attached",
      contract("typed clients create, attach, reply and read with what creation gave out"),
    ],
    [
      "service.knowledge-content",
      "search, contents, categories, user questions, cross-selling and autocompletion",
      knowledgeWire("every operation of the documentation exists"),
    ],
    [
      "service.knowledge-events",
      "usage is recorded as events",
      tracking("the other events are recorded with what they say"),
    ],
    ["service.chat", "register, see who is free, create, search, talk, close", chat.begun],
    [
      "service.chatbot",
      "the answer to a message says by a flag which preset it is",
      causes("$name: $returnedWhen"),
    ],
    [
      "service.chatbot-rest",
      "silent on the engine's other operations: ours are published",
      published("shows every operation with its address, its fields and its errors"),
      engine("are set one by one and many at once, and listed by lower-case name"),
    ],
  ]),
  ...section("2", [
    [
      "address.discovery",
      "discovery is at /v1/apis of its own address",
      clients("%s carries what the specification shows"),
    ],
    [
      "address.ticketing",
      "case management is at apis.ticketing, its paths begin with /v1",
      common("names addresses behind which /v1 and a product's path answer"),
      clients("clients ask a service only below /v1 of the address that discovery named"),
    ],
    [
      "address.knowledge",
      "knowledge is at apis.knowledge, its paths follow /v1",
      knowledgeWire(
        "answers by its shape, with and without a slash, a bare question mark and a JSON type",
      ),
    ],
    [
      "address.chat",
      "chat has an address with port 8000, its paths begin with /v1",
      chat.clientSpellings,
      chat.version,
      chat.ownPort,
    ],
    ["address.json", "every body is JSON", common("$method $path answers JSON, refusals too")],
  ]),
  ...section("3", [
    [
      "discovery.request",
      "a GET of /v1/apis",
      common("is a GET of /v1/apis with the token and the key, and answers an address per product"),
    ],
    [
      "discovery.header-authorization",
      "carries the access token as Bearer",
      clients("%s carries what the specification shows"),
      common("is refused without the token, and without the key"),
    ],
    [
      "discovery.header-key",
      "carries the API key in x-vendor-key",
      clients("%s carries what the specification shows"),
      common("is refused without the token, and without the key"),
    ],
    [
      "discovery.answer",
      "answers `apis`, an address by product key",
      common("is a GET of /v1/apis with the token and the key, and answers an address per product"),
    ],
    [
      "discovery.key-ticketing",
      "case management has the key `ticketing`",
      auth("answers token, expiry in Unix seconds, lifetime and the products that exist"),
    ],
    [
      "discovery.key-knowledge",
      "knowledge has the key `knowledge`",
      common("apis names a product exactly when its paths answer"),
    ],
    [
      "discovery.rule-1",
      "is asked when a token was obtained",
      tokens(
        "the first call fetches a token and discovers the addresses once, and later calls do neither",
      ),
    ],
    [
      "discovery.rule-2",
      "is not kept from one token to the next, nor asked before each call",
      tokens(
        "a token is refreshed in its last three minutes, and its addresses are discovered anew",
      ),
      tokens(
        "the first call fetches a token and discovers the addresses once, and later calls do neither",
      ),
    ],
    [
      "discovery.rule-3",
      "an address may change, and comes anew with each token",
      common("answers a new token with the address that holds by then"),
      tokens(
        "a token is refreshed in its last three minutes, and its addresses are discovered anew",
      ),
    ],
  ]),
];
